// SPDX-License-Identifier: Apache-2.0
// Kernels of a few words on the tiles of a chip.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "noc/layout.hpp"
#include "noc/registers.hpp"
#include "support/kernel_image.hpp"
#include "support/riscv_words.hpp"
#include "tessera/chip.hpp"

namespace tessera::test {

/// The words of a kernel.
class KernelWords {
public:
    explicit KernelWords(Arch arch) : arch_(arch), map_(noc::register_map(arch)) {}

    std::vector<std::uint32_t> code;

    /// A register gets any value.
    void put(unsigned rd, std::uint32_t value) {
        code.push_back(rv::lui(rd, (value + 0x800) >> 12));
        code.push_back(rv::i(rv::Op::addi, rd, rd, static_cast<int>(value << 20) >> 20));
    }
    void poke(std::uint32_t address, std::uint32_t value) {
        put(rv::a7, value);
        keep(rv::a7, address);
    }
    void peek(unsigned rd, std::uint32_t address) {
        put(rv::a6, address);
        code.push_back(rv::i(rv::Op::lw, rd, rv::a6, 0));
    }
    void keep(unsigned rs, std::uint32_t address) {
        put(rv::a6, address);
        code.push_back(rv::store(rv::Op::sw, rs, 0, rv::a6));
    }
    /// Polls a word until it has this value. `cached`: Blackhole's core may have cached it, as it does no register.
    void wait_for(std::uint32_t address, std::uint32_t value, bool cached = true) {
        put(rv::a6, address);
        put(rv::a5, value);
        if (cached) code.push_back(rv::fence);  // forgets what is cached
        code.push_back(rv::i(rv::Op::lw, rv::a4, rv::a6, 0));
        code.push_back(rv::branch(rv::Op::bne, rv::a4, rv::a5, cached ? -8 : -4));
    }
    /// Lets time pass.
    void spend(std::uint32_t rounds) {
        put(rv::a5, rounds);
        code.push_back(rv::i(rv::Op::addi, rv::a5, rv::a5, -1));
        code.push_back(rv::branch(rv::Op::bne, rv::a5, rv::zero, -4));
    }

    static constexpr std::uint32_t niu(unsigned noc) { return 0xFFB2'0000 + noc * 0x1'0000; }
    std::uint32_t coordinates(unsigned noc, NocPlace place) const {
        const auto& chip = noc::layout(arch_);
        const noc::Place seen = chip.seen_by(noc, {static_cast<std::uint8_t>(place.x), static_cast<std::uint8_t>(place.y)});
        return seen.x | seen.y << 6;
    }
    void end(unsigned noc, std::uint32_t lo, NocPlace place, std::uint64_t address) { end_at(noc, lo, coordinates(noc, place), address); }
    void end_at(unsigned noc, std::uint32_t lo, std::uint32_t place, std::uint64_t address) {
        const auto high = static_cast<std::uint32_t>(address >> 32);
        poke(niu(noc) + lo, static_cast<std::uint32_t>(address));
        poke(niu(noc) + lo + 4, arch_ == Arch::blackhole ? high : place << 4 | high);
        if (arch_ == Arch::blackhole) poke(niu(noc) + lo + 8, place);
    }
    void go(unsigned noc, std::uint32_t control, std::uint32_t length, std::uint32_t data = 0) {
        poke(niu(noc) + noc::offset::ctrl, control);
        poke(niu(noc) + noc::offset::at_len_be, length);
        poke(niu(noc) + map_.at_data, data);
        poke(niu(noc) + map_.cmd_ctrl, 1);
        // The next request may change the registers once this one has left.
        put(rv::a6, niu(noc) + map_.cmd_ctrl);
        code.push_back(rv::i(rv::Op::lw, rv::a4, rv::a6, 0));
        code.push_back(rv::branch(rv::Op::bne, rv::a4, rv::zero, -4));
    }
    void write(unsigned noc, NocPlace own, std::uint32_t from, NocPlace to, std::uint64_t address, std::uint32_t bytes,
               std::uint32_t control = 0) {
        end(noc, noc::offset::targ_addr_lo, own, from);
        end(noc, noc::offset::ret_addr_lo, to, address);
        go(noc, noc::ctrl::write | noc::ctrl::response_marked | control, bytes);
    }
    void read(unsigned noc, NocPlace from, std::uint64_t address, NocPlace own, std::uint32_t to, std::uint32_t bytes) {
        end(noc, noc::offset::targ_addr_lo, from, address);
        end(noc, noc::offset::ret_addr_lo, own, to);
        go(noc, noc::ctrl::read, bytes);
    }
    void increment(unsigned noc, NocPlace own, NocPlace to, std::uint32_t address, std::uint32_t by, std::uint32_t control = 0) {
        end(noc, noc::offset::targ_addr_lo, to, address);
        end(noc, noc::offset::ret_addr_lo, own, 0x800);
        go(noc, noc::ctrl::atomic | noc::ctrl::response_marked | control, 1u << 12 | 31u << 2 | (address / 4 & 3), by);
    }
    void wait_counter(unsigned noc, noc::Counter counter, std::uint32_t value) {
        wait_for(niu(noc) + noc::offset::counters_begin + 4 * static_cast<std::uint32_t>(counter), value);
    }

private:
    const Arch arch_;
    const noc::RegisterMap& map_;
};

/// A chip and what its tiles run: only RISC-V B, unless said otherwise.
class ChipKernels : public testing::TestWithParam<Arch> {
protected:
    static constexpr std::uint32_t entry = 0x1000, done = 0x700;

    void make(unsigned columns, unsigned rows, std::vector<unsigned> harvested = {}) {
        ChipOptions options;
        options.grid = ChipOptions::Size{columns, rows};
        options.harvested = std::move(harvested);
        options.reset = Reset::vendor_sim;
        auto made = Chip::make(GetParam(), options);
        ASSERT_TRUE(made) << made.error().describe();
        chip.emplace(std::move(*made));
    }
    KernelWords words() const { return KernelWords(GetParam()); }
    NocPlace place(unsigned column, unsigned row) const { return *chip->place(column, row); }
    /// The kernel ends by a word that says so.
    void kernel(unsigned column, unsigned row, KernelWords words, RiscvCore core = RiscvCore::b) {
        kernels(column, row, {{core, std::move(words)}});
    }
    /// The same of several cores: the first one's kernel says it.
    void kernels(unsigned column, unsigned row, std::vector<std::pair<RiscvCore, KernelWords>> of_cores) {
        of_cores.front().second.poke(done, 1);
        Kernels kernels;
        kernels.arch = GetParam();
        std::uint32_t at = entry;
        for (auto& [core, words] : of_cores) {
            words.code.push_back(rv::halt);
            KernelImage image = image_of(core, words.code, at);
            const auto bytes = static_cast<std::uint32_t>(4 * words.code.size());
            image.symbols = {{"main", at, bytes, true}};
            kernels.images.at(static_cast<std::size_t>(core)) = std::move(image);
            at += bytes;
        }
        kernels.done = {{done, 1}};
        const auto loaded = chip->load(column, row, kernels);
        ASSERT_TRUE(loaded) << loaded.error().describe();
    }
    ChipRun run(ChipRunOptions options = {}) {
        options.tile.max_cycles = 10'000'000;
        auto ran = chip->run(options);
        EXPECT_TRUE(ran) << ran.error().describe();
        return std::move(*ran);
    }
    void expect_good(const ChipRun& ran) {
        EXPECT_TRUE(ran.good()) << (ran.fault ? ran.fault->describe() : "");
        for (const auto& tile : ran.tiles)
            for (const auto& finding : tile.run.findings) EXPECT_LE(finding.level, Level::info) << finding.describe();
    }
    std::uint32_t word(unsigned column, unsigned row, std::uint32_t address) {
        std::uint32_t value = 0;
        const auto bytes = (*chip->tile(column, row))->read_l1(address, 4);
        std::memcpy(&value, bytes->data(), 4);
        return value;
    }
    void set_word(unsigned column, unsigned row, std::uint32_t address, std::uint32_t value) {
        EXPECT_TRUE((*chip->tile(column, row))->write_l1(address, std::as_bytes(std::span(&value, 1))));
    }

    std::optional<Chip> chip;
};

}  // namespace tessera::test

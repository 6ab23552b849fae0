// SPDX-License-Identifier: Apache-2.0
// Fuzzes requests over the NoC: a core of each of four tiles writes any values to registers of its NIUs and polls them. The end is the same on
// any number of threads.
#include <cstring>

#include "fuzz/support/fuzzer.hpp"
#include "support/riscv_words.hpp"
#include "tessera/chip.hpp"
#include "tessera/state_digest.hpp"

namespace tessera::fuzz {

namespace {

constexpr std::uint32_t table = 0x1'0000, entry = 0x6000, niu = 0xFFB2'0000;
constexpr unsigned most_stores = 64;

/// Stores pairs of address and value from `table` until an address of 0.
KernelImage storing() {
    using namespace test::rv;
    using test::rv::Op;
    const std::vector<std::uint32_t> code = {lui(a0, table >> 12),
                                             i(Op::lw, a1, a0, 0),
                                             i(Op::lw, a2, a0, 4),
                                             branch(Op::beq, a1, zero, 16),
                                             store(Op::sw, a2, 0, a1),
                                             i(Op::addi, a0, a0, 8),
                                             jal(zero, -20),
                                             halt};
    KernelImage image;
    image.file = "kernel.elf";
    image.entry = entry;
    std::vector<std::byte> bytes(4 * code.size());
    std::memcpy(bytes.data(), code.data(), bytes.size());
    image.segments = {{entry, std::move(bytes), entry}};
    return image;
}

/// Registers of one of the tile's two NIUs, mostly those of an initiator, with values that are mostly places, addresses in L1 or bits.
std::pair<std::uint32_t, std::uint32_t> store_of(Bytes& input) {
    const std::uint32_t kind = input.take(1);
    const std::uint32_t base = niu + (kind & 1) * 0x1'0000;
    const std::uint32_t offset = kind & 2 ? input.take(2) & 0xFFFC : (input.take(1) % 32) * 4 + (input.take(1) % 4) * 0x800;
    std::uint32_t value = input.take(4);
    switch (kind >> 2 & 7) {
        case 0: value &= 0xFFF; break;
        case 1: value &= 0x3'FFF0; break;
        case 2: value = (value % 8) << 6 | (value >> 8) % 8; break;
        case 3: value = 1; break;
        case 4: value = ((value % 8) << 6 | (value >> 8) % 8) << 4; break;
        default: break;
    }
    return {base + offset, value};
}

std::uint64_t end_of(Chip chip, unsigned threads) {
    const auto run = chip.run({.tile = {.max_cycles = 20'000}, .threads = threads});
    if (!run) {
        require(!run.error().code.empty(), "an error has a code");
        return 0;
    }
    if (run->fault) require(!run->fault->code.empty() && !run->fault->message.empty(), "a fault has a code");
    run->describe_waits();
    for (const TileRun& tile : run->tiles)
        for (const Finding& finding : tile.run.findings) require(!finding.code.empty(), "a finding has a code");
    // What a tile does after the cycle of another one's fault is not defined.
    return run->fault ? 0 : state_digest(chip);
}

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    // A write, a read, an atomic, and a write to all, with the registers in their order.
    for (const std::uint32_t command : {0x12u, 0x10u, 0x01u, 0x32u, 0x11u, 0x92u})
        for (unsigned arch = 0; arch < 2; ++arch)
            for (unsigned place = 0; place < 4; ++place) {
                std::string seed(1, static_cast<char>(arch | place << 1));
                const auto put = [&](unsigned kind, unsigned word, std::uint32_t value) {
                    seed += static_cast<char>(kind);
                    seed += static_cast<char>(word);
                    seed += '\0';
                    for (unsigned byte = 0; byte < 4; ++byte) seed += static_cast<char>(value >> 8 * byte);
                };
                put(4, 0, 0x1'0000);
                put(20, 1, 0);
                put(8, 2, 0x0101 * place);
                put(4, 3, 0x2'0000);
                put(20, 4, 0);
                put(8, 5, 0x0201);
                put(20, 7, command);
                put(20, 8, 64);
                put(12, arch ? 10 : 16, 1);
                all.push_back(seed);
            }
    return all;
}

void run(std::string_view text) {
    Bytes input(text);
    const std::uint32_t start = input.take(1);
    const Arch arch = start & 1 ? Arch::wormhole : Arch::blackhole;
    ChipOptions options{.grid = ChipOptions::Size{2, 2}};
    options.translation = start & 0x80;
    Chip chip = Chip::make(arch, options).value();
    Kernels kernels;
    kernels.arch = arch;
    kernels.images[0] = storing();
    std::array<std::vector<std::uint32_t>, 4> stores;
    for (unsigned i = 0; i < most_stores && !input.empty(); ++i) {
        const auto [address, value] = store_of(input);
        auto& own = stores[(start >> 1) % 4 ^ (i / 16) % 4];
        own.push_back(address);
        own.push_back(value);
    }
    for (unsigned tile = 0; tile < stores.size(); ++tile) {
        stores[tile].resize(stores[tile].size() + 2);
        require((*chip.tile(tile % 2, tile / 2))->write_l1(table, std::as_bytes(std::span(stores[tile]))).has_value(), "a table is in L1");
        require(chip.load(tile % 2, tile / 2, kernels).has_value(), "kernels fit");
    }
    const std::uint64_t end = end_of(chip, 1);
    if (start & 0x40) require(end == end_of(chip, 3), "the number of threads changes nothing");
}

}  // namespace

const Fuzzer noc_fuzzer{"noc", seeds, run};

}  // namespace tessera::fuzz

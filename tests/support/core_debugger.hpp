// SPDX-License-Identifier: Apache-2.0
// A debugger at the registers of a tile (BabyRISCV/DebugInterface): it drives the cores of a hosted chip.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "support/assembly.hpp"
#include "support/chip_kernels.hpp"
#include "tessera/hosted_chip.hpp"

namespace tessera::test::debugger {

inline constexpr std::uint32_t soft_reset = 0xFFB1'21B0, all_in_reset = 0x4'7800, local = 0xFFB0'0000;
inline constexpr std::uint32_t answer = 0x7000, other = 0x7010;
inline constexpr NocPlace place{1, 2};

/// Numbers of debug registers.
inline constexpr unsigned status = 0, command = 1, argument = 2, data = 3, result = 4, modes = 5, first_address = 10, pc = 32;
/// Bits of `status`.
inline constexpr unsigned is_paused = 1, by_breakpoint = 2, by_watchpoint = 4, by_ebreak = 8, by_first = 0x100;

/// A hosted chip with kernels, and the registers that drive one of its cores.
class CoreDebuggerBench : public testing::TestWithParam<Arch> {
protected:
    enum Command : std::uint32_t {
        pause = 0x001,
        step = 0x002,
        resume = 0x004,
        read_gpr = 0x008,
        write_gpr = 0x010,
        read_memory = 0x020,
        write_memory = 0x040,
        clear_gprs = 0x080,
        write_pc = 0x100,
        slow = 0x8000'0000
    };

    void SetUp() override {
        auto made = HostedChip::make(GetParam());
        ASSERT_TRUE(made) << made.error().describe();
        chip.emplace(std::move(*made));
    }
    void write(std::uint64_t address, std::uint32_t value) {
        const auto done = chip->write(place, address, std::as_bytes(std::span(&value, 1)));
        EXPECT_TRUE(done) << done.error().describe();
    }
    std::uint32_t read(std::uint64_t address) {
        std::uint32_t value = 0;
        const auto done = chip->read(place, address, std::as_writable_bytes(std::span(&value, 1)));
        EXPECT_TRUE(done) << done.error().describe();
        return value;
    }
    /// A debug register of the core, as the page says how.
    void put(unsigned index, std::uint32_t value) {
        write(0xFFB1'2084, value);
        write(0xFFB1'2080, 0);
        write(0xFFB1'2080, 0x8001'0000 | core << 17 | index);
    }
    std::uint32_t get(unsigned index) {
        write(0xFFB1'2080, 0);
        EXPECT_EQ(read(0xFFB1'2088) >> 31, 0u);
        write(0xFFB1'2080, 0x8000'0000 | core << 17 | index);
        EXPECT_EQ(read(0xFFB1'2088), 0xC000'0000 | index);
        return read(0xFFB1'208C);
    }
    void tell(std::uint32_t commands) {
        put(command, commands | slow);
        chip->clock(100);
    }
    std::uint32_t gpr(unsigned index) {
        put(argument, index);
        tell(read_gpr);
        return get(result);
    }
    std::uint32_t load(std::uint32_t address) {
        put(argument, address);
        tell(read_memory);
        EXPECT_TRUE(get(status) & is_paused);
        return get(result);
    }
    void store(std::uint32_t address, std::uint32_t value) {
        put(argument, address);
        put(data, value);
        tell(write_memory);
        EXPECT_TRUE(get(status) & is_paused);
    }
    /// One instruction: on Blackhole every second command has no effect.
    void step_one() {
        if (GetParam() == Arch::blackhole) {
            const std::uint32_t before = gpr(pc);
            tell(step);
            EXPECT_EQ(gpr(pc), before);
        }
        tell(step);
    }
    KernelWords words() const { return KernelWords(GetParam()); }
    void start(KernelWords words) {
        words.code.push_back(rv::jal(rv::zero, 0));
        const auto begins = core == 0 ? 0 : 0x2000 + 0x4000 * core;
        EXPECT_TRUE(chip->write(place, begins, std::as_bytes(std::span(words.code))));
        write(soft_reset, all_in_reset & ~(0x800u << core));
        first = begins;
    }
    /// All cores leave reset and stay where they begin.
    void release_all() {
        const std::uint32_t halt = rv::halt;
        for (unsigned i = 0; i < 4; ++i) EXPECT_TRUE(chip->write(place, i == 0 ? 0 : 0x2000 + 0x4000 * i, std::as_bytes(std::span(&halt, 1))));
        write(soft_reset, 0);
    }
    /// It counts at `answer` for ever; where its loop begins.
    void start_counting() {
        auto code = words();
        code.put(rv::a6, answer);
        code.put(rv::a5, 0);
        code.code.push_back(rv::i(rv::Op::addi, rv::a5, rv::a5, 1));
        code.code.push_back(rv::store(rv::Op::sw, rv::a5, 0, rv::a6));
        code.code.push_back(rv::jal(rv::zero, -8));
        start(std::move(code));
        loop = first + 16;
        chip->clock(200);
    }

    std::optional<HostedChip> chip;
    unsigned core = 1;
    std::uint32_t first = 0, loop = 0;
};

}  // namespace tessera::test::debugger

// SPDX-License-Identifier: Apache-2.0
// Breakpoints and watchpoints in the debug registers of a tile (BabyRISCV/DebugInterface).
#include "support/core_debugger.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using namespace tessera::test::debugger;

class CoreBreakpoints : public CoreDebuggerBench {};

TEST_P(CoreBreakpoints, ABreakpointPausesItBehindTheInstruction) {
    start_counting();
    put(first_address + 2, loop);
    put(modes, 8 << 4 * 2);
    chip->clock(100);
    EXPECT_EQ(get(status), is_paused | by_breakpoint | by_first << 2);
    EXPECT_EQ(get(first_address + 8), 0u);
    put(first_address + 8, 0x400);
    EXPECT_EQ(get(status), is_paused | by_breakpoint | by_first << 2) << "there is no such register";
    EXPECT_EQ(gpr(pc), loop + 4);
    const std::uint32_t count = read(answer);
    tell(resume);
    EXPECT_EQ(get(status), is_paused | by_breakpoint | by_first << 2);
    EXPECT_EQ(read(answer), count + 1);
    put(modes, 0);
    tell(resume);
    EXPECT_EQ(get(status), 0u);
}

TEST_P(CoreBreakpoints, ABreakpointAtAJumpToItself) {
    auto code = words();
    code.poke(answer, 5);
    const auto behind = static_cast<std::uint32_t>(code.code.size()) * 4;
    start(std::move(code));
    put(first_address, first + behind);
    put(modes, 8);
    chip->clock(1000);
    EXPECT_EQ(get(status), is_paused | by_breakpoint | by_first);
    EXPECT_EQ(gpr(pc), first + behind);
    EXPECT_EQ(read(answer), 5u);
}

// Its next instruction is nowhere: it has a fault, with a breakpoint as without.
TEST_P(CoreBreakpoints, ABreakpointIsNoHarmWhereNoInstructionIs) {
    auto code = words();
    code.put(rv::a6, 0xFFC0'0000);
    code.code.push_back(rv::i(rv::Op::jalr, rv::zero, rv::a6, 0));
    put(first_address, 0xFFC0'0004);
    put(modes, 8);
    start(std::move(code));
    chip->clock(1000);
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_TRUE(reports[0].is_fault);
    EXPECT_EQ(reports[0].what().code, "riscv.fetch");
}

TEST_P(CoreBreakpoints, WatchpointsTellLoadsFromStores) {
    start_counting();
    put(first_address, answer);
    put(first_address + 7, answer);
    put(modes, 9);
    chip->clock(200);
    EXPECT_EQ(get(status), 0u);
    put(modes, 9 | 10u << 28);
    chip->clock(200);
    EXPECT_EQ(get(status), is_paused | by_watchpoint | by_first << 7);
    EXPECT_EQ(gpr(pc), loop + 8);
    put(modes, 11);
    tell(resume);
    EXPECT_EQ(get(status), is_paused | by_watchpoint | by_first);
}

TEST_P(CoreBreakpoints, WatchpointsMeetTheAddressOfTheAccess) {
    auto code = words();
    code.wait_for(other, 1);
    code.put(rv::a6, answer + 0x7F0);
    code.put(rv::a5, 3);
    code.code.push_back(rv::store(rv::Op::sw, rv::a5, -0x7F0, rv::a6));
    start(std::move(code));
    put(first_address, answer);
    put(first_address + 1, answer + 0x7F0);
    put(modes, 0xAA);
    write(other, 1);
    chip->clock(1000);
    EXPECT_EQ(get(status), is_paused | by_watchpoint | by_first);
    EXPECT_EQ(read(answer), 3u);
}

// Modes below 8 and above 11 are none, and neither is an address within an instruction.
TEST_P(CoreBreakpoints, OtherModesAndAddressesMeetNothing) {
    start_counting();
    for (unsigned i = 0; i < 8; ++i) put(first_address + i, i % 2 ? loop : answer);
    put(modes, 0x77'CC'FF'00);
    chip->clock(200);
    EXPECT_EQ(get(status), 0u);
    for (unsigned i = 0; i < 8; ++i) put(first_address + i, loop + (i % 4 ? i % 4 : 1));
    put(modes, 0x8888'8888);
    chip->clock(200);
    EXPECT_EQ(get(status), 0u);
}

TEST_P(CoreBreakpoints, EachCoreHasItsOwnBreakpoints) {
    const std::uint32_t both = all_in_reset & ~0x3000u;
    for (core = 1; core < 3; ++core) {
        auto code = words();
        code.wait_for(other, 1);
        start(std::move(code));
    }
    write(soft_reset, both);
    for (core = 1; core < 3; ++core) {
        put(first_address, 0x2000 + 0x4000 * core + 4 * 7);  // behind wait_for()
        put(modes, 8);
    }
    chip->clock(1000);
    write(other, 1);
    chip->clock(1000);
    for (core = 1; core < 3; ++core) EXPECT_EQ(get(status), is_paused | by_breakpoint | by_first) << core;
    core = 1;
    put(modes, 0);
    tell(resume);
    EXPECT_EQ(get(status), 0u);
    core = 2;
    tell(resume);
    EXPECT_EQ(get(status), is_paused | by_breakpoint | by_first) << "it jumps to itself";
}

TEST_P(CoreBreakpoints, OnlyWatchpointsOnLoadsMeetALoad) {
    auto code = words();
    code.wait_for(other, 1);
    start(std::move(code));
    put(first_address, other);
    for (const std::uint32_t mode : {8, 10}) {
        put(modes, mode);
        chip->clock(1000);
        EXPECT_EQ(get(status), 0u) << mode;
    }
    for (const std::uint32_t mode : {9, 11}) {
        put(modes, mode);
        chip->clock(1000);
        EXPECT_EQ(get(status), is_paused | by_watchpoint | by_first) << mode;
        put(modes, 0);
        tell(resume);
    }
}

TEST_P(CoreBreakpoints, ABreakpointEndsPolling) {
    auto code = words();
    code.wait_for(other, 1);
    const auto behind = static_cast<std::uint32_t>(code.code.size()) * 4;
    code.poke(answer, 3);
    start(std::move(code));
    chip->clock(100'000);
    put(first_address, first + behind);
    put(modes, 8);
    chip->clock(100'000);
    EXPECT_EQ(get(status), 0u);
    write(other, 1);
    chip->clock(1000);
    EXPECT_EQ(get(status), is_paused | by_breakpoint | by_first);
    EXPECT_EQ(gpr(pc), first + behind + 4);
    EXPECT_EQ(read(answer), 0u);
    tell(resume);
    EXPECT_EQ(read(answer), 3u);
}

// "Execution of the address in DR(10+i) will trigger a pause"; Blackhole executes four .ttinsn at once.
TEST_P(CoreBreakpoints, ABreakpointAtEachOfFusedInstructionsPausesBehindThem) {
    auto code = words();
    code.wait_for(other, 1);
    const auto begin = static_cast<std::uint32_t>(code.code.size()) * 4;
    constexpr std::uint32_t nop_of_thread = 0x0200'0000;
    for (unsigned i = 0; i < 4; ++i) code.code.push_back(rv::ttinsn(nop_of_thread));
    code.poke(answer, 3);
    for (std::uint32_t i = 0; i < 4; ++i) {
        write(soft_reset, all_in_reset);
        write(other, 0);
        write(answer, 0);
        start(code);
        put(first_address, first + begin + 4 * i);
        put(modes, 8);
        chip->clock(1000);
        EXPECT_EQ(get(status), 0u);
        write(other, 1);
        chip->clock(1000);
        EXPECT_EQ(get(status), is_paused | by_breakpoint | by_first);
        EXPECT_EQ(gpr(pc), first + begin + 4 * (GetParam() == Arch::blackhole ? 4 : i + 1));
        EXPECT_EQ(read(answer), 0u);
        tell(resume);
        EXPECT_EQ(read(answer), 3u);
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, CoreBreakpoints, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// A debugger at the registers of a tile (BabyRISCV/DebugInterface): its commands, and what reset does to them.
#include "support/core_debugger.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using namespace tessera::test::debugger;

class CoreDebuggerTest : public CoreDebuggerBench {};

// The page: a command is given by bit 31 as it becomes 1. As long as it stays 1, other values of the word only say what comes next.
TEST_P(CoreDebuggerTest, OnlyARisingBitIsACommand) {
    core = 1;
    start_counting();
    tell(pause);
    put(argument, 5);
    EXPECT_EQ(get(argument), 5u);
    // Written with bit 31 still 1: nothing is written, and nothing is read.
    write(0xFFB1'2084, 9);
    write(0xFFB1'2080, 0x8001'0000 | core << 17 | argument);
    EXPECT_EQ(get(argument), 5u);
    write(0xFFB1'2080, 0x8000'0000 | core << 17 | data);
    EXPECT_EQ(read(0xFFB1'208C), 5u) << "the answer is still that of the last command";
    // Without bit 31 neither.
    write(0xFFB1'2080, 0);
    write(0xFFB1'2080, 0x0001'0000 | core << 17 | argument);
    EXPECT_EQ(get(argument), 5u);
    put(argument, 9);
    EXPECT_EQ(get(argument), 9u);
}

TEST_P(CoreDebuggerTest, APausedCoreStandsStillUntilItIsResumed) {
    for (core = 0; core < 4; ++core) {
        start_counting();
        EXPECT_EQ(get(status), 0u);
        tell(pause);
        EXPECT_EQ(get(status), is_paused);
        const std::uint32_t count = read(answer);
        EXPECT_GT(count, 5u);
        chip->clock(1000);
        EXPECT_EQ(read(answer), count);
        EXPECT_EQ(gpr(rv::a6), answer);
        EXPECT_GE(gpr(pc), loop);
        EXPECT_LE(gpr(pc), loop + 8);
        tell(resume);
        EXPECT_EQ(get(status), 0u);
        chip->clock(1000);
        EXPECT_GT(read(answer), count + 10);
        write(soft_reset, all_in_reset);
    }
    EXPECT_TRUE(chip->take_reports().empty());
}

TEST_P(CoreDebuggerTest, ItStepsOneInstruction) {
    start_counting();
    tell(pause);
    for (unsigned i = 0; i < 6; ++i) {
        const std::uint32_t before = gpr(pc), a5 = gpr(rv::a5);
        step_one();
        EXPECT_EQ(get(status), is_paused);
        EXPECT_EQ(gpr(pc), before == loop + 8 ? loop : before + 4);
        EXPECT_EQ(gpr(rv::a5), before == loop ? a5 + 1 : a5);
    }
}

TEST_P(CoreDebuggerTest, RegistersAreChangedWhileItIsPaused) {
    start_counting();
    tell(pause);
    put(argument, rv::a5);
    put(data, 5'000'000);
    tell(write_gpr);
    EXPECT_EQ(gpr(rv::a5), 5'000'000u);
    put(argument, 0);
    tell(write_gpr);
    EXPECT_EQ(gpr(0), 0u);
    const std::uint32_t at = gpr(pc);
    put(argument, pc);
    tell(write_gpr);
    EXPECT_EQ(gpr(pc), at) << "only x1 to x31 are written so";
    tell(resume);
    chip->clock(200);
    EXPECT_GT(read(answer), 5'000'000u);
    tell(pause);
    tell(clear_gprs);
    for (unsigned i = 1; i < 32; ++i) EXPECT_EQ(gpr(i), 0u);
}

TEST_P(CoreDebuggerTest, MemoryIsReachedAsTheCoreReachesIt) {
    start_counting();
    tell(pause);
    store(local + 0x10, 0x1234'5678);
    EXPECT_EQ(load(local + 0x10), 0x1234'5678u);
    EXPECT_EQ(load(local + 0x14), 0u);
    store(other, 0x8765'4321);
    EXPECT_EQ(read(other), 0x8765'4321u);
    EXPECT_EQ(read(other + 4), 0u);
    write(other, 0xFEDC'BA98);
    EXPECT_EQ(load(other), 0xFEDC'BA98u);
    EXPECT_EQ(load(soft_reset), all_in_reset & ~0x1000u);
    constexpr std::uint32_t gprs_of_t0 = 0xFFE0'0000;
    store(gprs_of_t0 + 4 * 9, 99);
    EXPECT_EQ(load(gprs_of_t0 + 4 * 9), 99u);
}

// "The core will then be temporarily busy while it performs the read": here until B sends a word.
TEST_P(CoreDebuggerTest, AnAccessThatHasToWaitKeepsItBusy) {
    constexpr std::uint32_t from_b = 0xFFEC'0000, to_t0 = 0xFFEC'1000;
    start_counting();
    tell(pause);
    put(argument, from_b);
    put(data, 0x77);
    tell(read_memory);
    EXPECT_EQ(get(status), 0u);
    for (const std::uint32_t commands : {write_gpr, read_gpr, clear_gprs, resume}) tell(commands);
    chip->clock(1000);
    EXPECT_EQ(get(status), 0u);
    auto sender = words();
    sender.poke(to_t0, 0x1234'5678);
    sender.code.push_back(rv::halt);
    EXPECT_TRUE(chip->write(place, 0, std::as_bytes(std::span(sender.code))));
    write(soft_reset, all_in_reset & ~0x1800u);
    chip->clock(500);
    EXPECT_EQ(get(status), is_paused);
    EXPECT_EQ(get(result), 0x1234'5678u);
    EXPECT_EQ(gpr(rv::a6), answer) << "commands to a busy core have no effect";
    EXPECT_TRUE(chip->take_reports().empty());
}

// It stores as the core does: others wake.
TEST_P(CoreDebuggerTest, WhatItStoresEndsAnothersPolling) {
    auto code = words();
    code.wait_for(other, 0x8765'4321);
    code.poke(other + 4, 6);
    start_counting();
    tell(pause);
    code.code.push_back(rv::halt);
    EXPECT_TRUE(chip->write(place, 0xA000, std::as_bytes(std::span(code.code))));
    write(soft_reset, all_in_reset & ~0x3000u);
    chip->clock(100'000);
    EXPECT_EQ(read(other + 4), 0u);
    store(other, 0x8765'4321);
    chip->clock(1000);
    EXPECT_EQ(read(other + 4), 6u);
}

TEST_P(CoreDebuggerTest, AnAccessToNothingIsRefusedAndLeavesItPaused) {
    start_counting();
    tell(pause);
    EXPECT_EQ(gpr(rv::a6), answer);
    put(argument, 0x8000'0000);
    const std::uint32_t read_there = read_memory | slow, go = 0x8001'0000 | core << 17 | command;
    write(0xFFB1'2084, read_there);
    write(0xFFB1'2080, 0);
    const auto refused = chip->write(place, 0xFFB1'2080, std::as_bytes(std::span(&go, 1)));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "host.register");
    EXPECT_NE(refused.error().message.find(
                  "the debugger's access: trisc0 loads from 0x80000000: no region of its memory map has this address"),
              std::string::npos)
        << refused.error().message;
    EXPECT_EQ(get(status), is_paused);
    EXPECT_EQ(get(result), answer) << "nothing was read";
}

TEST_P(CoreDebuggerTest, ACoreThatAFaultHasStoppedIsNotPaused) {
    auto code = words();
    code.peek(rv::a4, 0x8000'0000);
    start(std::move(code));
    chip->clock(1000);
    ASSERT_EQ(chip->take_reports().size(), 1u);
    tell(pause);
    EXPECT_EQ(get(status), 0u);
    tell(resume);
    EXPECT_EQ(get(status), 0u);
    EXPECT_TRUE(chip->take_reports().empty());
}

TEST_P(CoreDebuggerTest, ACorePausesWhenItsLoadHasItsValue) {
    core = 2;
    auto code = words();
    constexpr std::uint32_t from_b = 0xFFEC'0000;
    code.peek(rv::a4, from_b);
    code.keep(rv::a4, answer);
    const auto behind_load = first + 12;
    start(std::move(code));
    chip->clock(200);
    tell(pause);
    EXPECT_EQ(get(status), 0u);
    core = 0;
    auto sender = words();
    sender.poke(0xFFEC'2000, 55);
    sender.code.push_back(rv::jal(rv::zero, 0));
    EXPECT_TRUE(chip->write(place, 0, std::as_bytes(std::span(sender.code))));
    write(soft_reset, all_in_reset & ~0x2800u);
    chip->clock(500);
    core = 2;
    EXPECT_EQ(get(status), is_paused);
    EXPECT_EQ(gpr(pc), 0xA000 + behind_load);
    EXPECT_EQ(gpr(rv::a4), 55u);
    EXPECT_EQ(read(answer), 0u);
    tell(resume);
    chip->clock(200);
    EXPECT_EQ(read(answer), 55u);
}

TEST_P(CoreDebuggerTest, AnEbreakPausesItAndItGoesOnBehind) {
    auto code = words();
    code.code.push_back(0x0010'0073);
    code.poke(answer, 4);
    start(std::move(code));
    chip->clock(200);
    EXPECT_EQ(get(status), is_paused | by_ebreak);
    EXPECT_EQ(gpr(pc), first + 4);
    EXPECT_EQ(read(answer), 0u);
    tell(resume);
    chip->clock(200);
    EXPECT_EQ(read(answer), 4u);
}

TEST_P(CoreDebuggerTest, ItsPcIsWritten) {
    start_counting();
    tell(pause);
    put(data, loop - 16);
    tell(write_pc | step);
    EXPECT_EQ(gpr(pc), loop - 16);
    const std::uint32_t count = read(answer);
    ASSERT_GT(count, 8u);
    tell(resume);
    EXPECT_LT(read(answer), 200u);
    tell(pause);
    put(command, write_pc | step);
    EXPECT_EQ(gpr(pc), first);
}

TEST_P(CoreDebuggerTest, ResetEndsAPause) {
    start_counting();
    tell(pause);
    write(soft_reset, all_in_reset);
    EXPECT_EQ(get(status), 0u);
    tell(pause);
    EXPECT_EQ(get(status), 0u);
    write(answer, 0);
    write(soft_reset, all_in_reset & ~(0x800u << core));
    chip->clock(1000);
    EXPECT_GT(read(answer), 10u);
}

// SoftReset: no instruction starts in reset, though Blackhole's DISABLE_RESET leaves the debug registers on.
TEST_P(CoreDebuggerTest, ResetEndsThePauseOfAnEbreak) {
    if (GetParam() == Arch::blackhole) write(0xFFB1'2224, 1 << 1);
    auto code = words();
    code.code.push_back(rv::ebreak);
    code.poke(answer, 4);
    start(std::move(code));
    chip->clock(200);
    EXPECT_EQ(get(status), is_paused | by_ebreak);
    write(soft_reset, all_in_reset);
    EXPECT_EQ(get(status), 0u);
    for (const std::uint32_t commands : {resume, step, step, pause}) {
        tell(commands);
        EXPECT_EQ(get(status), 0u);
        EXPECT_EQ(read(answer), 0u);
    }
}

// NC has no such interface, and its reset changes nothing there.
TEST_P(CoreDebuggerTest, ResetOfNcLeavesDebuggersAlone) {
    start_counting();
    put(first_address, loop);
    put(modes, 8);
    chip->clock(100);
    write(0xFFB1'2084, 0x1234);
    const std::uint32_t control = read(0xFFB1'2080), answered = read(0xFFB1'208C);
    const std::uint32_t here = read(soft_reset), halt = rv::halt;
    EXPECT_TRUE(chip->write(place, 0x1'2000, std::as_bytes(std::span(&halt, 1))));
    write(soft_reset, here & ~0x4'0000u);
    chip->clock(100);
    write(soft_reset, here);
    EXPECT_EQ(read(0xFFB1'2080), control);
    EXPECT_EQ(read(0xFFB1'2084), 0x1234u);
    EXPECT_EQ(read(0xFFB1'208C), answered);
    EXPECT_EQ(get(status), is_paused | by_breakpoint | by_first);
    tell(resume);
    EXPECT_EQ(get(status), is_paused | by_breakpoint | by_first);
}

// DebugDaisychain, "RISCV execution state": groups A and B of each core.
TEST_P(CoreDebuggerTest, EachCoreHasItsGroupsOfTheDaisychain) {
    constexpr std::uint32_t control = 0xFFB1'2054, shown = 0xFFB1'205C, execution_state = 1u << 29 | 7u << 16, second_word = 1u << 25;
    constexpr std::uint32_t group_a[] = {10, 12, 14, 16, 24}, begins[] = {0, 0x6000, 0xA000, 0xE000, 0x1'2000}, at = 0x14;
    auto code = words();
    for (unsigned i = 0; i < at / 4; ++i) code.code.push_back(rv::nop);
    code.code.push_back(rv::halt);
    for (const std::uint32_t begin : begins) EXPECT_TRUE(chip->write(place, begin, std::as_bytes(std::span(code.code))));
    for (const bool in_reset : {false, true}) {
        write(soft_reset, in_reset ? all_in_reset : 0);
        chip->clock(1000);
        for (unsigned i = 0; i < 5; ++i) {
            const std::uint32_t there = in_reset ? 0 : 1u << 31;
            write(control, execution_state | group_a[i]);
            EXPECT_EQ(read(shown), (begins[i] + at) | there) << i;
            write(control, execution_state | second_word | (group_a[i] + 1));
            EXPECT_EQ(read(shown), (begins[i] + at) | there) << i;
        }
    }
    // Of group A the first word has the pc, of group B the second.
    std::uint32_t value = 0;
    constexpr std::uint32_t other_state = 1u << 29 | 6u << 16;
    for (const std::uint32_t others : {execution_state | second_word | 12, execution_state | 13, execution_state | 26, other_state | 12}) {
        write(control, others);
        EXPECT_FALSE(chip->read(place, shown, std::as_writable_bytes(std::span(&value, 1)))) << others;
    }
}

TEST_P(CoreDebuggerTest, TheDaisychainShowsWhereCoresStand) {
    constexpr std::uint32_t control = 0xFFB1'2054, shown = 0xFFB1'205C, enabled = 1u << 29, execution_state = 7u << 16, second_word = 1u << 25;
    start_counting();
    tell(pause);
    const std::uint32_t at = gpr(pc);
    write(control, enabled | execution_state | 12);
    EXPECT_EQ(read(shown), at | 1u << 31);
    write(control, enabled | execution_state | second_word | 13);
    EXPECT_EQ(read(shown) & 0x3FFF'FFFF, at);
    write(control, execution_state | 12);
    EXPECT_EQ(read(shown), 0u);
    write(control, enabled | execution_state | 24);
    EXPECT_EQ(read(shown) >> 31, 0u);  // in reset
}

TEST_P(CoreDebuggerTest, CommandsToARunningCoreHaveNoEffect) {
    start_counting();
    for (const std::uint32_t commands : {step, resume, read_gpr, clear_gprs, read_memory, write_pc}) {
        put(argument, rv::a6);
        tell(commands);
        EXPECT_EQ(get(status), 0u) << commands;
        EXPECT_EQ(get(result), 0u) << commands;
    }
    const std::uint32_t count = read(answer);
    EXPECT_GT(count, 100u) << "the registers that it counts with were cleared";
    chip->clock(100);
    EXPECT_GT(read(answer), count);
}

TEST_P(CoreDebuggerTest, EachRegisterKeepsItsOwnValue) {
    release_all();
    for (core = 0; core < 4; ++core) {
        put(command, 300 + 2 * core);  // no pause
        put(argument, 100 + core);
        put(data, 200 + core);
        for (unsigned i = 0; i < 8; ++i) put(first_address + i, 1000 * (core + 1) + i);
        put(first_address + 8, 7);
        put(result, 7);
    }
    for (core = 0; core < 4; ++core) {
        EXPECT_EQ(get(command), 300 + 2 * core);
        EXPECT_EQ(get(argument), 100 + core);
        EXPECT_EQ(get(data), 200 + core);
        for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(get(first_address + i), 1000 * (core + 1) + i);
        EXPECT_EQ(get(first_address + 8), 0u);
        EXPECT_EQ(get(first_address - 1), 0u);
        EXPECT_EQ(get(result), 0u);
    }
}

// SoftReset: registers are 0 in reset, and what is written to them is lost. A bit of Blackhole's DISABLE_RESET keeps them.
TEST_P(CoreDebuggerTest, ResetClearsItsRegisters) {
    constexpr std::uint32_t disable_reset = 0xFFB1'2224;
    constexpr unsigned keep_bits[] = {7, 1, 3, 5};  // of B, T0, T1, T2
    for (core = 0; core < 4; ++core)
        for (const bool keeps : {false, true}) {
            if (GetParam() == Arch::blackhole) write(disable_reset, keeps ? 1u << keep_bits[core] : ~(1u << keep_bits[core]));
            release_all();
            for (const unsigned index : {argument, data, modes, first_address, first_address + 7}) put(index, 0x1234);
            write(soft_reset, all_in_reset);
            const bool kept = keeps && GetParam() == Arch::blackhole;
            for (const unsigned index : {argument, data, modes, first_address, first_address + 7})
                EXPECT_EQ(get(index), kept ? 0x1234u : 0u) << core << ", DR(" << index << ')';
            put(argument, 0x5678);
            EXPECT_EQ(get(argument), kept ? 0x5678u : 0u) << core;
        }
}

// The same if the reset lets a tile go on that a fault of the coprocessor has stopped.
TEST_P(CoreDebuggerTest, ItsRegistersOutliveAFaultOfTheCoprocessor) {
    constexpr std::uint32_t disable_reset = 0xFFB1'2224, keeps_of_t0 = 1 << 1;
    if (GetParam() == Arch::blackhole) write(disable_reset, keeps_of_t0);
    auto code = words();
    code.poke(0xFFE4'0000, 0xFF00'0000);  // no instruction of thread 0
    start(code);
    for (const unsigned index : {argument, first_address}) put(index, 0x1234);
    chip->clock(3000);
    ASSERT_EQ(chip->take_reports().size(), 1u);
    write(soft_reset, all_in_reset);
    EXPECT_EQ(read(0xFFB1'2084), 0x1234u);
    for (const unsigned index : {argument, first_address})
        EXPECT_EQ(get(index), GetParam() == Arch::blackhole ? 0x1234u : 0u);
}

// RISC_DBG_STATUS_0: the command as it was given, and for a read that the answer is there.
TEST_P(CoreDebuggerTest, TheStatusRepeatsTheCommand) {
    release_all();
    for (core = 0; core < 4; ++core) {
        put(argument, 3);
        EXPECT_EQ(read(0xFFB1'2088), 0x8000'0000 | 1u << (13 + core) | argument);
        EXPECT_EQ(read(0xFFB1'2080), 0x8001'0000 | core << 17 | argument);
        EXPECT_EQ(read(0xFFB1'2084), 3u);
        EXPECT_EQ(get(argument), 3u);
        EXPECT_EQ(read(0xFFB1'2088), 0xC000'0000 | argument);
    }
}

// The coprocessor takes nothing more: what such a core stores waits, and a pause need not.
TEST_P(CoreDebuggerTest, ACoreThatWaitsForRoomPausesAtOnce) {
    auto code = words();
    code.put(rv::a6, 0xFFE4'0000);
    code.put(rv::a5, word("SEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1", GetParam()));
    for (unsigned i = 0; i < 60; ++i) code.code.push_back(rv::store(rv::Op::sw, rv::a5, 0, rv::a6));
    code.poke(answer, 6);
    start(std::move(code));
    chip->clock(2000);
    tell(pause);
    EXPECT_EQ(get(status), is_paused);
    EXPECT_EQ(read(answer), 0u);
}

TEST_P(CoreDebuggerTest, WordsOfLocalMemoryEndWhereItEnds) {
    start_counting();
    tell(pause);
    const std::uint32_t size = GetParam() == Arch::blackhole ? 0x1000 : 0x800;
    store(local + size - 4, 31);
    EXPECT_EQ(load(local + size - 4), 31u);
    for (const std::uint32_t address : {local + size, local + 2, other + 1}) {
        put(argument, address);
        for (const std::uint32_t commands : {read_memory, write_memory}) {
            const std::uint32_t told = commands | slow, go = 0x8001'0000 | core << 17 | command;
            write(0xFFB1'2084, told);
            write(0xFFB1'2080, 0);
            EXPECT_FALSE(chip->write(place, 0xFFB1'2080, std::as_bytes(std::span(&go, 1)))) << address;
        }
    }
    EXPECT_EQ(load(other), 0u);
}

TEST_P(CoreDebuggerTest, TheLastWordOfL1IsReached) {
    start_counting();
    tell(pause);
    const std::uint32_t last = GetParam() == Arch::blackhole ? 0x17'FFFC : 0x16'DFFC;
    store(last, 0x8765'4321);
    EXPECT_EQ(read(last), 0x8765'4321u);
    EXPECT_EQ(load(last), 0x8765'4321u);
}

INSTANTIATE_TEST_SUITE_P(Chips, CoreDebuggerTest, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace

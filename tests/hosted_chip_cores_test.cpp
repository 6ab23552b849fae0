// SPDX-License-Identifier: Apache-2.0
// Cores of a chip that a host drives: their reset and start, their polls, and their faults.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/hosted_chip.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;

/// NCRISC has instruction memory of its own.
class HostedChipWithIramTest : public HostedChipTest {};

TEST_P(HostedChipTest, CoresAreInResetUntilTheHostReleasesThem) {
    EXPECT_EQ(read(first, soft_reset), all_in_reset);
    auto code = words();
    code.poke(answer, 7);
    place_code(first, code);
    chip->clock(1000);
    EXPECT_EQ(read(first, answer), 0u);
    write(first, soft_reset, b_runs);
    chip->clock(1000);
    EXPECT_EQ(read(first, answer), 7u);
    EXPECT_EQ(chip->cycle(), 2000u);
    EXPECT_TRUE(chip->take_reports().empty());
}

TEST_P(HostedChipTest, CoresThatStartLatePushInstructions) {
    constexpr std::uint32_t t0_begins = 0x6000, t0_runs = all_in_reset & ~0x1000u, instruction_buffer = 0xFFE4'0000, nop = 0x0200'0000;
    auto code = words();
    code.poke(instruction_buffer, nop);
    code.peek(rv::a4, 0xFFE8'0004);  // TTSync: all instructions of T0 are executed
    code.poke(data, 7);
    place_code(first, code, t0_begins);
    for (unsigned start = 0; start < 3; ++start) {
        write(first, soft_reset, all_in_reset);
        write(first, data, 0);
        chip->clock(1000);
        write(first, soft_reset, t0_runs);
        chip->clock(1000);
        EXPECT_EQ(read(first, data), 7u) << start;
    }
}

TEST_P(HostedChipTest, ACoreThatResetsItselfGoesNoFurther) {
    auto code = words();
    code.poke(answer, 7);
    code.poke(soft_reset, all_in_reset);
    for (unsigned i = 0; i < 32; ++i) code.poke(answer, 8);
    start(first, code);
    chip->clock(1000);
    EXPECT_EQ(read(first, soft_reset), all_in_reset);
    EXPECT_EQ(read(first, answer), 7u);
    // Released again, it begins at its first instruction.
    write(first, answer, 0);
    write(first, soft_reset, b_runs);
    chip->clock(1000);
    EXPECT_EQ(read(first, answer), 7u);
}

TEST_P(HostedChipTest, ACoreThatPollsSeesWhatTheHostWrites) {
    start(first, echo(3));
    for (unsigned i = 1; i <= 3; ++i) {
        chip->clock(100'000);
        EXPECT_EQ(read(first, answer), i - 1);
        write(first, flag, i);
        unsigned waited = 0;
        while (read(first, answer) != i && ++waited < 200) chip->clock(1);
        EXPECT_GT(waited, 1u);
        EXPECT_LT(waited, 200u);
    }
}

TEST_P(HostedChipTest, BReleasesTheOtherCores) {
    auto t0 = words();
    t0.poke(answer, 9);
    constexpr std::uint32_t t0_begins = 0x6000;
    auto code = words();
    code.poke(soft_reset, b_runs & ~(1u << 12));
    place_code(first, t0, t0_begins);
    constexpr std::uint32_t behind = 0x6010;
    static_assert(behind == answer);  // the word lies in T0's code, which has been executed by then
    start(first, code);
    chip->clock(5000);
    EXPECT_EQ(read(first, answer), 9u);
}

TEST_P(HostedChipTest, NewCodeAfterAResetIsExecuted) {
    auto code = words();
    code.poke(answer, 1);
    start(first, code);
    chip->clock(1000);
    EXPECT_EQ(read(first, answer), 1u);
    expect_restart();
}

// As firmware copies NCRISC's code: TDMA-RISC, StatusBits().
TEST_P(HostedChipTest, ACoreWaitsForTheMoverByItsStatus) {
    constexpr std::uint32_t tdma = 0xFFB1'1000, units = 64, l1_to_l1 = 3, move = 0x40, busy_at_first = answer + 4, copy = 0x9000;
    for (std::uint32_t i = 0; i < units * 16; i += 4) write(first, data + i, ~i);
    auto code = words();
    code.poke(tdma + 0x00, data / 16);
    code.poke(tdma + 0x04, copy / 16);
    code.poke(tdma + 0x08, units);
    code.poke(tdma + 0x0C, l1_to_l1);
    code.poke(tdma + 0x10, move);
    code.peek(rv::a4, tdma + 0x14);
    code.keep(rv::a4, busy_at_first);
    code.wait_for(tdma + 0x14, 0x428);  // nothing is left: queues are empty, with room for four commands
    code.peek(rv::a4, copy + units * 16 - 4);
    code.keep(rv::a4, answer);
    start(first, code);
    chip->clock(5000);
    EXPECT_EQ(read(first, busy_at_first), 0x429u);
    EXPECT_EQ(read(first, answer), ~(units * 16 - 4));
}

// The mover's command belongs to no thread: T0 has nothing to wait for after it.
TEST_P(HostedChipWithIramTest, AnotherCoresMoverCommandIsNoInstructionOfT0) {
    constexpr std::uint32_t tdma = 0xFFB1'1000, l1_to_l0 = 1, move = 0x40, t0_begins = 0x6000, done = 0x8000, ncrisc_iram = 0x4000;
    auto t0 = words();
    t0.peek(rv::a4, 0xFFE8'0004);  // TTSync: all instructions of T0 are executed
    t0.poke(done, 9);
    place_code(first, t0, t0_begins);
    auto code = words();
    code.poke(tdma + 0x00, data / 16);
    code.poke(tdma + 0x04, ncrisc_iram);
    code.poke(tdma + 0x08, 0x3B);
    code.poke(tdma + 0x0C, l1_to_l0);
    code.poke(tdma + 0x10, move);
    code.spend(500);
    code.poke(soft_reset, b_runs & ~(1u << 12));
    start(first, code);
    chip->clock(5000);
    EXPECT_EQ(read(first, done), 9u);
}

TEST_P(HostedChipTest, AFaultStopsItsCoreAlone) {
    auto code = words();
    code.peek(rv::a4, 0x8000'0000);  // nothing is there
    code.poke(answer, 1);
    start(first, code);
    start(second, echo(1));
    chip->clock(2000);
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_TRUE(reports[0].is_fault);
    EXPECT_EQ(reports[0].place, first);
    EXPECT_EQ(reports[0].what().code, "tile.unmapped");
    EXPECT_TRUE(chip->take_reports().empty());
    EXPECT_EQ(read(first, answer), 0u);
    write(second, flag, 1);
    chip->clock(1000);
    EXPECT_EQ(read(second, answer), 1u);

    expect_restart();
}

TEST_P(HostedChipTest, AnIllegalInstructionStopsItsCoreAlone) {
    auto code = words();
    code.code.push_back(0xFFFF'FFFF);
    start(first, code);
    chip->clock(2000);
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_TRUE(reports[0].is_fault);
    EXPECT_LT(reports[0].what().where.cycle, 2000u);
}

TEST_P(HostedChipTest, AFaultOfTheNextProgramIsToldAtTheSamePlaceToo) {
    auto code = words();
    code.code.push_back(0xFFFF'FFFF);
    for (unsigned program = 0; program < 3; ++program) {
        start(first, code);
        chip->clock(2000);
        const auto reports = chip->take_reports();
        ASSERT_EQ(reports.size(), 1u) << program;
        EXPECT_EQ(reports[0].what().code, "riscv.illegal");
        EXPECT_EQ(reports[0].finding->count, 1u);
        write(first, soft_reset, all_in_reset);
    }
}

TEST_P(HostedChipTest, AFaultOfTheCoprocessorStopsItsTileUntilItIsReset) {
    auto code = words();
    code.poke(0xFFE4'0000, 0xFF00'0000);  // no instruction of thread 0
    code.spend(300);
    code.poke(answer, 1);
    start(first, code);
    chip->clock(3000);
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_TRUE(reports[0].is_fault);
    EXPECT_TRUE(reports[0].fault);
    EXPECT_EQ(read(first, answer), 0u);
    expect_restart();
}

TEST_P(HostedChipTest, ATileWhoseOptionsThrowBeginsAnewWithTheNextReset) {
    HostedChipOptions options;
    bool throws = false;
    options.for_tile = [&](unsigned, unsigned, RunOptions&) {
        if (std::exchange(throws, false)) throw std::runtime_error("of the user");
    };
    power_on(options);
    auto code = words();
    code.poke(0xFFE4'0000, 0xFF00'0000);  // no instruction of thread 0
    start(first, code);
    chip->clock(3000);
    throws = true;
    EXPECT_THROW(write(first, soft_reset, all_in_reset), std::runtime_error);
    expect_restart();
}

TEST_P(HostedChipTest, AFaultOfTheCoprocessorIsToldOnceWithWhatCameBeforeIt) {
    auto code = words();
    code.poke(soft_reset, b_runs + 1);  // a bit without a meaning
    code.spend(300);
    code.poke(0xFFE4'0000, 0xFF00'0000);  // no instruction of thread 0
    start(first, code);
    chip->clock(3000);
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 2u);
    EXPECT_EQ(reports[0].what().code, "tile.reset-bits");
    EXPECT_EQ(reports[1].what().code, "unknown-opcode");
    // Another tile's packets reach it.
    auto sends = words();
    for (unsigned i = 0; i < 3; ++i) sends.write(0, second, data, first, data, 4);
    start(second, sends);
    chip->clock(3000);
    EXPECT_TRUE(chip->take_reports().empty());
    const ChipRun run = chip->so_far();
    const auto stopped = std::find_if(run.tiles.begin(), run.tiles.end(), [](const TileRun& tile) { return tile.run.fault.has_value(); });
    ASSERT_NE(stopped, run.tiles.end());
    EXPECT_EQ(stopped->run.fault->code, "unknown-opcode");
}

INSTANTIATE_TEST_SUITE_P(Chips, HostedChipWithIramTest, testing::Values(Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace

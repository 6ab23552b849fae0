// SPDX-License-Identifier: Apache-2.0
// What a deadlock says of tiles that wait for each other.
#include <gmock/gmock.h>

#include "support/chip_kernels.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint32_t flag = 0x600;

class ChipDeadlock : public ChipKernels {
protected:
    /// A ring in which each tile increments the next one's flag and then waits for two increments of its own.
    ChipRun ring(unsigned columns) {
        make(columns, 1);
        for (unsigned i = 0; i < columns; ++i) {
            auto code = words();
            code.increment(0, place(i, 0), place((i + 1) % columns, 0), flag, 1);
            code.wait_for(flag, 2);
            kernel(i, 0, code);
        }
        return run();
    }
    /// Its core ends, and the word that says so has not the value that the run waits for.
    void ends_with_another_value(unsigned column) {
        auto code = words();
        code.poke(done, 1);
        code.code.push_back(rv::halt);
        Kernels kernels;
        kernels.arch = GetParam();
        kernels.images[0] = image_of(RiscvCore::b, code.code, entry);
        kernels.done = {{done, 2}};
        const auto loaded = chip->load(column, 0, kernels);
        ASSERT_TRUE(loaded) << loaded.error().describe();
    }
};

TEST_P(ChipDeadlock, ACircleOfTilesIsNamedWithTheirLastWrites) {
    const ChipRun ran = ring(3);
    ASSERT_TRUE(ran.fault);
    EXPECT_EQ(ran.fault->code, "deadlock");
    EXPECT_THAT(ran.fault->message,
                HasSubstr("tile (0, 0) waits for tile (2, 0), which waits for tile (1, 0), which waits for tile (0, 0)"));
    ASSERT_EQ(ran.waits.size(), 3u);
    for (unsigned i = 0; i < 3; ++i) {
        const TileWait& wait = ran.waits[i];
        EXPECT_EQ(wait.column, i);
        EXPECT_EQ(wait.core, RiscvCore::b);
        EXPECT_THAT(wait.polls, HasSubstr("0x600"));
        EXPECT_EQ(wait.value, 1u);
        ASSERT_TRUE(wait.writer);
        EXPECT_EQ(wait.writer->column, (i + 2) % 3);
        EXPECT_EQ(wait.writer->core, RiscvCore::b);
        EXPECT_THAT(wait.writer->place, HasSubstr("kernel.cpp"));
        EXPECT_EQ(wait.writer->times, 1u);
        EXPECT_GT(wait.writer->cycle, 0u);
    }
    EXPECT_THAT(ran.describe_waits(), HasSubstr("tile (1, 0) waits for tile (0, 0): brisc polls L1 0x600, which stays 0x1; written once by brisc there"));
    EXPECT_THAT(ran.describe_blocked(), testing::StartsWith("tiles (0, 0), (1, 0), (2, 0)\n"));
    EXPECT_THAT(ran.describe_blocked(), testing::EndsWith(ran.tiles[0].run.describe_blocked()));
    EXPECT_FALSE(ran.cut_short());
}

TEST_P(ChipDeadlock, AChainEndsAtWhatNobodyHasWritten) {
    make(3, 1);
    auto first = words();
    first.wait_for(flag, 2);
    kernel(0, 0, first);
    auto second = words();
    second.increment(0, place(1, 0), place(0, 0), flag, 1);
    second.wait_for(0x610, 1);
    kernel(1, 0, second);
    auto third = words();
    third.spend(10);
    kernel(2, 0, third);
    const ChipRun ran = run();
    ASSERT_TRUE(ran.fault);
    EXPECT_THAT(ran.fault->message, HasSubstr("tile (0, 0) waits for tile (1, 0), which waits for L1 0x610, which no other tile has written"));
    ASSERT_EQ(ran.waits.size(), 2u);
    EXPECT_FALSE(ran.waits[1].writer);
    EXPECT_THAT(ran.describe_waits(), Not(HasSubstr("(2, 0)")));
}

// A barrier that counts more answers than come: a multicast of which too many destinations were counted, say.
TEST_P(ChipDeadlock, ACounterOfPacketsIsNamed) {
    make(2, 1);
    auto writes = words();
    writes.write(1, place(0, 0), 0x2000, place(1, 0), 0x3000, 256);
    writes.wait_counter(1, noc::Counter::mst_wr_ack_received, 2);
    kernel(0, 0, writes);
    const ChipRun ran = run();
    ASSERT_TRUE(ran.fault);
    EXPECT_THAT(
        ran.fault->message,
        HasSubstr(
            "tile (0, 0) waits for NIU_MST_WR_ACK_RECEIVED of NIU 1, which counts packets, and none is on its way"));
    ASSERT_EQ(ran.waits.size(), 1u);
    EXPECT_TRUE(ran.waits[0].counts_packets);
    EXPECT_THAT(
        ran.describe_waits(),
        HasSubstr("brisc polls NIU_MST_WR_ACK_RECEIVED of NIU 1, which stays 0x1; it counts packets, and none"));
}

// A write of data is no sign, nor is a write by the tile itself.
TEST_P(ChipDeadlock, OnlyShortWritesOfOtherTilesNameTheirSender) {
    make(2, 1);
    auto waits = words();
    waits.increment(0, place(0, 0), place(0, 0), flag, 1);
    waits.wait_for(flag, 2);
    kernel(0, 0, waits);
    auto sends = words();
    sends.write(0, place(1, 0), 0x2000, place(0, 0), flag, 256);
    kernel(1, 0, sends);
    const ChipRun ran = run();
    ASSERT_TRUE(ran.fault);
    ASSERT_EQ(ran.waits.size(), 1u);
    EXPECT_FALSE(ran.waits[0].writer);
}

// As Core::run() has it.
TEST_P(ChipDeadlock, CoresThatHaveEndedPollNothing) {
    for (const unsigned columns : {1u, 2u}) {
        make(columns, 1);
        ends_with_another_value(0);
        const ChipRun ran = run();
        ASSERT_TRUE(ran.fault);
        EXPECT_EQ(ran.fault->code, "kernel.not-done");
        EXPECT_THAT(ran.fault->message, HasSubstr("tile (0, 0)"));
        EXPECT_THAT(ran.fault->message, HasSubstr("the word at 0x700 is 0x1; the run ends when it is 0x2"));
        EXPECT_TRUE(ran.waits.empty());
        ASSERT_EQ(ran.tiles.size(), 1u);
        EXPECT_FALSE(ran.tiles[0].run.blocked.empty());
    }
}

TEST_P(ChipDeadlock, ATileThatHasEndedIsToldBesideOneThatWaits) {
    make(2, 1);
    ends_with_another_value(0);
    auto waits = words();
    waits.wait_for(flag, 1);
    kernel(1, 0, waits);
    const ChipRun ran = run();
    ASSERT_TRUE(ran.fault);
    EXPECT_EQ(ran.fault->code, "deadlock");
    EXPECT_THAT(ran.fault->message, HasSubstr("not done: (0, 0), (1, 0); tile (1, 0) waits for L1 0x600"));
    EXPECT_THAT(ran.fault->message, HasSubstr("; tile (0, 0): every core has stopped, but the word at 0x700 is 0x1"));
    ASSERT_EQ(ran.waits.size(), 1u);
    EXPECT_EQ(ran.waits[0].column, 1u);
}

// Tile 0 sleeps in its poll when tile 1 reaches the limit.
TEST_P(ChipDeadlock, ATileThatSleepsReachesTheLimitWithTheOthers) {
    constexpr std::uint64_t most = 20'000;
    for (const unsigned threads : {1u, 2u}) {
        make(2, 1);
        auto waits = words();
        waits.wait_for(flag, 5);
        kernel(0, 0, waits);
        auto works = words();
        works.spend(1'000'000);
        kernel(1, 0, works);
        ChipRunOptions options;
        options.threads = threads;
        options.tile.max_cycles = most;
        const auto ran = chip->run(options);
        ASSERT_TRUE(ran && ran->fault);
        EXPECT_EQ(ran->fault->code, "no-progress");
        EXPECT_THAT(ran->fault->message, HasSubstr("tile (1, 0)"));
        EXPECT_EQ(ran->cycles, most);
        ASSERT_EQ(ran->tiles.size(), 2u);
        for (const TileRun& tile : ran->tiles) {
            ASSERT_TRUE(tile.run.fault) << tile.column;
            EXPECT_EQ(tile.run.fault->code, "no-progress");
            EXPECT_EQ(tile.run.cycles, most);
            EXPECT_FALSE(tile.run.blocked.empty());
        }
        EXPECT_THAT(ran->tiles[0].run.describe_blocked(), HasSubstr("0x600"));
        ASSERT_EQ(ran->waits.size(), 1u);
        EXPECT_EQ(ran->waits[0].column, 0u);
    }
}

// NC keeps its tile awake beside B, which polls, and says nothing of NC itself, which computes.
TEST_P(ChipDeadlock, AtTheLimitATileThatIsAwakeTellsWhatItsCoresPoll) {
    make(2, 1);
    auto waits = words();
    waits.wait_for(flag, 5);
    auto works = words();
    works.spend(1'000'000);
    kernels(0, 0, {{RiscvCore::b, waits}, {RiscvCore::nc, works}});
    kernel(1, 0, works);
    ChipRunOptions options;
    options.tile.max_cycles = 20'000;
    const auto ran = chip->run(options);
    ASSERT_TRUE(ran && ran->fault);
    EXPECT_EQ(ran->fault->code, "no-progress");
    ASSERT_EQ(ran->waits.size(), 1u);
    EXPECT_EQ(ran->waits[0].column, 0u);
    EXPECT_EQ(ran->waits[0].core, RiscvCore::b);
    EXPECT_THAT(
        ran->describe_waits(),
        HasSubstr("tile (0, 0) waits: brisc polls L1 0x600, which is still 0x0; no other tile has written it yet\n"));
}

// Nor does a tile that is done before the limit have its fault.
TEST_P(ChipDeadlock, ATileThatIsDoneHasNotReachedTheLimit) {
    make(2, 1);
    kernel(0, 0, words());
    auto works = words();
    works.spend(1'000'000);
    kernel(1, 0, works);
    ChipRunOptions options;
    options.tile.max_cycles = 20'000;
    const auto ran = chip->run(options);
    ASSERT_TRUE(ran && ran->fault);
    ASSERT_EQ(ran->tiles.size(), 2u);
    EXPECT_FALSE(ran->tiles[0].run.fault);
    EXPECT_TRUE(ran->tiles[0].run.blocked.empty());
}

TEST_P(ChipDeadlock, AGoodRunHasNone) {
    make(1, 1);
    auto code = words();
    code.spend(10);
    kernel(0, 0, code);
    const ChipRun ran = run();
    EXPECT_TRUE(ran.waits.empty());
    EXPECT_EQ(ran.describe_waits(), "");
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipDeadlock, testing::ValuesIn(all_archs), [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace

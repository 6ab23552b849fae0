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

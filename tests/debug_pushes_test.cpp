// SPDX-License-Identifier: Apache-2.0
// Pushes of instructions by INSTRN_BUF_CTRL0 and CTRL1, and INSTRN_BUF_STATUS (PushTensixInstruction, Debug registers).
#include <fmt/format.h>

#include "support/assembly.hpp"
#include "support/hosted_chip.hpp"
#include "support/tile_devices.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using tile::User;

constexpr std::uint32_t ctrl0 = devices::debug + 0xA0, ctrl1 = devices::debug + 0xA4, status = devices::debug + 0xA8;

class DebugPushes : public devices::TileDevicesTest {
protected:
    std::vector<RecordingPort::Asked> pushes() const {
        std::vector<RecordingPort::Asked> all;
        for (const auto& one : port.asked)
            if (one.what == "push by debug bus") all.push_back(one);
        return all;
    }
};

TEST_P(DebugPushes, AWordIsPushedWheneverABitRisesOfAThreadUnderControl) {
    done(User::b, ctrl1, 0x0200'0000);
    done(User::b, ctrl0, 1 << 1);
    EXPECT_TRUE(pushes().empty());
    done(User::b, ctrl0, 1 << 1 | 1 << 5 | 1 << 4);
    EXPECT_EQ(pushes(), (std::vector<RecordingPort::Asked>{{"push by debug bus", 0, 1, 0, 0x0200'0000}}));
    done(User::b, ctrl0, 1 << 1 | 1 << 5);
    EXPECT_EQ(pushes().size(), 1u) << "the bit was set before";
    done(User::b, ctrl0, 1 << 1);
    done(User::b, ctrl1, 0x0300'0000);
    done(User::t2, ctrl0, 1 << 1 | 1 << 2 | 1 << 5 | 1 << 6);
    EXPECT_EQ(pushes().size(), 3u);
    EXPECT_EQ(pushes()[1], (RecordingPort::Asked{"push by debug bus", 3, 1, 0, 0x0300'0000}));
    EXPECT_EQ(pushes()[2], (RecordingPort::Asked{"push by debug bus", 3, 2, 0, 0x0300'0000}));
    EXPECT_EQ(value(User::b, ctrl0), 0x66u);
    EXPECT_EQ(value(User::b, ctrl1), 0x0300'0000u);
    done(User::b, ctrl0, 0xFFFF'FF00);
    EXPECT_EQ(value(User::b, ctrl0), 0u) << "reserved bits are always zero";
}

TEST_P(DebugPushes, AFullFifoTakesNone) {
    port.room = false;
    done(User::b, ctrl0, 1);
    expect_fault(store(User::b, ctrl0, 1 | 1 << 4), "tile.not-modelled");
}

TEST_P(DebugPushes, CoresPushInVainMeanwhile) {
    done(User::b, ctrl0, 1 << 2);
    const auto asked = port.asked.size();
    done(User::b, 0xFFE6'0000, 0x0200'0000);
    done(User::t2, 0xFFE4'0000, 0x0200'0000);
    EXPECT_EQ(port.asked.size(), asked);
    ASSERT_EQ(port.notes.size(), 2u);
    for (const auto& note : port.notes) {
        EXPECT_EQ(findings::entry(note.id).code, "tile.push-discarded");
        EXPECT_EQ(note.values[0], 2u);
    }
    done(User::b, 0xFFE5'0000, 0x0200'0000);
    EXPECT_EQ(port.asked.size(), asked + 1) << "T1's FIFO is its cores'";
    done(User::b, ctrl0, 0);
    done(User::t2, 0xFFE4'0000, 0x0200'0000);
    EXPECT_EQ(port.asked.size(), asked + 2);
}

TEST_P(DebugPushes, StatusTellsWhetherFifosAreFullOrEmpty) {
    EXPECT_EQ(value(User::b, status), 0x77u);
    port.room = false;
    EXPECT_EQ(value(User::t1, status), 0x76u) << "T0's is full";
    port.idle_now = false;
    EXPECT_EQ(value(User::nc, status), 0x56u) << "T1's is not empty";
    done(User::b, status, 0);
    EXPECT_EQ(value(User::b, status), 0x56u);
}

INSTANTIATE_TEST_SUITE_P(Chips, DebugPushes, DebugPushes::all(), DebugPushes::text_of);

// All cores stay in reset. A host does it as a debugger does.
class HostPushes : public HostedChipTest {
protected:
    void push(unsigned thread, const std::string& instruction) {
        write(first, ctrl0, 1u << thread);
        write(first, ctrl1, test::word(instruction, GetParam()));
        write(first, ctrl0, 1u << thread | 16u << thread);
        for (unsigned looks = 0; !(read(first, status) >> (4 + thread) & 1); ++looks) {
            ASSERT_LT(looks, 1000u);
            chip->clock(10);
        }
        write(first, ctrl0, 0);
        chip->clock(100);
    }
    std::uint32_t config(unsigned word) {
        write(first, devices::debug + 0x58, word);
        return read(first, devices::debug + 0x78);
    }
};

TEST_P(HostPushes, SetConfigurationBeforeACoreRuns) {
    for (unsigned thread = 0; thread < 3; ++thread) {
        push(thread, fmt::format("RMWCIB0 CfgRegAddr=69 Data={} Mask=255", 0x51 + thread));
        EXPECT_EQ(config(69) & 0xFF, 0x51 + thread);
    }
    EXPECT_EQ(read(first, status), 0x77u);
}

// The first waits for ever at the gate; behind it is room for a few.
TEST_P(HostPushes, FillAFifoWhoseThreadWaits) {
    write(first, ctrl0, 1);
    write(first, ctrl1, test::word("SEMWAIT stall_res=0x1FF sem_sel=2 wait_sem_cond=1", GetParam()));
    unsigned pushed = 0;
    for (; read(first, status) & 1 && pushed < 1000; ++pushed) {
        write(first, ctrl0, 1);
        write(first, ctrl0, 1 | 16);
        write(first, ctrl1, test::word("NOP", GetParam()));
        chip->clock(100);
    }
    EXPECT_GT(pushed, 2u);
    EXPECT_LT(pushed, 1000u);
    EXPECT_EQ(read(first, status), 0x66u);
}

INSTANTIATE_TEST_SUITE_P(Chips, HostPushes, testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace

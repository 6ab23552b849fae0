// SPDX-License-Identifier: Apache-2.0
// Timing::instant: each instruction is complete when it issues, as in the vendor's simulator. A core has an op per cycle, and a thread issues an
// instruction per cycle.
#include <gtest/gtest.h>

#include <map>

#include "support/timeline.hpp"

namespace tessera {
namespace {

// 16 bytes of a compressed tile, to row 0 of SrcA.
constexpr std::string_view compressed_bytes = R"(
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Int8
.cfg THCON_SEC0_REG0_TileDescriptor_XDim = 16
.cfg THCON_SEC0_REG0_TileDescriptor_YDim = 1
.cfg THCON_SEC0_REG2_Out_data_format = Int8
.cfg THCON_SEC0_REG3_Base_address = 0xFFF
.cfg SRCA_SET_SetOvrdWithAddr = 1
.cfg UNP0_ADDR_BASE_REG_1_Base = 64
SETADCXX CntSetMask=1 x_start=0 x_end2=15
)";

class InstantTiming : public testing::TestWithParam<Arch> {
protected:
    test::Timeline run(const test::Texts& texts) const {
        auto timeline = test::run(GetParam(), texts, {.timing = Timing::instant});
        EXPECT_FALSE(timeline.run.fault) << timeline.run.fault->describe();
        return timeline;
    }
    /// From the given op on, the thread issues an instruction in each cycle, and each is complete at once.
    static void expect_one_per_cycle(const test::Timeline& timeline, int thread, std::int64_t from = 0) {
        const Event* before = nullptr;
        for (const Event& event : timeline.events) {
            if (event.thread != thread || event.index < from) continue;
            EXPECT_EQ(event.start, event.issue) << event.instruction;
            EXPECT_EQ(event.end, event.issue) << event.instruction;
            if (before) {
                EXPECT_EQ(event.issue, before->issue + 1) << event.instruction << " behind " << before->instruction;
            }
            before = &event;
        }
        EXPECT_TRUE(before);
    }
};

TEST_P(InstantTiming, AnInstructionIssuesInTheCycleOfItsPush) {
    const auto timeline = run({"", "SETRWC\nNOP\nNOP\nSETRWC\n", ""});
    for (const Event& event : timeline.events) {
        EXPECT_EQ(event.pushed, static_cast<std::uint64_t>(event.index));
        EXPECT_EQ(event.issue, event.pushed);
    }
}

TEST_P(InstantTiming, NothingWaitsForAnEarlierResult) {
    expect_one_per_cycle(run({"", "SETDVALID setvalid=3\nMVMUL\nMVMUL\nGAPOOL instr_mod19=1\nELWMUL\nMOVD2A\nMVMUL\n", ""}), 1);
    expect_one_per_cycle(run({"ADDDMAREG\nMULDMAREG\nRDCFG GprAddress=8\nWRCFG\nRDCFG GprAddress=9\nRMWCIB0\nXMOV\nXMOV\n", "", ""}), 0);
    expect_one_per_cycle(run({"", "", "PACR\nPACR\nPACR\n"}), 2);
}

// A compressed tile of two rows and more: the addresses of row starts take no cycles either.
TEST_P(InstantTiming, AnUnpackerFindsRowStartsAtOnce) {
    const auto timeline = run({std::string(compressed_bytes) + "UNPACR\nUNPACR\nNOP\n", "", ""});
    expect_one_per_cycle(timeline, 0, timeline.at(0, "setadcxx").index);
}

TEST_P(InstantTiming, ThreadsDoNotWaitForEachOthersInstructions) {
    const std::string text = "NOP\nRDCFG GprAddress=8\nRDCFG GprAddress=9\nADDDMAREG\nSFPMOV lreg_dest=1\n";
    const auto timeline = run({text, text, text});
    for (const int thread : {0, 1, 2}) {
        expect_one_per_cycle(timeline, thread);
        EXPECT_EQ(timeline.at(thread, "nop").issue, 0u);
    }
}

TEST_P(InstantTiming, ExpandersHaveAnInstructionInEachCycle) {
    const std::string registers =
        ".mop 0 = 2\n.mop 1 = 2\n.mop 2 = ttnop\n.mop 3 = ttnop\n.mop 4 = ttnop\n.mop 5 = 0x45000000\n.mop 6 = ttnop\n"
        ".mop 7 = 0x45000000\n.mop 8 = 0x45000000\n";
    const auto mops = run({"", registers + "MOP mop_type=1\nSETRWC\nMOP mop_type=1\nMOP mop_type=1\nNOP\n", ""});
    EXPECT_EQ(mops.events.size(), 3u * 4 + 2);
    expect_one_per_cycle(mops, 1);
    const std::string replay = "REPLAY start_idx=0 len=3\n";
    const auto replays = run({"", "", "REPLAY start_idx=0 len=3 load_mode=1\nSETRWC\nINCRWC\nNOP\n" + replay + "SETRWC\n" + replay});
    EXPECT_EQ(replays.events.size(), 2u * 3 + 1);
    expect_one_per_cycle(replays, 2);
}

// The store of one core and the wait of another: the latter's next op is in the cycle after the store.
TEST_P(InstantTiming, ASemaphoreOfACoreIsPostedAtOnce) {
    const std::string post = "SEMINIT sem_sel=sem1 max_value=3 init_value=0\n.repeat 9\nNOP\n.end\n.sem_post 1\n";
    const auto timeline = run({".sem_wait 1, nonzero\nSETRWC\n", post, ""});
    EXPECT_EQ(timeline.at(0, "setrwc").issue, 10u + 1);
}

TEST_P(InstantTiming, ConfigurationAndGprsOfACoreAreStoredAtOnce) {
    std::map<std::int64_t, std::uint64_t> written;
    RunOptions options{.timing = Timing::instant};
    options.on_write = [&](const Write& write) {
        if (write.by_core) written[write.index] = write.cycle;
    };
    test::run(GetParam(), {"NOP\n.gpr 5 = 7\nNOP\n.cfg ALU_FORMAT_SPEC_REG2_Dstacc = 5\n", "", ""}, options);
    EXPECT_EQ(written, (std::map<std::int64_t, std::uint64_t>{{1, 1}, {3, 3}}));
}

// An UNPACR that waits for its bank keeps its thread from going on.
TEST_P(InstantTiming, UnpackersHaveNoQueue) {
    const std::string unpacr = "SETDVALID setvalid=1\nSETDVALID setvalid=1\nUNPACR\nSETADCXY CntSetMask=1 BitMask=1\n";
    const auto timeline = run({".cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1\n" + std::string(compressed_bytes) + unpacr,
                               ".repeat 60\nNOP\n.end\nSETRWC clear_ab_vld=1\n", ""});
    EXPECT_GE(timeline.at(0, "unpacr").issue, timeline.at(1, "setrwc").issue);
    EXPECT_EQ(timeline.at(0, "setadcxy").issue, timeline.at(0, "unpacr").issue + 1);
}

INSTANTIATE_TEST_SUITE_P(Archs, InstantTiming, testing::ValuesIn(all_archs), [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// The wait gate under documented timing (STALLWAIT, Functional model and Block mask; SEMWAIT).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/timeline.hpp"

namespace tessera {
namespace {

using test::run;
using test::Timeline;

// Condition and block bits by name, since the architectures number the conditions differently.
std::string symbols(Arch arch) {
    const bool bh = arch == Arch::blackhole;
    return std::string(".equ UNPACK0, 1 << 1\n.equ B_MATH, 1 << 6\n.equ B_SYNC, 1 << 1\n") + ".equ MATH, 1 << " +
           (bh ? "4" : "7") + "\n";
}

class StallWait : public testing::TestWithParam<Arch> {
protected:
    // T0 unpacks a tile and then does what `text` says.
    Timeline after_unpack(const std::string& text) {
        Timeline t = run(GetParam(), {symbols(GetParam()) + test::unpack_bf16 + "UNPACR Last=1\n" + text, "", ""});
        EXPECT_FALSE(t.run.fault) << t.run.fault->describe();
        return t;
    }
};

TEST_P(StallWait, BlockMaskLetsOtherClassesPass) {
    const Timeline t = after_unpack(
        "STALLWAIT stall_res=B_MATH wait_res=UNPACK0\n"
        "SETADCXY CntSetMask=4 BitMask=1\n"     // miscellaneous unit: passes
        "SETC16 setc16_reg=1 setc16_value=8\n"  // configuration unit: passes
        "SETRWC BitMask=1\n"                    // matrix unit: blocked
        "SETADCZW CntSetMask=4 BitMask=1\n");   // behind a blocked instruction nothing passes
    const auto unpacked = t.at(0, "unpacr").end;
    EXPECT_LT(t.at(0, "setadcxy").issue, unpacked);
    EXPECT_LT(t.at(0, "setc16", 1).issue, unpacked);
    EXPECT_GT(t.at(0, "setrwc").issue, unpacked);
    EXPECT_GT(t.at(0, "setadczw").issue, t.at(0, "setrwc").issue);
}

TEST_P(StallWait, OneCycleOfLag) {
    // Conditions met at once: the instruction right behind is still held for one cycle.
    const Timeline idle = run(
        GetParam(), {"", symbols(GetParam()) + "STALLWAIT stall_res=B_MATH wait_res=UNPACK0\nSETRWC BitMask=1\n", ""});
    EXPECT_EQ(idle.at(1, "setrwc").issue, idle.at(1, "stallwait").issue + 2);
    // Conditions met later: the block is removed one cycle after the transfer has ended.
    const Timeline busy = after_unpack("STALLWAIT stall_res=B_MATH wait_res=UNPACK0\nSETRWC BitMask=1\n");
    EXPECT_EQ(busy.at(0, "setrwc").issue, busy.at(0, "unpacr").end + 1);
}

TEST_P(StallWait, ZeroMasksMeanTheDefaults) {
    // Block mask 0 is the matrix unit; condition mask 0 has the unpackers in it, but not the matrix unit.
    const Timeline t =
        after_unpack("STALLWAIT stall_res=0 wait_res=0\nSETADCXY CntSetMask=4 BitMask=1\nSETRWC BitMask=1\n");
    EXPECT_LT(t.at(0, "setadcxy").issue, t.at(0, "unpacr").end);
    EXPECT_EQ(t.at(0, "setrwc").issue, t.at(0, "unpacr").end + 1);

    const Timeline math = run(
        GetParam(),
        {"", symbols(GetParam()) + "ZEROACC clear_mode=3\nSTALLWAIT stall_res=0 wait_res=0\nSETRWC BitMask=1\n", ""});
    EXPECT_EQ(math.at(1, "setrwc").issue, math.at(1, "stallwait").issue + 2);
}

TEST_P(StallWait, NopIsBlockedOnlyByAllBits) {
    const Timeline all = after_unpack("STALLWAIT stall_res=0x1FF wait_res=UNPACK0\nNOP\n");
    EXPECT_EQ(all.at(0, "nop").issue, all.at(0, "unpacr").end + 1);
    const Timeline most = after_unpack("STALLWAIT stall_res=0x1FE wait_res=UNPACK0\nNOP\n");
    EXPECT_EQ(most.at(0, "nop").issue, most.at(0, "stallwait", 1).issue + 1);
}

TEST_P(StallWait, SecondWaitWhileOneIsLatched) {
    // A second STALLWAIT never replaces a latched one: it waits for it, for any block mask.
    const Timeline stall = after_unpack(
        "STALLWAIT stall_res=B_MATH wait_res=UNPACK0\n"
        "STALLWAIT stall_res=B_MATH wait_res=MATH\n"
        "SETRWC BitMask=1\n");
    EXPECT_GT(stall.at(0, "stallwait", 2).issue, stall.at(0, "unpacr").end);

    // SEMWAIT does the same on Blackhole. On Wormhole only B1 holds it back: without B1 it replaces the latched wait.
    const std::string post = "SEMINIT sem_sel=1 max_value=2 init_value=1\n";
    const Timeline sem = after_unpack(post +
                                      "STALLWAIT stall_res=B_MATH wait_res=UNPACK0\n"
                                      "SEMWAIT stall_res=B_MATH sem_sel=1 wait_sem_cond=1\n"
                                      "SETRWC BitMask=1\n");
    if (GetParam() == Arch::blackhole) {
        EXPECT_GT(sem.at(0, "setrwc").issue, sem.at(0, "unpacr").end);
        EXPECT_FALSE(sem.has_finding("sync.wait-replaced"));
    } else {
        EXPECT_LT(sem.at(0, "setrwc").issue, sem.at(0, "unpacr").end);
        EXPECT_TRUE(sem.has_finding("sync.wait-replaced"));
    }
    const Timeline with_b1 = after_unpack(post +
                                          "STALLWAIT stall_res=B_MATH|B_SYNC wait_res=UNPACK0\n"
                                          "SEMWAIT stall_res=B_MATH sem_sel=1 wait_sem_cond=1\n"
                                          "SETRWC BitMask=1\n");
    EXPECT_GT(with_b1.at(0, "setrwc").issue, with_b1.at(0, "unpacr").end);
}

// A SEMWAIT without B1 behind a latched wait on Wormhole. Whether something is forgotten that way depends on the earlier wait's
// condition: each of a semaphore's conditions at each value, one semaphore and two, and STALLWAIT's in an idle machine.
bool forgets(const std::string& before, const std::string& wait, Timing timing) {
    RunOptions options;
    options.timing = timing;
    const std::string text = symbols(Arch::wormhole) + before + "SEMINIT sem_sel=1<<7 max_value=2 init_value=1\nNOP\n" +
                             wait + "SEMWAIT stall_res=B_MATH sem_sel=1<<7 wait_sem_cond=1\nSETRWC BitMask=1\n";
    const Timeline t = run(Arch::wormhole, {"", text, ""}, options);
    EXPECT_FALSE(t.run.fault) << text;
    return t.has_finding("sync.wait-replaced");
}

TEST(WaitReplaced, OnlyAWaitThatStillWaitsIsForgotten) {
    for (const Timing timing : {Timing::documented, Timing::instant}) {
        for (int condition = 1; condition < 4; ++condition)
            for (int value = 0; value < 4; ++value)
                for (int max = 0; max < 4; ++max)
                    for (const bool two : {false, true}) {
                        const bool waits = ((condition & 1) && value == 0) || ((condition & 2) && value >= max);
                        // Of two, the other's condition holds.
                        const std::string before =
                            fmt::format("SEMINIT sem_sel=1<<3 max_value={} init_value={}\n", max, value) +
                            "SEMINIT sem_sel=1<<4 max_value=2 init_value=1\n";
                        const std::string wait = fmt::format("SEMWAIT stall_res=B_MATH sem_sel={} wait_sem_cond={}\n",
                                                             two ? "1<<3|1<<4" : "1<<3", condition);
                        EXPECT_EQ(forgets(before, wait, timing), waits) << before << wait;
                    }
        constexpr int srca_vld = 10, srcb_vld = 11, conditions = 15;
        for (int bit = 0; bit < conditions; ++bit)
            EXPECT_EQ(forgets("", fmt::format("STALLWAIT stall_res=B_MATH wait_res=1<<{}\n", bit), timing),
                      bit == srca_vld || bit == srcb_vld)
                << bit;
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, StallWait, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera

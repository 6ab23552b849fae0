// SPDX-License-Identifier: Apache-2.0
// Words of configuration and GPRs that two instructions, or an instruction and a core's store, write in an order that nothing settles.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/timeline.hpp"

namespace tessera::test {
namespace {

using testing::HasSubstr;

constexpr const char* both_told = "hazard.config-write";

class WrittenByBoth : public testing::TestWithParam<Arch> {
protected:
    Arch arch = GetParam();
    bool blackhole() const { return arch == Arch::blackhole; }
    std::string stores_wait(unsigned block) const {
        return fmt::format("STALLWAIT stall_res={} wait_res=1<<{}\n", block, blackhole() ? 10 : 13);
    }
    std::string all_wait() const { return stores_wait(0x1FF); }
};

// T0 writes the word some time before T1 does, and neither waits for the other.
TEST_P(WrittenByBoth, TwoInstructionsThatDisagree) {
    const auto found = [&](unsigned first, unsigned second, bool ordered = false) {
        const std::string write = "WRCFG GprAddress=8 CfgReg=72\n";
        const std::string t0 = fmt::format(".cfg 72 = 5\n.gpr 8 = {}\n", first) + all_wait() +
                               "SEMPOST sem_sel=sem0\n" + "SEMWAIT block=thread sem_sel=sem1 wait=zero\n" + write +
                               (ordered ? "SEMPOST sem_sel=sem2\n" : "");
        const std::string t1 = fmt::format(".gpr 8 = {}\n", second) + all_wait() +
                               "SEMWAIT block=thread sem_sel=sem0 wait=zero\n" + "SEMPOST sem_sel=sem1\n" +
                               (ordered ? "SEMWAIT block=thread sem_sel=sem2 wait=zero\n" : "") +
                               ".repeat 3\nNOP\n.end\n" + write;
        return run(arch, {t0, t1, ""}).has_finding(both_told);
    };
    for (const unsigned first : {5u, 6u, 9u})
        for (const unsigned second : {5u, 6u, 9u, 10u}) {
            EXPECT_EQ(found(first, second), first != second) << first << " " << second;
            EXPECT_FALSE(found(first, second, true)) << first << " " << second;
        }
}

// A byte that RMWCIB leaves is not written by it.
TEST_P(WrittenByBoth, BytesThatOneOfThemLeavesAreOnlyTheOthers) {
    const auto found = [&](unsigned mask, unsigned data) {
        const std::string t0 =
            ".cfg 72 = 5\n.gpr 8 = 0x105\n" + all_wait() + "SEMPOST sem_sel=sem0\nWRCFG GprAddress=8 CfgReg=72\n";
        const std::string t1 = "SEMWAIT block=thread sem_sel=sem0 wait=zero\n.repeat 20\nNOP\n.end\n" +
                               fmt::format("RMWCIB0 Mask={} Data={} CfgRegAddr=72\n", mask, data);
        return run(arch, {t0, t1, ""}).has_finding(both_told);
    };
    EXPECT_FALSE(found(0xFF, 5));
    EXPECT_TRUE(found(0xFF, 7));
    EXPECT_TRUE(found(0x02, 7));
    EXPECT_FALSE(found(0x05, 7)) << "bit 1 stays";
}

// --- a core's store that the instruction overwrites, or is overwritten by

TEST_P(WrittenByBoth, AStoreInFrontOfTheInstruction) {
    const auto told = [&](const std::string& before, const std::string& after, const char* code,
                          const std::string& other = "") {
        const auto ended = run(arch, {".gpr 8 = 7\n" + all_wait() + before + after, "", other});
        std::string message;
        for (const Finding& one : ended.run.findings)
            if (one.code == code) message = one.message;
        return message;
    };
    const std::string write = "WRCFG GprAddress=8 CfgReg=72\n",
                      flop = "REG2FLOP.configuration-32 SizeSel=1 ThConCfgIndex=4 InputReg=8\n";
    const std::string nops = ".repeat 40\nNOP\n.end\n";
    const char* config = "hazard.config-store";
    EXPECT_THAT(told(".cfg 72 = 9\n", write, config), HasSubstr("writes configuration "));
    EXPECT_EQ(told(".cfg 72 = 9\n" + all_wait(), write, config), "");
    EXPECT_EQ(told(".cfg 72 = 7\n", write, config), "") << "both write the same";
    EXPECT_EQ(told(".cfg 72 = 9\n" + nops, write, config), "") << "long ago";
    EXPECT_EQ(told(".cfg 73 = 9\n", write, config), "") << "another word";
    EXPECT_THAT(told("", nops + write, config, ".cfg 72 = 9\n"), HasSubstr("which the core of T2 stored"))
        << "never long ago";
    const std::string add = "ADDDMAREG OpARegIndex=8 OpBRegIndex=8 ResultRegIndex=9\n";
    EXPECT_THAT(told(".gpr 9 = 5\n", add, "hazard.gpr-store"), HasSubstr("writes GPR 9, which its core stored"));
    EXPECT_EQ(told(".gpr 9 = 14\n", add, "hazard.gpr-store"), "") << "both write the same";
    EXPECT_EQ(told(".gpr 9 = 5\n" + nops, add, "hazard.gpr-store"), "");
    EXPECT_THAT(told(".gpr 9 = 5\n", "RDCFG GprAddress=9 CfgReg=72\n", "hazard.gpr-store"), HasSubstr("GPR 9"));
    EXPECT_FALSE(told(".gpr 9 = 5\n" + all_wait(), add, "hazard.gpr-store").size());
}

// A core's store behind a WRCFG that left the word as it was.
TEST_P(WrittenByBoth, AStoreBehindAWriteOfTheOldValue) {
    const auto found = [&](unsigned stored) {
        const std::string t0 =
            ".cfg 72 = 9\n.gpr 8 = 9\n" + all_wait() + "SEMPOST sem_sel=sem0\nWRCFG GprAddress=8 CfgReg=72\n";
        const std::string t2 = ".sem_wait 0, nonzero\n.repeat 20\nNOP\n.end\n" + fmt::format(".cfg 72 = {}\n", stored);
        return run(arch, {t0, "", t2}).has_finding(both_told);
    };
    EXPECT_TRUE(found(10));
    EXPECT_FALSE(found(9));
}

// --- what a wait for stores covers

TEST_P(WrittenByBoth, AWaitForStoresIsAboutThoseBeforeIt) {
    const auto found = [&](bool behind) {
        const std::string store = ".cfg 76 = 53565\n",
                          gives = ".cfg 77 = 3\n" + (behind ? "" : store) + all_wait() + "SEMPOST sem_sel=sem0\n";
        const std::string takes = "SEMWAIT block=thread sem_sel=sem0 wait=zero\nRDCFG GprAddress=10 CfgReg=76\n";
        return run(arch, {takes, "", gives + (behind ? store : "")}).has_finding("hazard.config-store");
    };
    EXPECT_TRUE(found(true));
    EXPECT_FALSE(found(false));
}

INSTANTIATE_TEST_SUITE_P(Archs, WrittenByBoth, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test

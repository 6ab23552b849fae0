// SPDX-License-Identifier: Apache-2.0
// What a debugger writes, and who sees it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/gdb_run.hpp"

namespace tessera::test {
namespace {

using namespace rv;

class GdbChanges : public GdbRun {
protected:
    void attach() {
        ASSERT_NO_FATAL_FAILURE(begin());
        client->ask("qSupported:multiprocess+;swbreak+;error-message+");
        client->ask("QStartNoAckMode");
    }
    /// The number of a register in the target's description.
    unsigned number_of(std::string_view register_name) {
        const auto& all = target->registers();
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const gdb::Register& one) { return one.name == register_name; });
        EXPECT_NE(found, all.end()) << register_name;
        return static_cast<unsigned>(found - all.begin());
    }
};

/// T1 waits for a semaphore that nobody posts; B lets time pass.
class GdbWaits : public GdbChanges {
protected:
    void SetUp() override {
        std::vector<std::uint32_t> code;
        for (const char* const text :
             {"SEMINIT max_value=15 init_value=0 sem_sel=sem1", "SEMWAIT block=math sem_sel=sem1 wait=zero", "SETRWC"})
            code.push_back(ttinsn(instruction(text)));
        code.push_back(halt);
        kernel(RiscvCore::t1, code, 0x8000);
        code.clear();
        spend(code, 50);
        code.push_back(halt);
        kernel(RiscvCore::b, code, 0x6000);
        attach();
    }
};

TEST_P(GdbWaits, ASemaphoreThatIsSetWakesWhoWaitsForIt) {
    for (int i = 0; i < 40; ++i) ask("vCont;s:p1.1");
    ask("Hgp3.1");
    EXPECT_EQ(ask(fmt::format("P{:x}=01000000", number_of("tt_semaphore_value_semaphore1"))), "OK");
    EXPECT_EQ(ask("vCont;c").substr(0, 17), "T05replaylog:end;");
    EXPECT_NE(client->console.find("ended well"), std::string::npos) << client->console;
}

TEST_P(GdbWaits, WhatIsOnlyShownCannotBeWritten) {
    ask("Hgp3.1");
    EXPECT_NE(ask(fmt::format("P{:x}=00000000", number_of("tt_fifo_count"))), "OK");
}

INSTANTIATE_TEST_SUITE_P(Archs, GdbWaits, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

/// Blackhole: cores have an L0 cache, and windows to the local data RAM of all cores.
class GdbMemory : public GdbChanges {};

TEST_P(GdbMemory, ACoreLoadsWhatIsWrittenAlsoOfALineThatItHas) {
    constexpr std::uint32_t word = result + 0x100;
    std::vector<std::uint32_t> code;
    put(code, s0, word);
    code.push_back(i(Op::lw, a0, s0, 0));
    code.push_back(i(Op::lw, a1, s0, 0));
    const auto second = 0x6000 + 4 * static_cast<std::uint32_t>(code.size()) - 4;
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x6000);
    attach();
    ask(fmt::format("Z0,{:x},4", second));
    ask("vCont;c");
    EXPECT_EQ(pc(), second);
    EXPECT_EQ(ask(fmt::format("M{:x},4:32000000", word)), "OK");
    ask(fmt::format("z0,{:x},4", second));
    ask("vCont;c");
    EXPECT_EQ(reg(a0), 0u);
    EXPECT_EQ(reg(a1), 50u);
    for (const Finding& finding : execution->run().findings) EXPECT_NE(finding.code, "riscv.stale-l0");
}

TEST_P(GdbMemory, AWatchpointMeetsStoresThroughWindows) {
    std::vector<std::uint32_t> code;
    poke(code, 0xFFB1'8010, 42);
    poke(code, 0xFFB1'4020, 43);
    const auto store_to_own = 0x6000 + 4 * static_cast<std::uint32_t>(code.size()) - 4;
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x6000);
    kernel(RiscvCore::t0, {halt}, 0x8000);
    attach();
    EXPECT_EQ(ask("Z2,ffb00020,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05watch:ffb00020;thread:p1.1;");
    EXPECT_EQ(pc(), store_to_own);
    ask("z2,ffb00020,4");
    ask("vCont;c");
    EXPECT_NE(client->monitor("wrote 0xFFB00020").find(fmt::format("main+{:#x}", store_to_own - 0x6000)),
              std::string::npos);
    ask("Hgp2.1");
    EXPECT_NE(client->monitor("wrote 0xFFB00010").find("written by brisc"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Blackhole, GdbMemory, testing::Values(Arch::blackhole));

/// B ends at once.
class GdbEnded : public GdbChanges {
protected:
    void SetUp() override {
        kernel(RiscvCore::b, {halt}, 0x6000);
        kernel(RiscvCore::t0, {halt}, 0x8000);
        attach();
    }
};

TEST_P(GdbEnded, RegistersOfDevicesAreShownAtTheEnd) {
    constexpr const char* soft_reset = "mffb121b0,4";
    const std::string before = ask(soft_reset);
    EXPECT_EQ(before.size(), 8u) << before;
    ask("vCont;c");
    ASSERT_TRUE(execution->ended());
    EXPECT_EQ(ask(soft_reset), before);
    EXPECT_TRUE(execution->ended());
    EXPECT_EQ(execution->run().findings.size(), 0u);
}

TEST_P(GdbEnded, TheCoreThatWasKilledBeginsAgain) {
    EXPECT_EQ(ask("!"), "OK");
    EXPECT_EQ(ask("D;1"), "OK");
    EXPECT_EQ(ask("vKill;2"), "OK");
    EXPECT_EQ(ask("vRun;"), "T05thread:p2.1;") << "and not core 1, which the client has let go";
}

TEST_P(GdbEnded, ACoreThatWasLetGoBeginsAgain) {
    EXPECT_EQ(ask("!"), "OK");
    EXPECT_EQ(ask("D;2"), "OK");
    EXPECT_EQ(ask("vRun;"), "T05thread:p2.1;");
    EXPECT_EQ(ask("vKill;2"), "OK");
    EXPECT_EQ(ask("vAttach;2").substr(0, 3), "T00");
    EXPECT_EQ(ask("D;3"), "OK");
    EXPECT_EQ(ask("vRun;"), "T05thread:p3.1;") << "core 2 has come back";
}

TEST_P(GdbEnded, AnExtendedClientStaysWhenAllAreKilled) {
    EXPECT_EQ(ask("!"), "OK");
    for (int process = 1; process <= 5; ++process) EXPECT_EQ(ask(fmt::format("vKill;{}", process)), "OK");
    EXPECT_FALSE(client->session.over());
    EXPECT_EQ(ask("vRun;"), "T05thread:p5.1;");
}

INSTANTIATE_TEST_SUITE_P(Archs, GdbEnded, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test

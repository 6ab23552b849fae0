// SPDX-License-Identifier: Apache-2.0
// Stops of a debugger that other kernels are for: a core that pauses, words pushed at once, findings.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/gdb_session.hpp"

namespace tessera::test {
namespace {

/// B pauses. T0 waits for a word, and then tells B's debug interface to let it go on (BabyRISCV/DebugInterface).
class GdbPaused : public GdbRun {
protected:
    static constexpr std::uint32_t add = 0x6004, pause = 0x6008, behind = 0x600C;
    void SetUp() override {
        constexpr std::uint32_t ecall = 0x73, control = 0xFFB1'2080, value = 0xFFB1'2084, resume = 4, write_command = 0x8001'0001;
        kernel(RiscvCore::b, {li(a0, 0), i(Op::addi, a0, a0, 1), ecall, halt}, b_entry);
        std::vector<std::uint32_t> code;
        await(code, mailbox);
        poke(code, value, resume);
        poke(code, control, 0);
        poke(code, control, write_command);
        code.push_back(halt);
        kernel(RiscvCore::t0, code, t0_entry);
        ASSERT_NO_FATAL_FAILURE(begin());
        client->ask("qSupported:multiprocess+;swbreak+");
        client->ask("QStartNoAckMode");
        EXPECT_EQ(client->ask(fmt::format("Z0,{:x},4", pause)), "OK");
        EXPECT_EQ(client->ask("vCont;c"), "T05swbreak:;thread:p1.1;");
        EXPECT_EQ(client->ask(fmt::format("z0,{:x},4", pause)), "OK");
        EXPECT_EQ(client->ask("vCont;s:p1.1"), "T05thread:p1.1;");
        EXPECT_EQ(pc(), pause);
    }
    void write_pc(const char* bytes) { EXPECT_EQ(client->ask(fmt::format("P20={}", bytes)), "OK"); }
};

TEST_P(GdbPaused, GoesOnAtThePcThatWasWritten) {
    write_pc("0c600000");
    EXPECT_EQ(pc(), behind);
    write_pc("04600000");
    EXPECT_EQ(pc(), add);
    EXPECT_EQ(client->ask(fmt::format("M{:x},4:01000000", mailbox)), "OK");
    EXPECT_EQ(client->ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
    EXPECT_EQ(reg(a0), 2u) << "it was added again";
    EXPECT_EQ(pc(), pause);
}

/// T1 pushes four words. Blackhole's core pushes them at once.
class GdbFused : public GdbRun {
protected:
    void SetUp() override {
        const std::uint32_t nop = ttinsn(instruction("NOP"));
        kernel(RiscvCore::t1, {nop, nop, nop, nop, halt}, 0x8000);
        ASSERT_NO_FATAL_FAILURE(begin());
        client->ask("qSupported:multiprocess+;swbreak+");
        client->ask("QStartNoAckMode");
        client->ask("Hgp3.1");
    }
};

// $pc == 0x8008: register 32, const32, equal.
TEST_P(GdbFused, AConditionSeesThePcOfItsBreakpoint) {
    EXPECT_EQ(client->ask("Z0,8008,4;Xa,26002024000080081327"), "OK");
    EXPECT_EQ(client->ask("vCont;c"), "T05swbreak:;thread:p3.1;");
    EXPECT_EQ(client->ask("p20"), "08800000");
}

TEST_P(GdbFused, HasTheInstructionsThatTheCoresThreadHasIssued) {
    const std::vector<gdb::Register>& registers = target->registers();
    const auto found = std::ranges::find(registers, "tt_issued", &gdb::Register::name);
    ASSERT_NE(found, registers.end());
    const auto issued = static_cast<unsigned>(found - registers.begin());
    EXPECT_EQ(reg(issued), 0u);
    client->ask("vCont;c");
    EXPECT_EQ(reg(issued), 4u);
    client->ask("Hgp2.1");
    EXPECT_EQ(reg(issued), 0u) << "T0 has none";
}

/// T1 plays what it has not recorded.
class GdbFindings : public GdbRun {
protected:
    void SetUp() override {
        kernel(RiscvCore::t1, {ttinsn(instruction("REPLAY start_idx=0 len=1")), halt}, 0x8000);
        constexpr std::size_t first_of_t1 = 32;
        core_.write(**core_.find_section("replay"), first_of_t1, instruction("NOP"));
        ASSERT_NO_FATAL_FAILURE(begin());
        client->ask("QStartNoAckMode");
        client->monitor("break finding frontend.replay-count");
    }
};

TEST_P(GdbFindings, StopsAtEachThatIsNamed) {
    client->monitor("break finding frontend.replay-unrecorded");
    client->ask("vCont;c");
    EXPECT_NE(client->console.find("frontend.replay-unrecorded"), std::string::npos) << client->console;
    EXPECT_FALSE(execution->ended());
}

TEST_P(GdbFindings, StopsAtNoOther) {
    client->monitor("break finding hazard.src");
    client->ask("vCont;c");
    EXPECT_TRUE(execution->ended()) << client->console;
    EXPECT_FALSE(execution->run().findings.empty());
}

INSTANTIATE_TEST_SUITE_P(Archs, GdbPaused, testing::ValuesIn(all_archs), [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, GdbFused, testing::ValuesIn(all_archs), [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, GdbFindings, testing::ValuesIn(all_archs), [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test

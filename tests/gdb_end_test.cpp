// SPDX-License-Identifier: Apache-2.0
// A debugger at the end of a run, long after its last instruction of a core.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

#include "support/gdb_run.hpp"

namespace tessera::test {
namespace {

using namespace rv;

/// T1 has its MOP expander repeat a NOP 127 x 127 times.
class GdbEnd : public GdbRun {
protected:
    void SetUp() override {
        constexpr std::uint32_t mop_registers = 0xFFB8'0000, times = 127;
        std::vector<std::uint32_t> code;
        put(code, t0, mop_registers);
        put(code, t1, times);
        for (const int item : {0, 1}) code.push_back(store(Op::sw, t1, 4 * item, t0));
        put(code, t1, instruction("NOP"));
        for (int item = 2; item < 9; ++item) code.push_back(store(Op::sw, t1, 4 * item, t0));
        code.push_back(ttinsn(instruction("MOP template1, 0, 0")));
        code.push_back(jal(zero, 0));
        kernel(RiscvCore::t1, code, 0x8000);
        ASSERT_NO_FATAL_FAILURE(begin());
        client->ask("QStartNoAckMode");
    }
};

TEST_P(GdbEnd, LookingBackLeavesTheRunThere) {
    client->ask("vCont;c");
    ASSERT_TRUE(execution->ended());
    const std::uint64_t end = execution->cycle();
    EXPECT_GT(end, 127u * 127u);
    const std::string last = client->monitor("last 3");
    EXPECT_NE(last.find(fmt::format("to {:>8}", end)), std::string::npos) << last;
    EXPECT_EQ(execution->cycle(), end);
    EXPECT_EQ(client->monitor("last 3"), last);
    EXPECT_TRUE(execution->ended());
}

/// B counts for ever, or polls a word that nobody writes.
class GdbEndless : public GdbRun {
protected:
    void count() { start({i(Op::addi, t0, t0, 1), jal(zero, -4)}); }
    void poll() {
        std::vector<std::uint32_t> code;
        await(code, result);
        start(code);
    }
    void start(std::vector<std::uint32_t> code) {
        code.push_back(halt);
        kernel(RiscvCore::b, code, 0x6000);
        ASSERT_NO_FATAL_FAILURE(begin());
        client->ask("QStartNoAckMode");
    }
    std::uint64_t executed() const { return target->tile(0).executed(0); }
    /// Looks back, and steps back once.
    void expect_no_move() {
        ASSERT_TRUE(execution->ended());
        const std::uint64_t at = executed(), cycle = target->cycle();
        const std::string registers = ask("g");
        EXPECT_NE(client->monitor("wrote 0x100").find("has not been written"), std::string::npos) << client->console;
        EXPECT_EQ(executed(), at);
        EXPECT_EQ(target->cycle(), cycle);
        EXPECT_EQ(ask("g"), registers);
        EXPECT_TRUE(execution->ended());
        ask("bs");
        EXPECT_EQ(executed(), at - 1);
        EXPECT_LE(target->cycle(), cycle);
        EXPECT_FALSE(execution->ended());
    }
};

TEST_P(GdbEndless, LookingBackFromPollsForEverLeavesTheRunThere) {
    for (const bool steps : {false, true}) {
        SCOPED_TRACE(steps);
        poll();
        if (steps) ask("Z0,100,4");
        ask("vCont;c");
        EXPECT_NE(client->console.find("no-progress.polling"), std::string::npos) << client->console;
        expect_no_move();
    }
}

TEST_P(GdbEndless, EachClientIsToldOfTheEndOnce) {
    poll();
    for (const bool is_first : {true, false}) {
        SCOPED_TRACE(is_first);
        EXPECT_EQ(ask("vCont;c"), "T06thread:1;");
        EXPECT_NE(client->console.find("no-progress.polling"), std::string::npos) << client->console;
        EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:1;");
        target->forget_client();
        client.emplace(*target);
        client->ask("QStartNoAckMode");
    }
}

/// B counts in L1 for ever, T1 pushes instructions, and an observer of the user's may throw.
class GdbThrowing : public GdbEndless {
protected:
    void SetUp() override {
        std::vector<std::uint32_t> code;
        put(code, t1, result);
        code.push_back(store(Op::sw, t0, 0, t1));  // 0x6008
        code.push_back(i(Op::addi, t0, t0, 1));
        code.push_back(jal(zero, -8));  // 0x6010
        kernel(RiscvCore::t1, {ttinsn(instruction("NOP")), jal(zero, -4)}, 0x8000);
        start(code);
        RunOptions options;
        options.on_write = [&](const Write&) {
            if (throws) throw std::runtime_error("mine");
        };
        begin(options);
        client->ask("QStartNoAckMode");
    }
    /// The exception ends the run, and the session with it. Another client comes.
    void throws_at(const std::string& packet) {
        throws = true;
        EXPECT_THROW(ask(packet), std::runtime_error);
        throws = false;
        client.emplace(*target);
        client->ask("QStartNoAckMode");
    }

    bool throws = false;
};

TEST_P(GdbThrowing, NobodyIsToldOfInstructionsAfterwards) {
    EXPECT_EQ(ask("Z0,6010,4"), "OK");
    for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(ask("vCont;c"), "T05thread:1;");
    throws_at("qRcmd," + util::to_hex("last 3"));
    ask("bs");
    for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(ask("vCont;c"), "T05thread:1;");
}

TEST_P(GdbThrowing, BreakpointsStayAsTheyWere) {
    EXPECT_EQ(ask("Z0,6010,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05thread:1;");
    throws_at("qRcmd," + util::to_hex("wrote 0x20000"));
    ask("bs");
    EXPECT_EQ(ask("vCont;c"), "T05thread:1;");
    EXPECT_EQ(pc(), 0x6010u);
}

TEST_P(GdbEndless, ALimitOfCyclesIsToldWithHeldCores) {
    count();
    RunOptions options;
    options.max_cycles = 50'000;
    begin(options);
    for (const char* const packet :
         {"qSupported:multiprocess+", "QStartNoAckMode", "Hgp1.1", "qXfer:features:read:target.xml:0,100"})
        ask(packet);
    ask("vCont;c:p1.1");
    EXPECT_NE(client->console.find("no-progress"), std::string::npos) << client->console;
    EXPECT_TRUE(execution->ended());
}

TEST_P(GdbEndless, LookingBackFromALimitLeavesTheRunThere) {
    for (const bool steps : {false, true}) {
        SCOPED_TRACE(steps);
        count();
        RunOptions options;
        options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
        begin(options);
        client->ask("QStartNoAckMode");
        if (steps) ask("Z0,100,4");
        ask("vCont;c");
        EXPECT_NE(client->console.find("limit.time"), std::string::npos) << client->console;
        expect_no_move();
        // The limit has ended the run once.
        const std::uint64_t at = executed();
        EXPECT_EQ(ask(steps ? "z0,100,4" : "?").empty(), false);
        ask("vCont;s:p1.1");
        ask("vCont;s:p1.1");
        EXPECT_EQ(executed(), at + 2);
        EXPECT_FALSE(execution->ended());
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, GdbThrowing, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, GdbEndless, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

INSTANTIATE_TEST_SUITE_P(Archs, GdbEnd, testing::ValuesIn(all_archs), [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test

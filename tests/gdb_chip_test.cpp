// SPDX-License-Identifier: Apache-2.0
// A debugger on the tiles of a chip that runs kernels.
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>
#include <chrono>

#include "gdb/chip_target.hpp"
#include "support/chip_kernels.hpp"
#include "support/gdb_client.hpp"
#include "support/hosted_chip.hpp"
#include "tessera/gdb_server.hpp"

namespace tessera::test {
namespace {

constexpr std::uint32_t mailbox = 0x20000;

/// Tile (0, 0) spends time and writes a word into tile (1, 0), which polls for it.
class GdbChip : public ChipKernels {
protected:
    void SetUp() override {
        make(2, 1);
        auto sends = words();
        sends.spend(300);
        sends.poke(0x3000, 77);
        sends_at = entry + 4 * static_cast<std::uint32_t>(sends.code.size());
        sends.write(0, place(0, 0), 0x3000, place(1, 0), mailbox, 4);
        sends.wait_counter(0, noc::Counter::mst_wr_ack_received, 1);
        kernel(0, 0, sends);
        auto polls = words();
        polls_at = entry + 16;
        polls.wait_for(mailbox, 77);
        got_at = entry + 4 * static_cast<std::uint32_t>(polls.code.size());
        polls.poke(mailbox + 4, 1);
        kernel(1, 0, polls);
    }
    void attach() {
        auto view = chip::DebugView::begin(*chip, {});
        ASSERT_TRUE(view) << view.error().describe();
        target.emplace(std::move(*view));
        client.emplace(*target);
        client->greet();
    }
    std::string ask(const std::string& packet) { return client->ask(packet); }

    std::uint32_t sends_at = 0, polls_at = 0, got_at = 0;
    std::optional<gdb::ChipTarget> target;
    std::optional<GdbClient> client;
};

TEST_P(GdbChip, EveryCoreOfEveryTileIsAProcessWithItsTilesName) {
    attach();
    EXPECT_EQ(ask("qfThreadInfo"), "mp1.1,p2.1,p3.1,p4.1,p5.1,p6.1,p7.1,p8.1,p9.1,pa.1");
    const std::string threads = ask("qXfer:threads:read::0,4000");
    EXPECT_NE(threads.find("<thread id=\"p1.1\" name=\"0,0 brisc\">runs</thread>"), std::string::npos) << threads;
    EXPECT_NE(threads.find("<thread id=\"p8.1\" name=\"1,0 trisc1\">in reset</thread>"), std::string::npos) << threads;
}

TEST_P(GdbChip, AllTilesStandStillAtTheSameCycle) {
    const Chip begun = *chip;
    const std::uint64_t plain = run().cycles;
    *chip = begun;
    attach();
    EXPECT_EQ(ask(fmt::format("Z0,{:x},4", sends_at)), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05swbreak:;thread:p1.1;");
    EXPECT_EQ(client->register_of(32), sends_at);
    const std::uint64_t stopped = target->cycle();
    // 300 rounds of two instructions.
    EXPECT_GT(stopped, 600u);
    for (unsigned tile = 0; tile < 2; ++tile) EXPECT_NEAR(static_cast<double>(target->tile(tile).cycle()), static_cast<double>(stopped), 20) << tile;
    EXPECT_EQ(ask("Hgp6.1"), "OK");
    EXPECT_EQ(client->word_at(mailbox), 0u);
    ask("Hgp1.1");
    EXPECT_EQ(ask(fmt::format("z0,{:x},4", sends_at)), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
    EXPECT_NE(client->console.find(fmt::format("ended well in cycle {}.", plain)), std::string::npos) << client->console << plain;
}

TEST_P(GdbChip, WithoutBreakpointsItEndsInTheSameCycle) {
    const Chip begun = *chip;
    const std::uint64_t plain = run().cycles;
    *chip = begun;
    attach();
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
    EXPECT_NE(client->console.find(fmt::format("ended well in cycle {}.", plain)), std::string::npos) << client->console;
}

/// Counts the tiles that begin, and what their cores ask.
class Counts final : public chip::DebugView::Watch {
public:
    unsigned begun = 0, asked = 0;

private:
    chip::DebugView::Answer before_instruction(unsigned, unsigned) override {
        ++asked;
        return chip::DebugView::Answer::executes;
    }
    void leaves(unsigned) override {}
    void begins(unsigned) override { ++begun; }
};

// Tile (0, 0) sends another one its code and starts its core.
TEST_P(GdbChip, ATileThatBeginsInAFastRunAsksNothing) {
    make(2, 1);
    auto starts = words();
    starts.poke(0x3000, rv::nop);
    starts.poke(0x3004, rv::halt);
    starts.write(0, place(0, 0), 0x3000, place(1, 0), 0, 8);
    starts.poke(0x3010, b_runs);
    starts.write(0, place(0, 0), 0x3010, place(1, 0), soft_reset, 4);
    starts.wait_counter(0, noc::Counter::mst_wr_ack_received, 2);
    starts.spend(50);
    kernel(0, 0, starts);
    auto view = chip::DebugView::begin(*chip, {});
    ASSERT_TRUE(view) << view.error().describe();
    Counts counts;
    (*view)->watch(&counts);
    (*view)->run_fast(noc::never, [] { return false; });
    EXPECT_TRUE((*view)->ended());
    EXPECT_EQ(counts.begun, 1u);
    EXPECT_EQ(counts.asked, 0u);
    EXPECT_GE((*view)->tile(1).executed(0), 1u);
}

// A tile that polls sleeps; who looks for its instructions sees all of them.
TEST_P(GdbChip, APollingCoreMeetsItsBreakpointInEachRound) {
    attach();
    ask("Hgp6.1");
    std::uint64_t before = 0;
    for (unsigned round = 0; round < 20; ++round) {
        EXPECT_EQ(ask(fmt::format("Z0,{:x},4", polls_at)), "OK");
        EXPECT_EQ(ask("vCont;c"), "T05swbreak:;thread:p6.1;");
        EXPECT_EQ(client->register_of(32), polls_at);
        EXPECT_GE(target->cycle(), before);
        before = target->cycle();
        ask(fmt::format("z0,{:x},4", polls_at));
        EXPECT_EQ(ask("vCont;s:p6.1"), "T05thread:p6.1;");
        EXPECT_NE(client->register_of(32), polls_at);
    }
    EXPECT_EQ(ask(fmt::format("Z0,{:x},4", got_at)), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05swbreak:;thread:p6.1;");
    EXPECT_EQ(client->word_at(mailbox), 77u);
}

TEST_P(GdbChip, AWatchpointNamesTheOtherTileThatWrote) {
    attach();
    ask("Hgp6.1");
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", mailbox)), "OK");
    EXPECT_EQ(ask("vCont;c"), fmt::format("T05watch:{:x};thread:p6.1;", mailbox));
    EXPECT_NE(client->console.find("by write of 0,0 brisc"), std::string::npos) << client->console;
    EXPECT_EQ(client->word_at(mailbox), 77u);
}

TEST_P(GdbChip, CoresCanBeHeld) {
    attach();
    ask("qXfer:features:read:target.xml:0,100");
    ask(fmt::format("Z0,{:x},4", sends_at));
    const std::uint64_t polled = target->tile(1).executed(0);
    // As gdb does with scheduler-locking.
    EXPECT_EQ(ask("vCont;c:p1.1"), "T05swbreak:;thread:p1.1;");
    EXPECT_EQ(target->tile(1).executed(0), polled);
    ask(fmt::format("z0,{:x},4", sends_at));
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
    EXPECT_NE(client->console.find("ended well"), std::string::npos) << client->console;
}

TEST_P(GdbChip, AChipThatWaitsForHeldCoresStopsAndGoesOnLater) {
    attach();
    ask("Hgp6.1");
    ask("qXfer:features:read:target.xml:0,100");
    // Tile (1, 0) polls for what the held core would send.
    const std::string stopped = ask("vCont;c:p6.1");
    EXPECT_EQ(stopped.substr(0, 3), "T02") << stopped;
    EXPECT_NE(client->console.find("cannot go on without"), std::string::npos) << client->console;
    EXPECT_EQ(ask("vCont;c").substr(0, 17), "T05replaylog:end;");
    EXPECT_NE(client->console.find("ended well"), std::string::npos) << client->console;
}

TEST_P(GdbChip, BesideAStepOthersStandAtTheirBreakpoints) {
    attach();
    ask(fmt::format("Z0,{:x},4", sends_at));
    EXPECT_EQ(ask("vCont;c"), "T05swbreak:;thread:p1.1;");
    for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(ask("vCont;s:p6.1"), "T05thread:p6.1;");
    ask("Hgp1.1");
    EXPECT_EQ(client->register_of(32), sends_at);
    EXPECT_EQ(ask("vCont;c"), "T05swbreak:;thread:p1.1;");
    // This core never starts, and the run needs the one that stands.
    EXPECT_EQ(ask("vCont;s:p7.1"), "T05thread:p7.1;");
    EXPECT_NE(client->console.find("ended well"), std::string::npos) << client->console;
}

TEST_P(GdbChip, MonitorTakesATile) {
    attach();
    EXPECT_NE(client->monitor("tiles").find("1,0"), std::string::npos);
    EXPECT_NE(client->monitor("cores").find("0,0 brisc"), std::string::npos);
    EXPECT_NE(client->monitor("tile 1,0 cores").find("1,0 brisc"), std::string::npos);
    EXPECT_NE(client->monitor("tile 7,0 cores").find("X,Y of this core is 0,0"), std::string::npos);
    EXPECT_EQ(client->monitor("tile 1,0 break semaphore 2"), "1: tile 1,0 semaphore 2\n");
    EXPECT_EQ(ask("Hgp6.1"), "OK");
    EXPECT_NE(client->monitor("cores").find("1,0 brisc"), std::string::npos);
}

TEST_P(GdbChip, GoingBackIsRefusedInWords) {
    attach();
    EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
    EXPECT_EQ(ask("bc"), "T05replaylog:begin;thread:p1.1;");
    EXPECT_NE(client->console.find("A chip does not go back"), std::string::npos);
    EXPECT_NE(client->monitor("wrote 0x20000").find("does not go back"), std::string::npos);
}

TEST_P(GdbChip, LastInstructionsAreKeptFromTheFirstQuestionOn) {
    attach();
    EXPECT_NE(client->monitor("last 3").find("from now on"), std::string::npos);
    EXPECT_EQ(client->monitor("last 3"), "no instruction has ended yet\n");
}

TEST_P(GdbChip, ADebuggersWriteWakesATileThatPolls) {
    attach();
    ask(fmt::format("Z0,{:x},4", sends_at));
    EXPECT_EQ(ask("vCont;c"), "T05swbreak:;thread:p1.1;");
    ask(fmt::format("z0,{:x},4", sends_at));
    ask("Hgp6.1");
    EXPECT_EQ(ask(fmt::format("M{:x},4:4d000000", mailbox)), "OK");
    EXPECT_EQ(ask(fmt::format("Z0,{:x},4", got_at)), "OK");
    const auto stopped = target->cycle();
    EXPECT_EQ(ask("vCont;c"), "T05swbreak:;thread:p6.1;");
    // The sender has not come to its request, which is more than fifty instructions away.
    EXPECT_LT(target->cycle(), stopped + 50);
}

TEST_P(GdbChip, ADeadlockIsToldAlsoWithBreakpoints) {
    auto polls = words();
    polls.wait_for(mailbox, 78);
    kernel(1, 0, polls);
    attach();
    ask("Hgp6.1");
    ask(fmt::format("Z0,{:x},4", entry + 0x100));
    EXPECT_EQ(ask("vCont;c").substr(0, 3), "T06");
    EXPECT_NE(client->console.find("no tile can go on"), std::string::npos) << client->console;
}

TEST_P(GdbChip, AServerWhoseSocketFailsSaysSo) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    const int next = dup(STDIN_FILENO);
    ASSERT_EQ(close(next), 0);
    auto server =
        GdbServer::listen(*chip, {}, {.port = 0, .stop = [&] { return std::chrono::steady_clock::now() > until; }});
    ASSERT_TRUE(server);
    ASSERT_EQ(shutdown(next, SHUT_RDWR), 0);
    const auto served = server->serve();
    ASSERT_FALSE(served);
    EXPECT_EQ(served.error().code, "gdb.listen");
}

INSTANTIATE_TEST_SUITE_P(Chips, GdbChip, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
}  // namespace tessera::test

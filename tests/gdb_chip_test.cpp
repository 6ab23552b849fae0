// SPDX-License-Identifier: Apache-2.0
// A debugger on the tiles of a chip: of a run of kernels, and of a chip that a host drives.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "gdb/chip_target.hpp"
#include "gdb/socket.hpp"
#include "support/chip_kernels.hpp"
#include "support/gdb_client.hpp"
#include "support/hosted_chip.hpp"
#include "tessera/gdb_server.hpp"
#include "util/hex.hpp"

namespace tessera::test {
namespace {

constexpr std::uint32_t mailbox = 0x20000;
constexpr const char* hello = "qSupported:multiprocess+;swbreak+;hwbreak+;error-message+";

std::uint32_t word_of(const std::string& hex) {
    const auto bytes = util::from_hex<std::uint8_t>(hex);
    std::uint32_t word = 0;
    for (std::size_t i = bytes ? bytes->size() : 0; i-- > 0;) word = word << 8 | (*bytes)[i];
    return word;
}

std::uint32_t register_of(GdbClient& client, unsigned number) { return word_of(client.ask(fmt::format("p{:x}", number))); }

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
        client->ask(hello);
        client->ask("QStartNoAckMode");
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
    EXPECT_EQ(register_of(*client, 32), sends_at);
    const std::uint64_t stopped = target->cycle();
    // 300 rounds of two instructions.
    EXPECT_GT(stopped, 600u);
    for (unsigned tile = 0; tile < 2; ++tile) EXPECT_NEAR(static_cast<double>(target->tile(tile).cycle()), static_cast<double>(stopped), 20) << tile;
    EXPECT_EQ(ask("Hgp6.1"), "OK");
    EXPECT_EQ(word_of(ask(fmt::format("m{:x},4", mailbox))), 0u);
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

// A tile that polls sleeps; who looks for its instructions sees all of them.
TEST_P(GdbChip, APollingCoreMeetsItsBreakpointInEachRound) {
    attach();
    ask("Hgp6.1");
    std::uint64_t before = 0;
    for (unsigned round = 0; round < 20; ++round) {
        EXPECT_EQ(ask(fmt::format("Z0,{:x},4", polls_at)), "OK");
        EXPECT_EQ(ask("vCont;c"), "T05swbreak:;thread:p6.1;");
        EXPECT_EQ(register_of(*client, 32), polls_at);
        EXPECT_GE(target->cycle(), before);
        before = target->cycle();
        ask(fmt::format("z0,{:x},4", polls_at));
        EXPECT_EQ(ask("vCont;s:p6.1"), "T05thread:p6.1;");
        EXPECT_NE(register_of(*client, 32), polls_at);
    }
    EXPECT_EQ(ask(fmt::format("Z0,{:x},4", got_at)), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05swbreak:;thread:p6.1;");
    EXPECT_EQ(word_of(ask(fmt::format("m{:x},4", mailbox))), 77u);
}

TEST_P(GdbChip, AWatchpointNamesTheOtherTileThatWrote) {
    attach();
    ask("Hgp6.1");
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", mailbox)), "OK");
    EXPECT_EQ(ask("vCont;c"), fmt::format("T05watch:{:x};thread:p6.1;", mailbox));
    EXPECT_NE(client->console.find("by write of 0,0 brisc"), std::string::npos) << client->console;
    EXPECT_EQ(word_of(ask(fmt::format("m{:x},4", mailbox))), 77u);
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
    EXPECT_EQ(register_of(*client, 32), sends_at);
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

INSTANTIATE_TEST_SUITE_P(Chips, GdbChip, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

/// A debugger of a chip whose host lets time pass: what it asks while the chip stands still is `stopped`.
class GdbHosted : public HostedChipTest {
protected:
    void SetUp() override {
        HostedChipOptions options;
        options.debugger = true;
        power_on(options);
        target.emplace(chip::DebugView::of(*chip, [this](std::uint64_t cycle) { pass_to(cycle); }));
    }
    /// As a server does when a client comes.
    void attach() {
        target->set_limit(chip->cycle());
        client.emplace(*target);
        client->ask(hello);
        client->ask("QStartNoAckMode");
    }
    void pass_to(std::uint64_t cycle) {
        target->set_limit(cycle);
        if (!client) return target->run_free([] { return false; });
        const std::string told = client->go_on();
        if (client->session.runs()) return;
        ++stops;
        ASSERT_TRUE(stopped);
        stopped(told);
    }
    /// The process of core B at a place.
    unsigned process(NocPlace place) {
        std::string list;
        for (bool more = true; more;) {
            const std::string piece = client->ask(fmt::format("qXfer:osdata:read:processes:{:x},1f000", list.size()));
            more = piece[0] == 'm';
            list += piece.substr(1);
        }
        const auto at = list.find(fmt::format("{},{} brisc", place.x, place.y));
        EXPECT_NE(at, list.npos);
        const auto pid = list.rfind("name=\"pid\">", at);
        return static_cast<unsigned>(std::stoul(list.substr(pid + 11)));
    }
    std::string ask(const std::string& packet) { return client->ask(packet); }
    void power_off() {
        target.reset();
        chip.reset();
    }

    std::optional<gdb::ChipTarget> target;
    std::optional<GdbClient> client;
    std::function<void(const std::string&)> stopped;
    unsigned stops = 0;
};

TEST_P(GdbHosted, ShowsTilesThatRunAndListsAll) {
    attach();
    EXPECT_EQ(ask("qfThreadInfo"), "mp1.1,p2.1,p3.1,p4.1,p5.1");
    client.reset();
    start(second, echo(1));
    chip->clock(10);
    attach();
    const unsigned pid = process(second);
    EXPECT_EQ(ask("qfThreadInfo"), fmt::format("mp{:x}.1,p{:x}.1,p{:x}.1,p{:x}.1,p{:x}.1", pid, pid + 1, pid + 2, pid + 3, pid + 4));
    EXPECT_EQ(ask(fmt::format("vAttach;{:x}", process(first))), fmt::format("T00thread:p{:x}.1;", process(first)));
}

// A breakpoint may be there before the host has written the code, and before it starts the core.
TEST_P(GdbHosted, StopsACoreThatTheHostStartsLater) {
    attach();
    const unsigned pid = process(first);
    ask(fmt::format("vAttach;{:x}", pid));
    auto code = echo(1);
    const std::uint32_t polls = 16;
    EXPECT_EQ(ask(fmt::format("Z0,{:x},4", polls)), "OK");
    EXPECT_EQ(ask("vCont;c"), "nothing came");
    chip->clock(500);
    EXPECT_EQ(stops, 0u);
    start(first, code);
    std::uint64_t cycle = 0;
    stopped = [&](const std::string& told) {
        EXPECT_EQ(told, fmt::format("T05swbreak:;thread:p{:x}.1;", pid));
        EXPECT_EQ(register_of(*client, 32), polls);
        cycle = target->cycle();
        // The host's question, asked by the debugger.
        EXPECT_EQ(ask(fmt::format("M{:x},4:01000000", flag)), "OK");
        EXPECT_EQ(ask(fmt::format("z0,{:x},4", polls)), "OK");
        EXPECT_EQ(ask("vCont;c"), "nothing came");
    };
    chip->clock(500);
    EXPECT_EQ(stops, 1u);
    EXPECT_GT(cycle, 500u);
    EXPECT_LT(cycle, 600u);
    EXPECT_EQ(chip->cycle(), 1000u);
    EXPECT_EQ(target->cycle(), 1000u);
    EXPECT_EQ(read(first, answer), 1u);
}

// Host and debugger may both act while the chip stands still.
TEST_P(GdbHosted, AHostsWriteMeetsAWatchpoint) {
    start(first, echo(2));
    chip->clock(300);
    attach();
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", flag)), "OK");
    EXPECT_EQ(ask("vCont;c"), "nothing came");
    chip->clock(300);
    EXPECT_EQ(stops, 0u);
    stopped = [&](const std::string& told) {
        EXPECT_NE(client->console.find("written by the host"), std::string::npos) << client->console;
        EXPECT_EQ(told, fmt::format("T05watch:{:x};thread:p{:x}.1;", flag, process(first)));
        EXPECT_EQ(read(first, flag), 1u);
        write(first, data, 5);
        EXPECT_EQ(word_of(ask(fmt::format("m{:x},4", data))), 5u);
        EXPECT_EQ(ask("vCont;s"), fmt::format("T05thread:p{:x}.1;", process(first)));
        EXPECT_EQ(ask(fmt::format("z2,{:x},4", flag)), "OK");
        EXPECT_EQ(ask("vCont;c"), "nothing came");
    };
    write(first, flag, 1);
    chip->clock(300);
    EXPECT_EQ(stops, 1u);
    EXPECT_EQ(read(first, answer), 1u);
}

TEST_P(GdbHosted, CtrlCStopsWhatRuns) {
    start(first, echo(1));
    chip->clock(100);
    attach();
    EXPECT_EQ(ask("vCont;c"), "nothing came");
    chip->clock(100);
    client->coming = "\x03";
    stopped = [&](const std::string& told) { EXPECT_EQ(told, fmt::format("T02thread:p{:x}.1;", process(first))); };
    chip->clock(100);
    EXPECT_EQ(stops, 1u);
}

TEST_P(GdbHosted, CtrlCIsHeardWithinACallOfTheClock) {
    constexpr std::uint64_t cycles = 1'000'000;
    start(first, echo(1));
    attach();
    EXPECT_EQ(ask("vCont;c"), "nothing came");
    stopped = [&](const std::string& told) {
        EXPECT_EQ(told, fmt::format("T02thread:p{:x}.1;", process(first)));
        EXPECT_LT(target->cycle(), cycles);
        EXPECT_EQ(ask("vCont;c"), "nothing came");
    };
    client->coming = "\x03";
    chip->clock(cycles);
    EXPECT_EQ(stops, 1u);
    EXPECT_EQ(target->cycle(), cycles);
}

// Without a breakpoint, and with one that is never met.
TEST_P(GdbHosted, AFaultOfACoreStopsOnce) {
    for (const bool has_breakpoint : {false, true}) {
        auto code = words();
        code.code.push_back(0xFFFF'FFFF);
        start(second, code);
        attach();
        if (has_breakpoint) {
            EXPECT_EQ(ask("Z0,9000,4"), "OK");
        }
        ask(fmt::format("vAttach;{:x}", process(second)));
        EXPECT_EQ(ask("vCont;c"), "nothing came");
        stops = 0;
        stopped = [&](const std::string& told) {
            EXPECT_NE(client->console.find("fault riscv.illegal"), std::string::npos) << client->console;
            EXPECT_EQ(told, fmt::format("T04thread:p{:x}.1;", process(second)));
            EXPECT_EQ(ask("vCont;c"), "nothing came");
        };
        chip->clock(1000);
        chip->clock(1000);
        EXPECT_EQ(stops, 1u) << has_breakpoint;
        EXPECT_EQ(chip->take_reports().size(), 1u);
        client.reset();
        power_off();
        SetUp();
    }
}

TEST_P(GdbHosted, AFaultOfTheCoprocessorStopsOnceAndNamesItsTile) {
    auto code = words();
    code.poke(0xFFE4'0000, 0xFF00'0000);  // no instruction of thread 0
    start(second, code);
    attach();
    EXPECT_EQ(ask("vCont;c"), "nothing came");
    stopped = [&](const std::string&) {
        EXPECT_NE(client->console.find("Tile 3,4: fault unknown-opcode"), std::string::npos) << client->console;
        EXPECT_EQ(ask("vCont;c"), "nothing came");
    };
    chip->clock(3000);
    chip->clock(3000);
    EXPECT_EQ(stops, 1u);
    EXPECT_EQ(chip->take_reports().size(), 1u);
}

// The host lets a tile begin anew that a fault of the coprocessor has stopped.
TEST_P(GdbHosted, ATileThatBeginsAnewKeepsItsBreaks) {
    auto reports = words();
    reports.poke(soft_reset, b_runs + 1);  // a bit without a meaning
    auto code = reports;
    code.poke(0xFFE4'0000, 0xFF00'0000);  // no instruction of thread 0
    start(first, code);
    attach();
    EXPECT_NE(client->monitor("break finding tile.reset-bits").find("1: "), std::string::npos) << client->console;
    EXPECT_EQ(ask("vCont;c"), "nothing came");
    std::vector<std::string> told;
    stopped = [&](const std::string&) {
        do told.push_back(client->console);
        while (ask("vCont;c") != "nothing came");
    };
    chip->clock(3000);
    ASSERT_EQ(told.size(), 2u);
    EXPECT_NE(told[0].find("tile.reset-bits"), std::string::npos) << told[0];
    EXPECT_NE(told[1].find("fault unknown-opcode"), std::string::npos) << told[1];
    write(first, soft_reset, all_in_reset);
    start(first, reports);
    chip->clock(3000);
    ASSERT_EQ(told.size(), 3u);
    EXPECT_NE(told[2].find("tile.reset-bits"), std::string::npos) << told[2];
}

TEST_P(GdbHosted, AHostsWriteMeetsAWatchpointOfATileThatBeginsAnew) {
    for (const bool before : {true, false}) {
        auto code = words();
        code.poke(0xFFE4'0000, 0xFF00'0000);  // no instruction of thread 0
        start(first, code);
        attach();
        const unsigned pid = process(first);
        EXPECT_EQ(ask(fmt::format("Z2,{:x},4", flag)), "OK");
        EXPECT_EQ(ask("vCont;c"), "nothing came");
        std::vector<std::string> told;
        stopped = [&](const std::string& reply) {
            told.push_back(reply);
            EXPECT_EQ(ask("vCont;c"), "nothing came");
        };
        chip->clock(3000);
        EXPECT_EQ(told.size(), 1u);
        if (before) write(first, flag, 1);
        write(first, soft_reset, all_in_reset);
        if (!before) write(first, flag, 1);
        chip->clock(100);
        ASSERT_EQ(told.size(), 2u) << before;
        EXPECT_EQ(told[1], fmt::format("T05watch:{:x};thread:p{:x}.1;", flag, pid));
        client.reset();
        power_off();
        SetUp();
    }
}

// The chip outlives its debugger.
TEST_P(GdbHosted, InstructionsAreToldToNobodyBehindTheDebugger) {
    const std::uint32_t add = 0x5800'0000;
    auto code = words();
    code.wait_for(flag, 1);
    for (unsigned i = 0; i < 100; ++i) code.poke(0xFFE4'0000, add);
    code.poke(answer, 1);
    start(first, code);
    chip->clock(300);
    attach();
    EXPECT_NE(client->monitor("last").find("from now on"), std::string::npos) << client->console;
    client.reset();
    target.reset();
    write(first, flag, 1);
    chip->clock(5000);
    EXPECT_EQ(read(first, answer), 1u);
}

// B polls in the range that it steps through, and T0, which stands at its breakpoint, would write the word.
TEST_P(GdbHosted, AStepLetsACoreThatStandsPassAfterAWhile) {
    constexpr std::uint32_t word = 0x4000, b_and_t0_run = b_runs & ~0x1000u, loop_begins = 16, loop_ends = 28;
    const std::uint32_t t0_entry = 0x6000;
    auto polls = words();
    polls.wait_for(word, 1);
    place_code(first, polls);
    auto writes = words();
    writes.poke(word, 1);
    place_code(first, writes, t0_entry);
    write(first, soft_reset, b_runs);
    chip->clock(300);
    attach();
    const unsigned b = process(first);
    ask(fmt::format("vAttach;{:x}", b));
    ask(fmt::format("vAttach;{:x}", b + 1));
    ask(fmt::format("Hgp{:x}.1", b + 1));
    EXPECT_EQ(ask(fmt::format("Z0,{:x},4", t0_entry)), "OK");
    write(first, soft_reset, b_and_t0_run);
    EXPECT_EQ(ask(fmt::format("vCont;r{:x},{:x}:p{:x}.1", loop_begins, loop_ends, b)), "nothing came");
    stopped = [&](const std::string& told) { EXPECT_EQ(told, fmt::format("T05thread:p{:x}.1;", b)); };
    chip->clock(10'000);
    EXPECT_EQ(stops, 0u);
    chip->clock(10'000);
    EXPECT_EQ(stops, 1u);
    EXPECT_EQ(read(first, word), 1u);
}

/// A connection to a server of this computer.
gdb::Connection call(std::uint16_t port) {
    gdb::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket.number(), reinterpret_cast<const sockaddr*>(&place), sizeof place), 0);
    return gdb::Connection(std::move(socket));
}

// Waiting for a descriptor takes no time of the processor.
TEST(GdbListener, WaitsWhileTheProcessHasNoDescriptorLeft) {
    constexpr int wait = 200;  // milliseconds
    auto listener = gdb::Listener::open("127.0.0.1", 0);
    ASSERT_TRUE(listener);
    const gdb::Connection caller = call(listener->port());
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit none = before;
    none.rlim_cur = 1;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    const auto begin = std::chrono::steady_clock::now();
    const bool came = listener->accept(wait).has_value();
    const auto took = std::chrono::steady_clock::now() - begin;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_FALSE(came);
    EXPECT_GE(took, std::chrono::milliseconds(wait));
    EXPECT_TRUE(listener->accept(wait));
}

TEST_P(GdbHosted, AForkLeavesTheDebuggerToItsParent) {
    constexpr std::chrono::milliseconds until_it_looks{5};
    target.reset();
    const auto server = HostedGdbServer::listen(*chip, {.port = 0});
    ASSERT_TRUE(server) << server.error().describe();
    gdb::Connection caller = call(server->port());
    const auto send = [&](const std::string& bytes) {
        caller.send(bytes, [] { return true; });
        EXPECT_FALSE(caller.closed());
    };
    send(GdbClient::packet("vCont;c"));
    chip->clock(10);
    EXPECT_EQ(caller.receive(0), "+");
    send("\x03" + GdbClient::packet("vCont;c"));
    std::this_thread::sleep_for(until_it_looks);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        alarm(60);
        chip->clock(10);
        _exit(chip->cycle() == 20 ? 0 : 1);
    }
    int status = 1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(caller.receive(0), "");
    chip->clock(10);
    EXPECT_NE(caller.receive(0).find("T02"), std::string::npos);
}

// With the steps of a debugger all happens in the same cycle as without one.
TEST_P(GdbHosted, ADebuggerChangesNoTime) {
    const auto cycle_of_answer = [&](bool debugged) {
        client.reset();
        target.reset();
        SetUp();
        start(first, echo(1));
        if (debugged) {
            attach();
            ask("Z0,5000,4");
            ask("vCont;c");
        }
        chip->clock(200);
        write(first, flag, 1);
        while (read(first, answer) != 1 && chip->cycle() < 5000) chip->clock(1);
        return chip->cycle();
    };
    const auto plain = cycle_of_answer(false);
    EXPECT_LT(plain, 500u);
    EXPECT_EQ(cycle_of_answer(true), plain);
}

INSTANTIATE_TEST_SUITE_P(Chips, GdbHosted, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
}  // namespace tessera::test

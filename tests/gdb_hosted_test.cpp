// SPDX-License-Identifier: Apache-2.0
// A debugger on the tiles of a chip that a host drives.
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
#include "support/gdb_client.hpp"
#include "support/hosted_chip.hpp"
#include "tessera/gdb_server.hpp"

namespace tessera::test {
namespace {

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
        client->greet();
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
    EXPECT_EQ(ask("qfThreadInfo"),
              fmt::format("mp{:x}.1,p{:x}.1,p{:x}.1,p{:x}.1,p{:x}.1", pid, pid + 1, pid + 2, pid + 3, pid + 4));
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
        EXPECT_EQ(client->register_of(32), polls);
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
        EXPECT_EQ(client->word_at(data), 5u);
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

// SPDX-License-Identifier: Apache-2.0
// A debugger on kernels of a few instructions: breakpoints, watchpoints, steps, and time backwards.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/gdb_session.hpp"
#include "util/hex.hpp"

namespace tessera::test {
namespace {

TEST_P(GdbSession, ListsEveryCore) {
    EXPECT_EQ(ask("?"), "T05thread:p1.1;");
    EXPECT_EQ(ask("qfThreadInfo"), "mp1.1,p2.1,p3.1,p4.1,p5.1");
    EXPECT_EQ(ask("qsThreadInfo"), "l");
    const std::string threads = ask("qXfer:threads:read::0,4000");
    EXPECT_NE(threads.find("<thread id=\"p3.1\" name=\"trisc1\">in reset</thread>"), std::string::npos) << threads;
    EXPECT_EQ(ask("qXfer:exec-file:read:2:0,400"), "ltrisc0.elf");
    EXPECT_EQ(ask("qXfer:exec-file:read:3:0,400"), "l");
    EXPECT_EQ(pc(), b_entry);
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    EXPECT_EQ(pc(), t0_entry);
}

TEST_P(GdbSession, StopsAtBreakpointsAndGoesBackToThem) {
    EXPECT_EQ(ask("Z0,6010,4"), "OK");
    for (unsigned round = 1; round <= 3; ++round) {
        EXPECT_EQ(ask("vCont;c"), b_breaks);
        EXPECT_EQ(pc(), 0x6010u);
        EXPECT_EQ(reg(a0), round);
        // The store is still to be executed. gdb steps over its breakpoint without it.
        EXPECT_EQ(ask(fmt::format("m{:x},4", counter)), fmt::format("{:02x}000000", round - 1));
        EXPECT_EQ(ask("z0,6010,4"), "OK");
        EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
        EXPECT_EQ(pc(), 0x6014u);
        EXPECT_EQ(ask("Z0,6010,4"), "OK");
    }
    for (unsigned round = 3; round >= 1; --round) {
        EXPECT_EQ(ask("bc"), b_breaks);
        EXPECT_EQ(reg(a0), round);
        EXPECT_EQ(ask(fmt::format("m{:x},4", counter)), fmt::format("{:02x}000000", round - 1));
    }
    EXPECT_EQ(ask("bc"), "T05replaylog:begin;thread:p1.1;");
    EXPECT_EQ(pc(), b_entry);
}

// Every step back is the state before the step: registers, memory, time.
TEST_P(GdbSession, StepsBackThroughAllThatItHasStepped) {
    std::vector<std::string> past;
    for (unsigned i = 0; i < 60; ++i) {
        past.push_back(now());
        EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
    }
    for (unsigned i = 60; i-- > 0;) {
        EXPECT_EQ(ask("bs"), "T05thread:p1.1;");
        EXPECT_EQ(now(), past[i]) << i;
    }
    EXPECT_EQ(ask("bs"), "T05replaylog:begin;thread:p1.1;");
}

// gdb selects no core for its steps back and commands: before them it has read others, and set breakpoints in them.
TEST_P(GdbSession, ACoreThatIsNamedStepsBackAndIsAskedAbout) {
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
    EXPECT_EQ(pc(), 0x600Cu);
    EXPECT_EQ(ask("Qtessera.core:p1.1"), "OK");
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    EXPECT_EQ(ask("Z0,8020,4"), "OK");
    EXPECT_EQ(ask("bs"), "T05thread:p1.1;");
    EXPECT_EQ(pc(), 0x6008u);
    EXPECT_EQ(ask("Qtessera.core:p1.1"), "OK");
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    EXPECT_NE(client->monitor("cores").find("* 1  brisc"), std::string::npos) << client->console;
    // It is named for one of them.
    EXPECT_NE(client->monitor("cores").find("* 2  trisc0"), std::string::npos) << client->console;
    EXPECT_EQ(ask("Qtessera.core:p1.1"), "OK");
    EXPECT_EQ(ask("bc"), "T05replaylog:begin;thread:p1.1;");
    EXPECT_EQ(ask("Qtessera.core:p9.1"), "E.there is no such core");
    EXPECT_EQ(ask("Qtessera.core"), "");
}

// What gdb's "run" sends.
TEST_P(GdbSession, BeginsAgain) {
    const std::string begin = now();
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
    EXPECT_NE(now(), begin);
    EXPECT_EQ(ask("vKill;1"), "OK");
    EXPECT_EQ(ask("vRun;"), "T05thread:p1.1;");
    EXPECT_EQ(now(), begin);
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
}

TEST_P(GdbSession, AnAddressHasABreakpointOfEachKind) {
    EXPECT_EQ(ask("Z0,6010,4"), "OK");
    EXPECT_EQ(ask("Z1,6010,4"), "OK");
    EXPECT_EQ(ask("z1,6010,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("z0,6010,4"), "OK");
    // The first one's condition never holds: const8 0.
    EXPECT_EQ(ask("Z0,602c,4;X3,220027"), "OK");
    EXPECT_EQ(ask("Z1,602c,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05hwbreak:;thread:p1.1;");
    EXPECT_EQ(pc(), 0x602Cu);
}

TEST_P(GdbSession, ChecksConditionsByItself) {
    // a0 == 5: register 10, const8 5, equal.
    EXPECT_EQ(ask("Z0,6010,4;X7,26000a22051327"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(reg(a0), 5u);
    EXPECT_EQ(ask("z0,6010,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
}

// gdb takes RISC-V's watchpoints to be met before the access.
TEST_P(GdbSession, WatchesTheCoresOwnAccessBeforeIt) {
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", mailbox)), "OK");
    EXPECT_EQ(ask("vCont;c"), fmt::format("T05watch:{:x};thread:p1.1;", mailbox));
    EXPECT_EQ(pc(), 0x602Cu);
    EXPECT_EQ(ask(fmt::format("m{:x},4", mailbox)), "00000000");
    EXPECT_EQ(ask(fmt::format("z2,{:x},4", mailbox)), "OK");
    EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
    EXPECT_EQ(ask(fmt::format("m{:x},4", mailbox)), "07000000");
    // On the way back it is met behind the access, and gdb steps back over it.
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", mailbox)), "OK");
    EXPECT_EQ(ask("bc"), fmt::format("T05watch:{:x};thread:p1.1;", mailbox));
    EXPECT_EQ(ask(fmt::format("m{:x},4", mailbox)), "07000000");
    EXPECT_EQ(ask("bs"), "T05thread:p1.1;");
    EXPECT_EQ(ask(fmt::format("m{:x},4", mailbox)), "00000000");
    EXPECT_EQ(pc(), 0x602Cu);
}

// Another core's access is told to the core that watches, once it is done; gdb's step over it does nothing.
TEST_P(GdbSession, WatchesOtherCoresAccesses) {
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", mailbox)), "OK");
    EXPECT_EQ(ask("vCont;c"), fmt::format("T05watch:{:x};thread:p2.1;", mailbox));
    EXPECT_NE(client->console.find("brisc sw"), std::string::npos) << client->console;
    EXPECT_EQ(ask(fmt::format("m{:x},4", mailbox)), "07000000");
    const std::string before = ask("g");
    EXPECT_EQ(ask("vCont;s:p2.1"), "T05thread:p2.1;");
    EXPECT_EQ(ask("g"), before);
}

// Each core has its own memory at the same address.
TEST_P(GdbSession, WatchesLocalMemoryOfOneCore) {
    EXPECT_EQ(ask("Z2,ffb00010,4"), "OK");
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    EXPECT_EQ(ask("Z4,ffb00011,1"), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05awatch:ffb00011;thread:p2.1;");
    EXPECT_EQ(pc(), 0x8020u);
}

TEST_P(GdbSession, TellsWhoWrote) {
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
    const std::string before = ask("g");
    EXPECT_NE(client->monitor(fmt::format("wrote 0x{:x}", mailbox)).find("written by brisc sw a7,0(a6) (kernel.cpp:12"), std::string::npos)
        << client->console;
    EXPECT_EQ(ask("g"), before);
    EXPECT_NE(client->monitor("wrote 0x100").find("has not been written"), std::string::npos);
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    EXPECT_NE(client->monitor("wrote 0xFFB00010").find("written by trisc0 sw"), std::string::npos) << client->console;
}

// BabyRISCV, Load/Store Unit: L1 takes one store every five cycles, so stores wait. A run tells when each arrives.
TEST_P(GdbSession, NamesTheCyclesInWhichStoresArrive) {
    std::vector<std::uint32_t> code;
    put(code, t0, counter);
    code.push_back(li(a0, 0));
    code.push_back(i(Op::addi, a0, a0, 1));  // loop
    code.push_back(store(Op::sw, a0, 0, t0));
    code.push_back(i(Op::lw, a2, t0, 8));
    code.push_back(store(Op::sw, a2, 4, t0));
    code.push_back(store(Op::sb, a0, 1, t0));
    code.push_back(i(Op::slti, a1, a0, rounds));
    code.push_back(branch(Op::bne, a1, zero, -24));
    poke(code, mailbox, 7);
    code.push_back(halt);
    kernel(RiscvCore::b, code, b_entry);
    std::vector<std::string> arrivals, told;
    Core other{GetParam(), Reset::vendor_sim};
    ASSERT_TRUE(other.load(kernels_));
    const std::size_t l1 = (*other.find_section("l1"))->id;
    RunOptions options;
    options.on_write = [&](const Write& write) {
        const StateElement& first = write.elements.front();
        if (first.section == l1 && first.element - counter < 8)
            arrivals.push_back(fmt::format("Cycle {}", write.cycle));
    };
    ASSERT_TRUE(other.run(kernels_, options)->good());
    ASSERT_NO_FATAL_FAILURE(begin());
    ask("qSupported:multiprocess+;swbreak+;hwbreak+;error-message+");
    ask("QStartNoAckMode");
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    EXPECT_EQ(ask(fmt::format("Z2,{:x},8", counter)), "OK");
    while (ask("vCont;c").find("watch:") != std::string::npos)
        told.push_back(client->console.substr(0, client->console.find(':')));
    EXPECT_EQ(told, arrivals);
    EXPECT_EQ(told.size(), 3u * rounds);
    const std::string last = arrivals.back() + ": written by brisc sb a0,1(t0)";
    EXPECT_THAT(client->monitor(fmt::format("wrote 0x{:x} 8", counter)), testing::StartsWith(last));
    ask("bc");
    EXPECT_THAT(client->console, testing::StartsWith(last));
}

// A core that stands before its instruction has come to that instruction's cycle.
TEST_P(GdbSession, LookingBackLeavesTheTimeAsItIs) {
    for (const std::uint32_t address : {0x6004, 0x6010, 0x602C}) {
        EXPECT_EQ(ask(fmt::format("Z0,{:x},4", address)), "OK");
        EXPECT_EQ(ask("vCont;c"), b_breaks);
        const std::string cycle = client->monitor("cycle");
        for (const std::string& command : {fmt::format("wrote {:#x}", counter), std::string("last 5")}) {
            client->monitor(command);
            EXPECT_EQ(client->monitor("cycle"), cycle) << fmt::format("{} at {:#x}", command, address);
        }
        EXPECT_EQ(ask(fmt::format("z0,{:x},4", address)), "OK");
    }
}

// A run that is stepped, broken into and gone back in ends as one that nobody looks at.
TEST_P(GdbSession, ChangesNothing) {
    Core alone{GetParam(), Reset::vendor_sim};
    ASSERT_TRUE(alone.load(kernels_));
    const auto plain = alone.run(kernels_);
    ASSERT_TRUE(plain);
    EXPECT_EQ(ask("Z0,6014,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    for (unsigned i = 0; i < 10; ++i) ask("vCont;s:p2.1;c");
    ask("bc");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("z0,6014,4"), "OK");
    EXPECT_EQ(ask("Z0,9000,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
    const tessera::Run done = execution->run();
    EXPECT_EQ(done.cycles, plain->cycles);
    EXPECT_EQ(done.findings.size(), plain->findings.size());
    EXPECT_TRUE(std::ranges::equal(core_.l1(), alone.l1()));
    for (const Section& section : alone.sections()) {
        // Counters show how far a core has run ahead of the end, where nobody sees it.
        if (section.name != "riscv_x" && !section.name.starts_with("riscv_local")) continue;
        for (std::size_t i = 0; i < section.size; ++i)
            ASSERT_EQ(core_.read(section, i), alone.read(section, i)) << section.describe(i);
    }
}

TEST_P(GdbSession, WritesRegistersAndMemory) {
    EXPECT_EQ(ask("Z0,6010,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("Pa=12000000"), "OK");  // a0 = 18
    EXPECT_EQ(ask(fmt::format("M{:x},4:05000000", mailbox)), "OK");
    EXPECT_EQ(ask("z0,6010,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
    EXPECT_EQ(ask(fmt::format("m{:x},4", counter)), "14000000");
    // The way back leads over the change: before it is what was before it.
    EXPECT_EQ(ask("Z0,600c,4"), "OK");
    EXPECT_EQ(ask("bc"), b_breaks);
    EXPECT_EQ(reg(a0), 19u);
    EXPECT_EQ(ask("bc"), b_breaks);
    EXPECT_EQ(reg(a0), 18u);
    EXPECT_EQ(ask("bc"), b_breaks);
    EXPECT_EQ(reg(a0), 0u);
    EXPECT_EQ(ask(fmt::format("m{:x},4", mailbox)), "00000000");
}

TEST_P(GdbSession, StepsOutOfARange) {
    EXPECT_EQ(ask("vCont;r6000,600c:p1.1"), "T05thread:p1.1;");
    EXPECT_EQ(pc(), 0x600Cu);
}

TEST_P(GdbSession, CtrlCStopsARunThatWouldNotEnd) {
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    EXPECT_EQ(ask("Z0,602c,4"), "OK");
    EXPECT_EQ(ask("Hgp1.1"), "OK");
    let_b_go_on_for_ever();
    client->coming = "\x03";
    EXPECT_EQ(ask("vCont;c"), "T02thread:p1.1;");
    client->coming = GdbClient::packet("qC") + "\x03";
    EXPECT_NE(client->send(GdbClient::packet("vCont;c")).find("T02thread:p1.1;"), std::string::npos) << "behind a packet";
    client->coming = "$";
    client->gone = true;
    EXPECT_EQ(ask("vCont;c"), "T02thread:p1.1;") << "nobody waits";
}

// gdb sends nothing but Ctrl-C while cores run.
TEST_P(GdbSession, AClientThatSendsTooMuchMeanwhileIsLeft) {
    let_b_go_on_for_ever();
    client->coming = std::string(1 << 20, '+') + "\x03";
    EXPECT_EQ(ask("vCont;c"), "T02thread:p1.1;");
    EXPECT_FALSE(client->session.over()) << "acknowledgements are dropped";
    for (std::size_t bytes = 0; bytes <= gdb::waiting_bytes; bytes += 5) client->coming += GdbClient::packet("g");
    EXPECT_EQ(ask("vCont;c"), "T02thread:p1.1;");
    EXPECT_TRUE(client->session.over());
}

TEST_P(GdbSession, CtrlCEndsALookBack) {
    let_b_go_on_for_ever();
    EXPECT_EQ(ask_and_interrupt("vCont;c", 1), "T02thread:p1.1;");
    const std::string before = now();
    for (const char* const command : {"wrote 0x100", "last 5"}) {
        EXPECT_EQ(ask_and_interrupt("qRcmd," + util::to_hex(std::string_view(command)), 0), "OK");
        EXPECT_NE(client->console.find("interrupted"), std::string::npos) << client->console;
        EXPECT_EQ(now(), before) << command;
    }
}

// The last steps before Ctrl-C count from a cycle, not from an instruction.
TEST_P(GdbSession, LooksBackFromWhereCtrlCHasStopped) {
    let_b_go_on_for_ever();
    EXPECT_EQ(ask_and_interrupt("vCont;c", 1), "T02thread:p1.1;");
    const std::string before = now();
    EXPECT_EQ(client->monitor("last 5"), "no instruction has ended yet\n");
    EXPECT_EQ(now(), before);
    EXPECT_EQ(ask("P14=05000000"), "OK");
    EXPECT_EQ(client->monitor("last 5"), "no instruction has ended yet\n");
    EXPECT_EQ(ask("bc"), "T05replaylog:begin;thread:p1.1;");
    EXPECT_EQ(pc(), b_entry);
}

// Wherever in its loop the core stands, and before a step that stores nothing as behind it.
TEST_P(GdbSession, TheLastStoreBeforeCtrlCIsFound) {
    let_b_go_on_for_ever();
    const std::string wrote = fmt::format("wrote {:#x}", counter);
    bool behind_a_store = false;
    for (unsigned begin = 0; begin < 12; ++begin) {
        EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
        EXPECT_EQ(ask_and_interrupt("vCont;c", 1), "T02thread:p1.1;");
        const std::uint64_t at = pc();
        if (at == 0x6010) continue;
        const std::string cycle = client->monitor("cycle");
        const std::string there = client->monitor(wrote);
        EXPECT_EQ(client->monitor("cycle"), cycle);
        behind_a_store |= at == 0x6014;
        EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
        EXPECT_EQ(client->monitor(wrote), there) << fmt::format("at {:#x}", at);
    }
    EXPECT_TRUE(behind_a_store);
}

// T0 polls with all others held, and is gone back into; then all go on.
TEST_P(GdbSession, CoresThatWereHeldGoOnAfterTheWayBack) {
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    const auto over_the_break = [&](const char* resume) {
        EXPECT_EQ(ask("z0,800c,4"), "OK");
        EXPECT_EQ(ask("vCont;s:p2.1"), "T05thread:p2.1;");
        EXPECT_EQ(ask("Z0,800c,4"), "OK");
        ask("qXfer:features:read:target.xml:0,100");
        EXPECT_EQ(ask(resume), "T05swbreak:;thread:p2.1;");
    };
    EXPECT_EQ(ask("Z0,800c,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), "T05swbreak:;thread:p2.1;");
    for (unsigned i = 0; i < 3; ++i) over_the_break("vCont;c:p2.1");
    EXPECT_EQ(ask("z0,800c,4"), "OK");
    EXPECT_EQ(ask("bs"), "T05thread:p2.1;");
    ask_and_interrupt("vCont;c", 10);
    EXPECT_TRUE(execution->ended());
    EXPECT_TRUE(execution->run().good());
}

// As many changes as are kept, and from the last one to here a way that is long enough for a checkpoint.
TEST_P(GdbSession, LookingBackKeepsNoCheckpoints) {
    let_b_go_on_for_ever();
    change_and_step(62);
    for (unsigned i = 0; i < 50; ++i) ask("vCont;s:p1.1");
    EXPECT_EQ(ask_and_interrupt("vCont;c", 1), "T02thread:p1.1;");
    const std::string before = now();
    EXPECT_EQ(client->monitor("last 5"), "no instruction has ended yet\n");
    EXPECT_EQ(now(), before);
    EXPECT_EQ(ask("bc"), "T05replaylog:begin;thread:p1.1;");
    EXPECT_EQ(pc(), b_entry);
}

TEST_P(GdbSession, TheBeginStaysWhateverIsChanged) {
    const std::string begin = now();
    let_b_go_on_for_ever();
    change_and_step(100);
    EXPECT_NE(client->monitor("wrote 0x100").find("has not been written since cycle"), std::string::npos) << client->console;
    EXPECT_NE(client->monitor("last 5").find("is forgotten"), std::string::npos) << client->console;
    // The way back ends where all that is behind can be repeated.
    EXPECT_EQ(ask("bc"), "T05replaylog:begin;thread:p1.1;");
    EXPECT_NE(client->console.find("is forgotten"), std::string::npos) << client->console;
    const std::string oldest = now();
    EXPECT_NE(oldest, begin);
    EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
    EXPECT_EQ(ask("bs"), "T05thread:p1.1;");
    EXPECT_EQ(now(), oldest);
    EXPECT_EQ(ask("bs"), "T05replaylog:begin;thread:p1.1;");
    EXPECT_EQ(now(), oldest);
    EXPECT_EQ(ask("vRun;"), "T05thread:p1.1;");
    EXPECT_EQ(now(), begin);
    EXPECT_EQ(ask("bc"), "T05replaylog:begin;thread:p1.1;");
    EXPECT_EQ(client->console, "");
}

TEST_P(GdbSession, BeginsAgainWithoutWhatWasChangedThere) {
    const std::string begin = now();
    EXPECT_EQ(ask(fmt::format("P{:x}=05000000", changed)), "OK");
    EXPECT_EQ(ask("vRun;"), "T05thread:p1.1;");
    EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
    EXPECT_EQ(ask("bs"), "T05thread:p1.1;");
    EXPECT_EQ(now(), begin);
}

TEST_P(GdbSession, WritesAllGeneralRegistersOrNone) {
    const std::string before = ask("g");
    std::string other = before;
    other.replace(8 * a0, 8, "2a000000");
    std::string wrong = other;
    wrong.replace(8 * 32, 8, "02600000");  // pc is a multiple of 4
    EXPECT_EQ(ask("G" + wrong).substr(0, 2), "E.");
    EXPECT_EQ(ask("g"), before);
    EXPECT_EQ(ask("G" + other.substr(0, 8 * 32)).substr(0, 2), "E.") << "without pc";
    EXPECT_EQ(ask("g"), before);
    EXPECT_EQ(ask("G" + other), "OK");
    EXPECT_EQ(ask("g"), other);
}

TEST_P(GdbSession, BreaksTakePlacesAsOtherCommandsDo) {
    EXPECT_NE(client->monitor("break T3:1").find("there is no thread T3: threads are T0 to T2"), std::string::npos) << client->console;
    EXPECT_NE(client->monitor("break kernel.cpp:x").find("'kernel.cpp:x' is not the place of an op"), std::string::npos) << client->console;
    EXPECT_NE(client->monitor("break T1:5 T0").find("names its thread already"), std::string::npos) << client->console;
    EXPECT_NE(client->monitor("break nofile.cpp:7").find("has the file of nofile.cpp:7"), std::string::npos) << client->console;
    EXPECT_EQ(client->monitor("breaks"), "none\n");
    EXPECT_EQ(client->monitor("break T1:5"), "1: T1:5\n");
    EXPECT_EQ(client->monitor("break kernel.cpp:12 t2"), "2: kernel.cpp:12 t2\n");
    EXPECT_EQ(client->monitor("break :12"), "3: :12\n");
}

TEST_P(GdbSession, OperandsWithoutEffectAreRefused) {
    for (const char* const command : {"break MVMUL T1 T2", "break semaphore 1 2", "break finding hazard.src extra", "break hazard.src extra", "delete 1 2",
                                      "fifo 1 2", "last 3 4", "semaphores 3", "cycle 3", "breaks 3", "cores 3", "wrote 0x100 4 5"})
        EXPECT_NE(client->monitor(command).find("one too many"), std::string::npos) << command << ": " << client->console;
    EXPECT_NE(client->monitor("break :0").find("lines count from 1"), std::string::npos) << client->console;
    EXPECT_EQ(client->monitor("breaks"), "none\n");
}

TEST_P(GdbSession, TilesOfDstAreRefusedAsElsewhere) {
    EXPECT_NE(client->monitor("dst_tile 0 float16_b").find("did you mean Float16_b?"), std::string::npos)
        << client->console;
    EXPECT_NE(client->monitor("dst_tile 8 Float32").find("Dst has no tile 8"), std::string::npos) << client->console;
    EXPECT_NE(client->monitor("dst_tile 16").find("Dst has no tile 16"), std::string::npos) << client->console;
    EXPECT_NE(client->monitor("dst_tile x").find("'x' is not the number of a tile"), std::string::npos)
        << client->console;
}

TEST_P(GdbSession, FifosAreThoseOfAThreadByItsNameOrNumber) {
    EXPECT_TRUE(client->monitor("fifo T1").starts_with("T1: ")) << client->console;
    EXPECT_EQ(client->monitor("fifo 1"), client->monitor("fifo t1"));
    EXPECT_EQ(client->monitor("fifo").find("T1: "), client->monitor("fifo 0").size());
    for (const char* const other : {"fifo 3", "fifo T3", "fifo math"})
        EXPECT_NE(client->monitor(other).find("fifo takes a thread: T0 to T2, or 0 to 2"), std::string::npos)
            << client->console;
}

TEST_P(GdbSession, WrongPlacesAreToldWhole) {
    // L1 ends there.
    const std::uint32_t last = static_cast<std::uint32_t>(core_.l1().size()) - 1;
    EXPECT_NE(client->monitor(fmt::format("wrote {:#x} 4", last)).find(fmt::format("0x{:X} to 0x{:X} is in no memory of brisc", last, last + 3)),
              std::string::npos)
        << client->console;
    EXPECT_NE(ask(fmt::format("Z2,{:x},2", last)).find(fmt::format("0x{:X} to 0x{:X} is in no memory of brisc", last, last + 1)), std::string::npos);
    EXPECT_NE(client->monitor("wrote 0 0").find("1 to 65536 bytes"), std::string::npos) << client->console;
    EXPECT_NE(client->monitor("tile 0,0 cores").find("there is one tile only"), std::string::npos) << client->console;
}

TEST_P(GdbSession, DetachesAndAttaches) {
    EXPECT_EQ(ask("D;2"), "OK");
    EXPECT_EQ(ask("qfThreadInfo"), "mp1.1,p3.1,p4.1,p5.1");
    EXPECT_EQ(ask("Hgp2.1"), "E.there is no such core");
    EXPECT_EQ(ask("vAttach;2"), "T00thread:p2.1;");
    EXPECT_EQ(ask("vAttach;2").substr(0, 2), "E.");
    EXPECT_FALSE(client->session.over());
    EXPECT_EQ(ask("D"), "OK");
    EXPECT_TRUE(client->session.over());
}

TEST_P(GdbSession, ANumberOfNoProcessLetsNoCoreGo) {
    for (const char* const number :
         {"0", "6", "ffffffffffffffff", "8000000000000001", "10000000000000001", "", "x", "1x", "1;2"})
        for (const char* const packet : {"D;", "vKill;", "vAttach;"})
            EXPECT_EQ(ask(std::string(packet) + number).substr(0, 2), "E.") << packet << number;
    EXPECT_EQ(ask("D1").substr(0, 2), "E.");
    EXPECT_EQ(ask("qfThreadInfo"), "mp1.1,p2.1,p3.1,p4.1,p5.1");
    EXPECT_FALSE(client->session.over());
}

TEST_P(GdbSession, AnswersWrongPacketsWithErrors) {
    for (const char* const packet : {"m", "mzz,4", "m6000,0", "m90000000,4", "M20000,4:00", "M20000,2:zz", "p1000", "Pa", "Pa=00", "G00", "Hg", "Hgp9.1",
                                     "Hx1", "Z0", "Z9,0,4", "Z0,90000000,4", "Z0,6002,4", "Z2,90000000,4", "Z2,6000,0", "Z0,6000,4;Xzz", "vCont;q", "vCont;r1:p1.1", "vCont;c:p9.1", "vAttach;0",
                                     "vAttach;99", "D;99", "T9", "qXfer:features:read:target.xml:zz", "qRcmd,0", "czz", "C"})
        EXPECT_EQ(ask(packet).substr(0, 2), "E.") << packet;
    for (const char* const packet : {"vMustReplyEmpty", "qNothing", "QNothing", "i", "_", "", "b", "R00"}) EXPECT_EQ(ask(packet), "") << packet;
    EXPECT_EQ(pc(), b_entry);
}

TEST_P(GdbSession, ReadsItsElfFilesAndNoOthers) {
    EXPECT_EQ(ask("vFile:open:" + util::to_hex("/etc/passwd") + ",0,0"), "F-1,2");
    EXPECT_EQ(ask("vFile:open:" + util::to_hex("brisc.elf") + ",601,0"), "F-1,d");
    EXPECT_EQ(ask("vFile:pread:1,10,0"), "F-1,9");
    EXPECT_EQ(ask("vFile:close:1"), "F-1,9");
}

TEST_P(GdbSession, CommandsHaveHelp) {
    EXPECT_NE(client->monitor("help").find("wrote ADDRESS"), std::string::npos);
    const std::string some = client->monitor("help br");
    EXPECT_NE(some.find("break WHAT"), std::string::npos);
    EXPECT_EQ(some.find("wrote"), std::string::npos);
    EXPECT_NE(client->monitor("brek MOP").find("did you mean break"), std::string::npos) << client->console;
    EXPECT_NE(client->monitor("cores").find("* 1  brisc    runs"), std::string::npos) << client->console;
}

INSTANTIATE_TEST_SUITE_P(Archs, GdbSession, testing::ValuesIn(all_archs), [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test

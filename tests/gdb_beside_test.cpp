// SPDX-License-Identifier: Apache-2.0
// A debugger that steps one core: the others beside it, held or not, at breakpoints and watchpoints of theirs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/gdb_session.hpp"

namespace tessera::test {
namespace {

class GdbBeside : public GdbSession {};

// scheduler-locking: gdb names one thread, and has read the description of its core.
TEST_P(GdbBeside, HoldsOtherCores) {
    EXPECT_EQ(ask("Z0,602c,4"), "OK");
    ask("qXfer:features:read:target.xml:0,100");
    EXPECT_EQ(ask("vCont;c:p1.1"), b_breaks);
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    EXPECT_EQ(pc(), t0_entry);
    EXPECT_EQ(ask("vCont;s:p2.1"), "T05thread:p2.1;");
    EXPECT_EQ(pc(), 0x8004u);
    // T0 alone polls for ever.
    ask("qXfer:features:read:target.xml:0,100");
    EXPECT_EQ(ask("vCont;c:p2.1"), "T02thread:p2.1;");
    EXPECT_EQ(ask("Hgp1.1"), "OK");
    EXPECT_EQ(pc(), 0x602Cu);
}

// gdb steps a core alone over its breakpoint, and expects no stop of another one.
TEST_P(GdbBeside, BesideAStepOthersStandAtTheirBreakpoints) {
    EXPECT_EQ(ask("Z0,6010,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    std::vector<std::string> past;
    for (unsigned i = 0; i < 10; ++i) {
        past.push_back(now());
        EXPECT_EQ(ask("vCont;s:p2.1"), "T05thread:p2.1;");
    }
    EXPECT_EQ(ask("Hgp1.1"), "OK");
    EXPECT_EQ(pc(), 0x6010u);
    EXPECT_EQ(reg(a0), 1u);
    // The way back repeats that the core stood.
    EXPECT_EQ(ask("Hgp2.1"), "OK");
    for (unsigned i = 10; i-- > 0;) {
        EXPECT_EQ(ask("bs"), "T05thread:p2.1;");
        EXPECT_EQ(now(), past[i]) << i;
    }
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(reg(a0), 1u);
}

TEST_P(GdbBeside, BesideAStepOthersStandBeforeWhatTheyWatch) {
    EXPECT_EQ(ask("Z0,601c,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("z0,601c,4"), "OK");
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", mailbox)), "OK");
    for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(ask("vCont;s:p2.1"), "T05thread:p2.1;");
    EXPECT_EQ(ask("Hgp1.1"), "OK");
    EXPECT_EQ(pc(), 0x602Cu);
    EXPECT_EQ(ask(fmt::format("m{:x},4", mailbox)), "00000000");
    EXPECT_EQ(ask("vCont;c"), fmt::format("T05watch:{:x};thread:p1.1;", mailbox));
}

TEST_P(GdbBeside, WhatAStepDoesToAnotherCoresWatchpointIsToldThere) {
    EXPECT_EQ(ask("Z0,602c,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("z0,602c,4"), "OK");
    EXPECT_EQ(ask("Hgp5.1"), "OK");
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", mailbox)), "OK");
    EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
    EXPECT_EQ(pc(), 0x6030u);
    EXPECT_EQ(ask(fmt::format("m{:x},4", mailbox)), "07000000");
    EXPECT_EQ(ask("vCont;c"), fmt::format("T05watch:{:x};thread:p5.1;", mailbox));
    EXPECT_NE(client->console.find("written by brisc sw"), std::string::npos) << client->console;
    EXPECT_EQ(ask("vCont;s:p5.1"), "T05thread:p5.1;");
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p5.1;");
}

// The first lies many steps before the second.
TEST_P(GdbBeside, EachWatchpointThatStepsHaveMetIsTold) {
    EXPECT_EQ(ask("Z0,6010,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("z0,6010,4"), "OK");
    ask("Hgp4.1");
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", counter)), "OK");
    ask("Hgp5.1");
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", mailbox)), "OK");
    ask("Hgp1.1");
    for (unsigned i = 0; i < 200 && pc() != 0x6030; ++i) EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
    EXPECT_EQ(ask("vCont;c"), fmt::format("T05watch:{:x};thread:p4.1;", counter));
    EXPECT_EQ(ask("vCont;s:p4.1"), "T05thread:p4.1;");
    EXPECT_EQ(ask("vCont;c"), fmt::format("T05watch:{:x};thread:p5.1;", mailbox));
    EXPECT_EQ(ask("vCont;s:p5.1"), "T05thread:p5.1;");
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p5.1;");
}

TEST_P(GdbBeside, AWriteDuringAStepIsToldToNoWatchpointOfReads) {
    EXPECT_EQ(ask("Z0,602c,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("z0,602c,4"), "OK");
    ask("Hgp5.1");
    EXPECT_EQ(ask(fmt::format("Z2,{:x},4", mailbox)), "OK");
    EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
    ask("Hgp5.1");
    EXPECT_EQ(ask(fmt::format("z2,{:x},4", mailbox)), "OK");
    EXPECT_EQ(ask(fmt::format("Z3,{:x},4", mailbox)), "OK");
    EXPECT_EQ(ask("vCont;c"), fmt::format("T05rwatch:{:x};thread:p5.1;", mailbox)) << "T0 polls it";
}

// T1 never starts. T0 does not wait for B.
TEST_P(GdbBeside, AFaultDuringAStepIsToldThere) {
    EXPECT_EQ(ask("Z0,6010,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("M8020,4:ffffffff"), "OK");  // no instruction
    EXPECT_EQ(ask(fmt::format("M{:x},4:07000000", mailbox)), "OK");
    EXPECT_EQ(ask("vCont;s:p3.1").substr(0, 3), "T04") << client->console;
    EXPECT_EQ(ask("Hgp1.1"), "OK");
    EXPECT_EQ(pc(), 0x6010u) << "it stands at its breakpoint";
    EXPECT_EQ(reg(a0), 1u);
}

// T1 never starts, and T0 waits for B.
TEST_P(GdbBeside, AStepThatNeedsACoreLetsItPassItsBreakpoint) {
    EXPECT_EQ(ask("Z0,6010,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("vCont;s:p3.1"), "T05thread:p3.1;");
    EXPECT_NE(client->console.find("ended well"), std::string::npos) << client->console;
}

// The engine asks it no more; the others have not ended.
TEST_P(GdbBeside, ACoreThatHasEndedStepsOnTheSpot) {
    EXPECT_EQ(ask("Z0,6030,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("z0,6030,4"), "OK");
    for (unsigned i = 0; i < 3; ++i) {
        EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
        EXPECT_EQ(pc(), 0x6030u);
    }
    EXPECT_FALSE(execution->ended());
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
}

TEST_P(GdbBeside, ACoreThatIsPausedStepsOnTheSpot) {
    constexpr unsigned pc_number = 32;
    EXPECT_EQ(ask("M6030,4:73000000"), "OK");  // ecall
    EXPECT_EQ(ask("Z0,6030,4"), "OK");
    EXPECT_EQ(ask("vCont;c"), b_breaks);
    EXPECT_EQ(ask("z0,6030,4"), "OK");
    for (unsigned i = 0; i < 2; ++i) {
        EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
        EXPECT_EQ(pc(), 0x6030u);
    }
    EXPECT_FALSE(execution->ended());
    EXPECT_EQ(ask(fmt::format("P{:x}=08600000", pc_number)), "OK");
    EXPECT_EQ(pc(), 0x6008u) << "as it was written";
}

// gdb stays in its step over a breakpoint for ever if that step's answer is the end of history.
TEST_P(GdbBeside, AStepOverABreakpointAtTheEndIsAStep) {
    EXPECT_EQ(ask("vCont;c"), "T05replaylog:end;thread:p1.1;");
    for (unsigned i = 0; i < 2; ++i) {
        EXPECT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
        EXPECT_NE(client->console.find("ended well"), std::string::npos) << client->console;
    }
    // These would be repeated for ever.
    for (const char* const packet : {"vCont;c", "vCont;s:p1.1;c", "vCont;r6000,7000:p1.1"})
        EXPECT_EQ(ask(packet), "T05replaylog:end;thread:p1.1;") << packet;
}

INSTANTIATE_TEST_SUITE_P(Archs, GdbBeside, testing::ValuesIn(all_archs), [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test

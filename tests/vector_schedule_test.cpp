// SPDX-License-Identifier: Apache-2.0
// Reports about instructions that SFPLOADMACRO has scheduled: they are of the macro that scheduled them.
#include <gmock/gmock.h>

#include "support/macro_run.hpp"

namespace tessera {
namespace {

using namespace test;

const Finding& finding(const Run& run, const std::string& code) {
    const auto found = std::find_if(run.findings.begin(), run.findings.end(), [&](const Finding& each) { return each.code == code; });
    if (found == run.findings.end()) throw std::runtime_error("no " + code);
    return *found;
}

class VectorSchedule : public testing::TestWithParam<Arch> {
protected:
    MacroRun machine{GetParam()};
};

const std::string move = "SFPMOV lreg_c=1 lreg_dest=14\n";  // template 2
const Step moves_after_1{Step::first_template + 2, 1};

// By cycles and by instructions, two macros behind each other, as ops and in an expansion.
TEST_P(VectorSchedule, ScheduledInstructionsAreOfTheirMacrosOp) {
    for (const unsigned by_instructions : {0u, 8u})
        for (const bool expanded : {false, true}) {
            SCOPED_TRACE(fmt::format("{} {}", by_instructions, expanded));
            const std::string macros = macro(0, 1, 0) + macro(0, 2, 4) + nops(4);
            const std::string text = set_sequence(0, {{}, {}, {}, store_after(2)}) + set_misc(4, 0, by_instructions) +
                                     (expanded ? "REPLAY load_mode=1 len=6\n" + macros + "REPLAY len=6\n" : macros);
            machine.run(text);
            ASSERT_EQ(machine.count("sfpstore"), 2u);
            for (const std::size_t i : {0u, 1u}) {
                const Event &of = machine.at("sfploadmacro", i), &store = machine.at("sfpstore", i);
                EXPECT_EQ(store.thread, 1);
                EXPECT_EQ(store.index, of.index);
                EXPECT_EQ(store.position, of.position);
                EXPECT_EQ(of.position, expanded ? static_cast<std::int64_t>(i) : -1);
                EXPECT_GT(store.number, of.number);
            }
        }
}

// VectorUnit, SFPLOADMACRO: it executes beside the instruction of its cycle.
TEST_P(VectorSchedule, AScheduledInstructionKeepsNoOtherOneOut) {
    machine.run(set_sequence(0, {{}, {}, {}, store_after(2)}) + set_misc(4) + macro(0, 1, 0) + nops(4));
    EXPECT_EQ(machine.at("sfpstore").occupancy, 0u);
    EXPECT_EQ(machine.at("sfpnop").occupancy, 1u);
}

TEST_P(VectorSchedule, AnInstructionThatIsLeftIsOfItsMacroToo) {
    const auto run = machine.run(set_sequence(0, {{}, {}, {}, store_after(5)}) + set_misc(4, 0, 8) + macro(0, 1, 0) + nops(2));
    const Finding& left = finding(run, "vector.macro-unfinished");
    EXPECT_EQ(left.where.index, machine.at("sfploadmacro").index);
    EXPECT_THAT(left.where.instruction, testing::StartsWith("SFPSTORE"));
    EXPECT_THAT(left.describe(), testing::HasSubstr("in the store sub-unit when the run ends, 3 vector instructions too early"));
}

TEST_P(VectorSchedule, WhatIsLeftWhenARunEndsBadlyIsNotTold) {
    Program program;
    program.arch = GetParam();
    const std::string text = set_sequence(0, {{}, {}, {}, store_after(5)}) + set_misc(4, 0, 8) + macro(0, 1, 0) +
                             "SEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1\nSFPNOP\n";
    program.threads[1] = assemble(text, GetParam(), "math", 1)->threads[1];
    const tessera::Run run = machine.core.run(program).value();
    ASSERT_TRUE(run.fault);
    EXPECT_EQ(run.fault->code, "deadlock");
    EXPECT_FALSE(has(run, "vector.macro-unfinished"));
}

TEST_P(VectorSchedule, ADiscardedInstructionIsNamedWithTheSubUnit) {
    const std::string text = move + set_sequence(0, {moves_after_1, {}, {}, {}}) + macro(0, 1, 0);
    const auto run = machine.run(text + "SFPNOP\nSFPNOT lreg_c=10 lreg_dest=4\n");
    const Finding& collision = finding(run, "vector.macro-collision");
    EXPECT_EQ(collision.where.index, machine.at("sfpnot").index);
    EXPECT_THAT(collision.where.instruction, testing::StartsWith("SFPNOT"));
    EXPECT_THAT(collision.describe(), testing::HasSubstr("executes in the simple sub-unit"));
}

// The vector unit does not execute it, so an empty stack of flags is no matter.
TEST_P(VectorSchedule, OfADiscardedInstructionNothingElseIsTold) {
    const std::string text = move + set_sequence(0, {moves_after_1, {}, {}, {}}) + macro(0, 1, 0);
    const auto discarded = machine.run(text + "SFPNOP\nSFPPOPC\n");
    EXPECT_TRUE(has(discarded, "vector.macro-collision"));
    EXPECT_FALSE(has(discarded, "vector.stack-empty"));
    const auto executed = MacroRun(GetParam()).run(text + nops(3) + "SFPPOPC\n");
    EXPECT_FALSE(has(executed, "vector.macro-collision"));
    EXPECT_TRUE(has(executed, "vector.stack-empty"));
}

// docs/races.md: what a macro has scheduled is meant for the cycles of the instructions behind it.
TEST_P(VectorSchedule, SeedsDelayNoInstructionOfAnExpansionMeanwhile) {
    const std::string text = set_sequence(0, {{}, {}, {}, store_after(6)}) + set_misc(4) + "REPLAY load_mode=1 len=7\n" + macro(0, 1, 0) +
                             nops(6) + "REPLAY len=7\n";
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SCOPED_TRACE(seed);
        MacroRun seeded(GetParam());
        seeded.run(text, {.seed = seed});
        std::vector<std::uint64_t> issues;
        for (const Event& event : seeded.events)
            if (event.position >= 0 && !event.instruction.starts_with("ttsfpstore")) issues.push_back(event.issue);
        ASSERT_EQ(issues.size(), 7u);
        std::sort(issues.begin(), issues.end());
        EXPECT_EQ(issues.back() - issues.front(), 6u);
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, VectorSchedule, testing::Values(Arch::blackhole, Arch::wormhole), arch_name);

}  // namespace
}  // namespace tessera

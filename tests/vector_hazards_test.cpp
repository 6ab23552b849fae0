// SPDX-License-Identifier: Apache-2.0
// Instruction scheduling by the vector unit's pages: hazards that hardware stalls on, and hazards left to software.
// Each is tested with and without the SFPNOP.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/macro_run.hpp"

namespace tessera {
namespace {

using namespace test;

class VectorHazards : public testing::TestWithParam<Arch> {
protected:
    MacroRun machine{GetParam()};
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    bool found(const std::string& code, const std::string& text) { return has(machine.run(text), code); }
    /// Without anything between them, and with an SFPNOP.
    void expect(const char* code, const std::string& first, const std::string& second, bool expected) {
        EXPECT_EQ(found(code, first + second), expected) << first << second;
        EXPECT_FALSE(found(code, first + "SFPNOP\n" + second)) << first << second;
        EXPECT_FALSE(found(code, first + "NOP\n" + second)) << first << second;
    }
    std::uint64_t cycles_between(const std::string& first, const std::string& second, const char* a, const char* b) {
        machine.run(first + second);
        return machine.at(b).start - machine.at(a).start;
    }
};

const std::string mad = "SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3 lreg_dest=4\n";

TEST_P(VectorHazards, ResultsThatTakeTwoCycles) {
    for (const char* late :
         {"SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3 lreg_dest=4\n", "SFPMULI imm16_math=16256 lreg_dest=4\n",
          "SFPADDI imm16_math=16256 lreg_dest=4\n", "SFPADD lreg_src_a=10 lreg_src_b=2 lreg_src_c=3 lreg_dest=4\n",
          "SFPMUL lreg_src_a=1 lreg_src_b=2 lreg_src_c=9 lreg_dest=4\n", "SFPLUT lreg_ind=4\n",
          "SFPLUTFP32 lreg_dest=4\n"}) {
        expect("hazard.vector-result", late, "SFPMOV lreg_c=4 lreg_dest=5\n", !blackhole());
        expect("hazard.vector-result", late, "SFPSTORE lreg_ind=4 instr_mod0=4\n", !blackhole());
        expect("hazard.vector-result", late, "SFPMOV lreg_c=5 lreg_dest=6\n", false);
    }
    expect("hazard.vector-result", "SFPMOV lreg_c=1 lreg_dest=4\n", "SFPMOV lreg_c=4 lreg_dest=5\n", false);
}

// Blackhole's stalling logic does not see everything.
TEST_P(VectorHazards, WhatBlackholeDoesNotSee) {
    const bool wormhole = !blackhole();
    for (const char* unseen :
         {"SFPIADD lreg_c=1 lreg_dest=4 instr_mod1=4\n", "SFPSHFT lreg_c=1 lreg_dest=4\n",
          "SFPSWAP lreg_src_c=4 lreg_dest=5 instr_mod1=1\n", "SFPSHFT2 lreg_src_c=4 lreg_dest=5 instr_mod1=3\n",
          "SFPSHFT2 imm12_math=4 lreg_src_c=1 lreg_dest=5 instr_mod1=5\n",
          "SFPSHFT2 imm12_math=4 lreg_dest=5 instr_mod1=6\n"})
        expect("hazard.vector-result", mad, unseen, true);
    expect("hazard.vector-result", "SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3\n", "SFPCONFIG config_dest=12\n",
           true);
    for (const char* seen : {"SFPIADD lreg_c=4 lreg_dest=5 instr_mod1=4\n", "SFPSWAP lreg_src_c=4 lreg_dest=5\n",
                             "SFPAND lreg_c=4 lreg_dest=5\n"})
        expect("hazard.vector-result", mad, seen, wormhole);
    if (blackhole()) {
        expect("hazard.vector-result", mad, "SFPAND imm12_math=4 lreg_c=1 lreg_dest=5 instr_mod1=1\n", true);
        expect("hazard.vector-result", mad, "SFPOR imm12_math=4 lreg_c=1 lreg_dest=5 instr_mod1=1\n", true);
        expect("hazard.vector-result", mad, "SFPOR imm12_math=4 lreg_c=1 lreg_dest=5\n", false);
    }
}

TEST_P(VectorHazards, HardwareWaitsForAResult) {
    const unsigned stalled = blackhole() ? 2 : 1;
    EXPECT_EQ(cycles_between(mad, "SFPMOV lreg_c=4 lreg_dest=5\n", "sfpmad", "sfpmov"), stalled);
    EXPECT_EQ(cycles_between(mad, "SFPMOV lreg_c=6 lreg_dest=5\n", "sfpmad", "sfpmov"), 1u);
    EXPECT_EQ(cycles_between(mad, "NOP\nSFPMOV lreg_c=4 lreg_dest=5\n", "sfpmad", "sfpmov"), 2u);
    // Believed to read VD.
    EXPECT_EQ(cycles_between(mad, "SFPSHFT2 imm12_math=1 lreg_dest=4 instr_mod1=6\n", "sfpmad", "sfpshft2"), stalled);
}

// SFPMAD, Instruction scheduling: with an index from LReg 7, any register may be meant.
TEST_P(VectorHazards, BlackholeWaitsForAnyRegisterThatAnIndexMayName) {
    const unsigned stalled = blackhole() ? 2 : 1;  // Wormhole never waits
    for (unsigned lreg = 0; lreg < 8; ++lreg) {
        SCOPED_TRACE(lreg);
        const std::string result = fmt::format("SFPMULI imm16_math=16256 lreg_dest={}\n", lreg),
                          use = fmt::format("SFPABS lreg_c={} lreg_dest=5\n", lreg);
        const std::string multiplies = "SFPMAD lreg_src_a=10 lreg_src_b=10 lreg_src_c=9 lreg_dest=5 instr_mod1=";
        EXPECT_EQ(cycles_between(result, multiplies + "4\n", "sfpmuli", "sfpmad"), stalled);
        EXPECT_EQ(cycles_between(result, multiplies + "0\n", "sfpmuli", "sfpmad"), 1u);
        EXPECT_EQ(cycles_between(multiplies + "8\n", use, "sfpmad", "sfpabs"), stalled);
        EXPECT_EQ(cycles_between(multiplies + "0\n", use, "sfpmad", "sfpabs"), lreg == 5 ? stalled : 1u);
    }
}

TEST_P(VectorHazards, SwapTakesTwoCycles) {
    const std::string swap = "SFPSWAP lreg_src_c=1 lreg_dest=2 instr_mod1=1\n", use = "SFPMOV lreg_c=1 lreg_dest=5\n";
    EXPECT_EQ(cycles_between(swap, use, "sfpswap", "sfpmov"), 2u);
    EXPECT_EQ(cycles_between(swap, "SFPNOP\n" + use, "sfpswap", "sfpmov"), 2u);
    EXPECT_EQ(cycles_between(swap, "SFPNOP\n", "sfpswap", "sfpnop"), 1u);
    EXPECT_FALSE(found("hazard.vector-result", swap + use));
}

TEST_P(VectorHazards, MovesBetweenLanes) {
    const bool wormhole = !blackhole();
    const std::string rotate = "SFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=3\n",
                      copy = "SFPSHFT2 lreg_src_c=1 instr_mod1=2\n";
    expect("hazard.vector-result", rotate, "SFPSTORE lreg_ind=2 instr_mod0=4\n", wormhole);
    expect("hazard.vector-result", rotate, "SFPSTORE lreg_ind=3 instr_mod0=4\n", false);
    expect("hazard.vector-result", copy, "SFPSTORE lreg_ind=3 instr_mod0=4\n", wormhole);
    expect("hazard.vector-shuffle", copy, "SFPLOADI lreg_ind=3\n", wormhole);
    expect("hazard.vector-shuffle", copy, "SFPLOADI lreg_ind=0\n", false);
    expect("hazard.vector-shuffle", rotate, "SFPMOV lreg_c=5 lreg_dest=6\n", wormhole);
    expect("hazard.vector-shuffle", "SFPSHFT2 lreg_src_c=1 lreg_dest=6 instr_mod1=3\n", "SFPSHFT2 lreg_dest=5\n",
           wormhole);
    expect("hazard.vector-shuffle", rotate, "SFPSHFT2 lreg_src_c=5 lreg_dest=5 instr_mod1=3\n", false);
    expect("hazard.vector-shuffle", rotate, "SFPSETCC lreg_c=5\n", false);
    EXPECT_EQ(cycles_between(rotate, "SFPMOV lreg_c=5 lreg_dest=6\n", "sfpshft2", "sfpmov"), wormhole ? 1u : 2u);
    EXPECT_EQ(cycles_between("SFPSHFT2 lreg_dest=5\n", "SFPMOV lreg_c=1 lreg_dest=6\n", "sfpshft2", "sfpmov"), 1u);
}

TEST_P(VectorHazards, TheBackdoorClosesLate) {
    const std::string shut = "SFPCONFIG imm16_math=2 config_dest=15 instr_mod1=1\n",
                      store = "SFPSTORE lreg_ind=13 instr_mod0=4\n";
    EXPECT_TRUE(found("hazard.vector-backdoor", shut + store));
    EXPECT_FALSE(found("hazard.vector-backdoor", shut + store));  // it is shut already
    EXPECT_TRUE(found("hazard.vector-backdoor", "SFPCONFIG config_dest=15 instr_mod1=1\n" + store));
    EXPECT_FALSE(found("hazard.vector-backdoor", shut + "SFPNOP\n" + store));
    EXPECT_FALSE(
        found("hazard.vector-backdoor", "SFPCONFIG config_dest=15 instr_mod1=1\nSFPSTORE lreg_ind=3 instr_mod0=4\n"));
}

// A scheduled instruction never stalls.
TEST_P(VectorHazards, ScheduledTooEarly) {
    const std::string templates = "SFPMAD lreg_src_a=10 lreg_src_b=1 lreg_src_c=11 lreg_dest=12\n";
    const auto scheduled = [&](unsigned mad_delay, unsigned store_delay, const std::string& behind = nops(6)) {
        return found("hazard.vector-schedule",
                     templates +
                         set_sequence(0, {{}, {Step::first_template, mad_delay, true}, {}, store_after(store_delay)}) +
                         set_misc(4) + macro(0, 1, 0) + behind);
    };
    EXPECT_TRUE(scheduled(0, 1));
    EXPECT_FALSE(scheduled(0, 2));
    // A thread's own instruction in the second cycle, and behind it.
    EXPECT_TRUE(scheduled(0, 7, "SFPNOP\nSFPMOV lreg_c=1 lreg_dest=5\n"));
    EXPECT_FALSE(scheduled(0, 7, "SFPNOP\nSFPNOP\nSFPMOV lreg_c=1 lreg_dest=5\n"));
    // Results that a thread's own instruction is still computing.
    EXPECT_TRUE(scheduled(6, 2, "SFPNOP\nSFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3 lreg_dest=1\n"));
    EXPECT_FALSE(scheduled(6, 3, "SFPNOP\nSFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3 lreg_dest=1\n"));
}

// Instructions scheduled by an earlier run, counted by instructions, execute in the next run and belong to none of its
// instructions.
TEST_P(VectorHazards, ScheduledByARunBefore) {
    unsigned reported = 0;
    for (unsigned between = 0; between < 6; ++between) {
        MacroRun both{GetParam()};
        both.run("SFPMAD lreg_src_a=10 lreg_src_b=1 lreg_src_c=11 lreg_dest=12\n" +
                 set_sequence(0, {{}, {Step::first_template, 2, true}, {}, {}}) + set_misc(4, 0, 0xF) + macro(0, 1, 0));
        for (const Finding& finding : both.run(nops(between) + "SFPMOV lreg_c=1 lreg_dest=5\n").findings) {
            if (finding.code != "hazard.vector-schedule") continue;
            ++reported;
            EXPECT_THAT(finding.message, testing::HasSubstr("of an earlier run"));
        }
    }
    EXPECT_EQ(reported, 1u);
}

// Erratum TEN-2932 (spec-notes V60).
TEST_P(VectorHazards, PlacesAreSpoiled) {
    const std::string on = "SFPCONFIG imm16_math=4 config_dest=15 instr_mod1=1\n";
    EXPECT_TRUE(found("vector.dest-index", on + "SFPMOV lreg_c=1 lreg_dest=4\n"));
    EXPECT_FALSE(found("vector.dest-index", on + "SFPMOV lreg_c=1 lreg_dest=3\n"));
    EXPECT_FALSE(found("vector.dest-index", on + "SFPLOADI lreg_ind=4\nSFPSWAP lreg_src_c=1 lreg_dest=2\nSFPTRANSP\n"));
    EXPECT_FALSE(found("vector.dest-index", "SFPCONFIG config_dest=15 instr_mod1=1\nSFPMOV lreg_c=1 lreg_dest=4\n"));
}

INSTANTIATE_TEST_SUITE_P(Archs, VectorHazards, testing::ValuesIn(all_archs), arch_name);

}  // namespace
}  // namespace tessera

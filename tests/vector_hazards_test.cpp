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

// SFPMAD, Instruction scheduling: these are believed to read VD and VC, although they read other registers.
TEST_P(VectorHazards, BlackholeWaitsForVDAndVCOfWhatReadsOthers) {
    const unsigned stalled = blackhole() ? 2 : 1;  // Wormhole never waits
    constexpr struct {
        const char *line, *name;
    } others[] = {{"SFPAND imm12_math=1 lreg_c={} lreg_dest={} instr_mod1=1\n", "sfpand"},
                  {"SFPOR imm12_math=1 lreg_c={} lreg_dest={} instr_mod1=1\n", "sfpor"},
                  {"SFPSHFT2 imm12_math=1 lreg_src_c={} lreg_dest={} instr_mod1=5\n", "sfpshft2"}};
    for (const auto& other : others) {
        SCOPED_TRACE(other.line);
        const auto after_mad = [&](unsigned vc, unsigned vd) {
            return cycles_between(mad, fmt::format(fmt::runtime(other.line), vc, vd), "sfpmad", other.name);
        };
        EXPECT_EQ(after_mad(4, 5), stalled);
        EXPECT_EQ(after_mad(5, 4), stalled);
        EXPECT_EQ(after_mad(5, 6), 1u);
    }
}

// SFPCONFIG page: a value that is not the immediate comes from LReg 0.
TEST_P(VectorHazards, ConfigurationReadsLReg0) {
    const auto result_in = [](unsigned lreg) {
        return fmt::format("SFPMAD lreg_src_a=9 lreg_src_b=9 lreg_src_c=9 lreg_dest={}\n", lreg);
    };
    for (const unsigned to : {0u, 4u, 8u, 12u, 15u}) {
        const std::string config = fmt::format("SFPCONFIG config_dest={}\n", to);
        expect("hazard.vector-result", result_in(0), config, true);
        expect("hazard.vector-result", result_in(1), config, false);
        if (to) expect("hazard.vector-result", result_in(0), fmt::format("SFPCONFIG config_dest={} instr_mod1=1\n", to), false);
    }
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

// SFPLUTFP32 of Blackhole, Instruction scheduling: stalls go by bit 3 of Mod1Mirror, the result by Mod1.
class MirroredMode : public testing::Test {
protected:
    MacroRun machine{Arch::blackhole};
    static constexpr unsigned indirect_vd = 8;

    static std::string table(unsigned mode, unsigned mirror) {
        return fmt::format("SFPLUTFP32 lreg_dest=2 instr_mod1={} mod1_mirror={}\n", mode, mirror);
    }
    /// Cycles from `a` to `b`, and whether `b` reads a result too early.
    void expect(const std::string& text, const char* a, const char* b, unsigned cycles, bool early) {
        const auto run = machine.run(text);
        EXPECT_EQ(machine.at(b).start - machine.at(a).start, cycles) << text;
        EXPECT_EQ(has(run, "hazard.vector-result"), early) << text;
        EXPECT_FALSE(has(run, "isa.undefined-bits")) << text;
    }
};

TEST_F(MirroredMode, DecidesWhichResultsATableWaitsFor) {
    for (const unsigned mode : {0u, 2u, 3u, 6u, 8u, 10u})
        for (const unsigned mirror : {0u, 2u, 7u, 8u, 10u, 15u})
            for (unsigned lreg = 0; lreg < 8; ++lreg) {
                const bool waits = mirror & indirect_vd || lreg != 7, needs_lreg7 = mode & indirect_vd;
                expect(fmt::format("SFPMULI imm16_math=16256 lreg_dest={}\n", lreg) + table(mode, mirror), "sfpmuli",
                       "sfplutfp32", waits ? 2 : 1, !waits && needs_lreg7);
            }
}

TEST_F(MirroredMode, DecidesWhoWaitsForATable) {
    constexpr unsigned vd = 2, named = 5;
    for (const unsigned mode : {0u, 2u, 3u, 6u, 8u, 10u})
        for (const unsigned mirror : {0u, 2u, 7u, 8u, 10u, 15u})
            for (const unsigned lreg : {vd, named}) {
                const bool waits = mirror & indirect_vd || lreg == vd, is_named = mode & indirect_vd && lreg == named;
                expect(fmt::format("SFPLOADI lreg_ind=7 instr_mod0=2 imm16={}\n", named) + table(mode, mirror) +
                           fmt::format("SFPMOV lreg_c={} lreg_dest=0\n", lreg),
                       "sfplutfp32", "sfpmov", waits ? 2 : 1, !waits && is_named);
            }
}

TEST_F(MirroredMode, NamesTheRegisterThatIsReadTooEarly) {
    const auto message = [&](const std::string& text) {
        for (const Finding& finding : machine.run(text).findings)
            if (finding.code == "hazard.vector-result") return finding.message;
        return std::string();
    };
    EXPECT_EQ(message("SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3 lreg_dest=7\n" + table(10, 0)),
              "reads LReg 7, which T1 op 0 just before it has not written yet");
    EXPECT_EQ(message(table(10, 0) + "SFPMOV lreg_c=5 lreg_dest=0\n"),
              "reads LReg 5, which T1 op 0 just before it has not written yet");
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

// SFPSWAP and moves between lanes have results as late as SFPMAD, in the registers that they write.
TEST_P(VectorHazards, ScheduledBehindExchangesAndMovesBetweenLanes) {
    const auto too_early = [&](const std::string& line, const Sequence& sequence) {
        return found("hazard.vector-schedule", line + set_sequence(0, sequence) + set_misc(4) + macro(0, 1, 0) + nops(6));
    };
    for (const unsigned delay : {1u, 2u}) {
        const Step first{Step::first_template, 0}, compared{Step::first_template, 0, true};
        EXPECT_EQ(too_early("SFPSWAP lreg_src_c=2 lreg_dest=12 instr_mod1=1\n", {compared, nop_after(0), {}, store_after(delay)}),
                  delay == 1);
        for (const unsigned mode : {3u, 4u, 5u})
            EXPECT_EQ(too_early(fmt::format("SFPSHFT2 lreg_src_c=1 lreg_dest=12 instr_mod1={}\n", mode),
                                {{}, {}, first, store_after(delay)}),
                      delay == 1 && mode < 5)
                << mode;
        EXPECT_FALSE(too_early("SFPMOV lreg_c=1 lreg_dest=12\n", {first, {}, {}, store_after(delay)}));
    }
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

// SFPSHFT2: which modes take two cycles, and which registers copy4 still reads and writes in the second one.
TEST_P(VectorHazards, EachModeOfSfpshft2) {
    const bool wormhole = !blackhole();
    for (unsigned mode = 0; mode < 7; ++mode) {
        const bool late = mode >= 2 && mode <= 4, copies = mode < 3;
        const std::string shuffle = fmt::format("SFPSHFT2 lreg_src_c=1 lreg_dest=6 instr_mod1={}\n", mode);
        expect("hazard.vector-shuffle", shuffle, "SFPMOV lreg_c=5 lreg_dest=7\n", wormhole && late);
        expect("hazard.vector-result", shuffle, "SFPSTORE lreg_ind=6 instr_mod0=4\n", wormhole && late && !copies);
        expect("hazard.vector-result", shuffle, "SFPSTORE lreg_ind=0 instr_mod0=4\n", wormhole && late && copies);
    }
    const std::string copy = "SFPSHFT2 lreg_src_c=1 instr_mod1=2\n";
    const std::string rotate = "SFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=3\n";
    for (unsigned lreg = 0; lreg < 8; ++lreg) {
        const std::string store = fmt::format("SFPSTORE lreg_ind={} instr_mod0=4\n", lreg);
        const std::string loadi = fmt::format("SFPLOADI lreg_ind={}\n", lreg);
        expect("hazard.vector-result", copy, store, wormhole && lreg < 4);
        expect("hazard.vector-shuffle", copy, loadi, wormhole && lreg >= 1 && lreg <= 3);
        expect("hazard.vector-shuffle", rotate, loadi, false);
    }
}

// A load or an immediate that keeps a half of its register reads it.
TEST_P(VectorHazards, AHalfThatStaysIsRead) {
    const bool wormhole = !blackhole();
    for (unsigned mode = 0; mode < 16; ++mode)
        expect("hazard.vector-result", mad, fmt::format("SFPLOAD lreg_ind=4 instr_mod0={}\n", mode),
               wormhole && mode >= 14);
    for (const unsigned mode : {0u, 1u, 2u, 4u, 8u, 10u})
        expect("hazard.vector-result", mad, fmt::format("SFPLOADI lreg_ind=4 instr_mod0={}\n", mode),
               wormhole && mode >= 8);
    expect("hazard.vector-result", mad, "SFPLOAD lreg_ind=5 instr_mod0=14\n", false);
}

/// The message of the finding with that code, on a new core.
std::string message(Arch arch, const std::string& text, std::string_view code) {
    MacroRun fresh{arch};
    for (const Finding& finding : fresh.run(text).findings)
        if (finding.code == code) return finding.message;
    return "";
}

/// To lane configuration in all columns.
std::string lane_config(unsigned value) {
    return fmt::format("SFPCONFIG imm16_math={} config_dest=15 instr_mod1=1\n", value);
}
constexpr unsigned disable_backdoor_load = 1 << 1, enable_dest_index = 1 << 2;

// LRegs 12 to 15 of instructions of a sub-unit are templates; LREG11 is not one, nor what a load writes.
TEST_P(VectorHazards, TheBackdoorOfEachTemplate) {
    const auto behind = [](const std::string& first, const std::string& second) {
        return message(GetParam(), first + second, "hazard.vector-backdoor");
    };
    const std::string shut = lane_config(disable_backdoor_load);
    for (unsigned lreg = 10; lreg < 16; ++lreg)
        EXPECT_EQ(behind(shut, fmt::format("SFPSTORE lreg_ind={} instr_mod0=4\n", lreg)),
                  lreg < 12 ? ""
                            : fmt::format("writes LReg {} directly behind T1 op 0, which changes DISABLE_BACKDOOR_LOAD",
                                          lreg));
    for (const std::string other :
         {"SFPLOAD lreg_ind=12 instr_mod0=4\n", "SFPLOADI lreg_ind=12\n", "SFPNOP\n", "SFPCONFIG config_dest=12\n"})
        EXPECT_EQ(behind(shut, other), "") << other;
    // Other lane configuration, and another destination of SFPCONFIG.
    for (const std::string& other :
         {lane_config(enable_dest_index), std::string("SFPCONFIG imm16_math=2 config_dest=8 instr_mod1=1\n")})
        EXPECT_EQ(behind(other, "SFPSTORE lreg_ind=12 instr_mod0=4\n"), "") << other;
}

// A template is kept for each lane column, and each of the sub-units records some.
TEST_P(VectorHazards, TheBackdoorOfEachColumnAndSubUnit) {
    const std::string value = "SFPLOADI lreg_ind=0 instr_mod0=2 imm16=2\n";
    for (unsigned column = 0; column < 8; ++column)
        EXPECT_EQ(message(GetParam(),
                          value + fmt::format("SFPCONFIG imm16_math={} config_dest=15 instr_mod1=8\n", 1u << 2 * column) +
                              "SFPSTORE lreg_ind=12 instr_mod0=4\n",
                          "hazard.vector-backdoor"),
                  "writes LReg 12 directly behind T1 op 1, which changes DISABLE_BACKDOOR_LOAD")
            << column;
    for (const char* line :
         {"SFPMOV lreg_c=1 lreg_dest=14\n", "SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3 lreg_dest=14\n", "SFPLUT lreg_ind=14\n",
          "SFPSHFT2 imm12_math=1 lreg_dest=14 instr_mod1=6\n", "SFP_STOCH_RND lreg_src_c=1 lreg_dest=14\n"})
        EXPECT_EQ(message(GetParam(), lane_config(disable_backdoor_load) + line, "hazard.vector-backdoor"),
                  "writes LReg 14 directly behind T1 op 0, which changes DISABLE_BACKDOOR_LOAD")
            << line;
}

// Erratum TEN-2932 (spec-notes V60): LRegs 4 to 7, whichever lane column has ENABLE_DEST_INDEX.
TEST_P(VectorHazards, PlacesOfEachRegisterAndColumn) {
    const auto behind = [](const std::string& configuration, unsigned lreg) {
        return message(GetParam(), configuration + fmt::format("SFPMOV lreg_c=1 lreg_dest={}\n", lreg),
                       "vector.dest-index");
    };
    const auto writes = [](unsigned lreg) {
        return fmt::format("writes LReg {} while ENABLE_DEST_INDEX is set", lreg);
    };
    for (unsigned lreg = 0; lreg < 8; ++lreg)
        EXPECT_EQ(behind(lane_config(enable_dest_index), lreg), lreg < 4 ? "" : writes(lreg));
    // Bit 2i of the immediate selects column i, and the value is LReg 0.
    const std::string value = "SFPLOADI lreg_ind=0 instr_mod0=2 imm16=4\n";
    for (unsigned column = 0; column < 8; ++column) {
        const unsigned mask = 1u << 2 * column;
        const std::string config = fmt::format("SFPCONFIG imm16_math={} config_dest=15 instr_mod1=8\n", mask);
        EXPECT_EQ(behind(value + config, 7), writes(7)) << column;
    }
    EXPECT_EQ(behind(lane_config(0xFFF3 & ~enable_dest_index & ~disable_backdoor_load), 7), "");
}

TEST_P(VectorHazards, NameTheRegisterAndTheInstruction) {
    const std::string before = "SFPNOP\nSFPNOP\n" + mad;
    EXPECT_EQ(message(GetParam(), before + "SFPSHFT lreg_c=1 lreg_dest=4\n", "hazard.vector-result"),
              "reads LReg 4, which T1 op 2 just before it has not written yet");
    const std::string rotate = "SFPNOP\nSFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=3\n";
    EXPECT_EQ(message(GetParam(), rotate + "SFPMOV lreg_c=5 lreg_dest=6\n", "hazard.vector-shuffle"),
              blackhole() ? "" : "executes in the second cycle of T1 op 1, an SFPSHFT2");
}

INSTANTIATE_TEST_SUITE_P(Archs, VectorHazards, testing::ValuesIn(all_archs), arch_name);

}  // namespace
}  // namespace tessera

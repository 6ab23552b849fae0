// SPDX-License-Identifier: Apache-2.0
// SFPLOADMACRO equals the instructions that it schedules, in the cycles of its page (Functional model and the text
// behind it; spec-notes V65 to V73).
#include <gmock/gmock.h>

#include "support/explained.hpp"
#include "support/macro_run.hpp"

namespace tessera {
namespace {

using namespace test;

class Macro : public testing::TestWithParam<Arch> {
protected:
    MacroRun machine{GetParam()};
    MacroRun plain{GetParam()};
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    std::string wait_for_vector() const {
        return fmt::format("STALLWAIT stall_res=0x1FF wait_res={}\n", blackhole() ? 1 << 11 : 1 << 14);
    }
};

// x - 1, rounded to BF16, to the place that x came from.
const std::string minus_one = "SFPMAD lreg_src_a=10 lreg_src_b=1 lreg_src_c=11 lreg_dest=12\n";  // template 0: VB is VD
const std::string round_bf16 = "SFP_STOCH_RND lreg_src_c=1 lreg_dest=13 instr_mod1=1\n";         // template 1
const std::string move = "SFPMOV lreg_c=1 lreg_dest=14\n";                                       // template 2
const Step mad_first{Step::first_template, 0, true};

TEST_P(Macro, FourStepsAreTheFourInstructions) {
    const Sequence sequence{{Step::first_template + 2, 4}, mad_first, {Step::first_template + 1, 2}, store_after(6)};
    machine.run(minus_one + round_bf16 + move + set_sequence(2, sequence) + set_misc(4) + macro(2, 5, 8) + nops(8));
    plain.run(set_lreg0(0) +
              "SFPLOAD lreg_ind=5 instr_mod0=4 dest_reg_addr=8\nSFPMAD lreg_src_a=10 lreg_src_b=5 lreg_src_c=11 "
              "lreg_dest=5\nSFPNOP\nSFP_STOCH_RND lreg_src_c=5 lreg_dest=5 instr_mod1=1\nSFPMOV lreg_c=5 "
              "lreg_dest=5\nSFPSTORE lreg_ind=5 instr_mod0=4 dest_reg_addr=8\n");
    EXPECT_EQ(machine.lreg(5), plain.lreg(5));
    EXPECT_EQ(machine.dst(), plain.dst());
    const auto issue = machine.at("sfploadmacro").start;
    EXPECT_EQ(machine.at("sfpmad", 1).start, issue + 1);
    EXPECT_EQ(machine.at("sfp_stoch_rnd", 1).start, issue + 3);
    EXPECT_EQ(machine.at("sfpmov", 1).start, issue + 5);
    EXPECT_EQ(machine.at("sfpstore").start, issue + 7);
}

TEST_P(Macro, InstantTimingAndSeedsGiveTheSame) {
    const Sequence sequence{{}, mad_first, {Step::first_template + 1, 2}, store_after(3)};
    std::string text = minus_one + round_bf16 + set_sequence(0, sequence) + set_misc(4);
    for (unsigned i = 0; i < 8; ++i) text += macro(0, i % 4, 4 * i) + nops(1);
    text += nops(6);
    machine.run(text);
    for (int seed = -1; seed < 8; ++seed) {
        MacroRun other(GetParam());
        RunOptions options;
        options.timing = seed < 0 ? Timing::instant : Timing::documented;
        if (seed >= 0) options.seed = static_cast<std::uint64_t>(seed);
        other.run(text, options);
        EXPECT_EQ(other.dst(), machine.dst()) << seed;
    }
}

TEST_P(Macro, EveryDelayInCycles) {
    for (unsigned delay = 0; delay < 8; ++delay) {
        // Whether or not instructions are issued meanwhile.
        for (const std::string& behind : {std::string(), nops(3), std::string("NOP\nNOP\n")}) {
            machine.run(set_sequence(0, {{}, {}, {}, store_after(delay)}) + set_misc(4) + macro(0, 1, 0) + behind);
            EXPECT_EQ(machine.at("sfpstore").start, machine.at("sfploadmacro").start + 1 + delay);
        }
    }
}

// A delay comes down with each vector instruction that is issued; at 0 the next cycle executes it.
TEST_P(Macro, DelaysInInstructions) {
    for (unsigned delay = 0; delay < 8; ++delay) {
        std::string text = set_sequence(0, {{}, {}, {}, store_after(delay)}) + set_misc(4, 0, 8) + macro(0, 1, 0);
        for (unsigned i = 0; i < 9; ++i) text += "NOP\nNOP\nSFPNOP\n";
        machine.run(text);
        const auto before = delay ? machine.at("sfpnop", delay - 1).start : machine.at("sfploadmacro").start;
        EXPECT_EQ(machine.at("sfpstore").start, before + 1) << delay;
    }
}

// One that counts instructions makes all of them count instructions.
TEST_P(Macro, InstructionsDecideForAll) {
    machine.run(move + set_sequence(0, {{Step::first_template + 2, 2}, {}, {}, store_after(4)}) + set_misc(4, 0, 8) +
                macro(0, 1, 0) + "NOP\nNOP\nNOP\nNOP\nSFPNOP\nNOP\nSFPNOP\nNOP\nSFPNOP\nNOP\nSFPNOP\n");
    EXPECT_EQ(machine.at("sfpmov", 1).start, machine.at("sfpnop", 1).start + 1);
    EXPECT_EQ(machine.at("sfpstore").start, machine.at("sfpnop", 3).start + 1);
}

TEST_P(Macro, BackToBack) {
    const Sequence sequence{{}, mad_first, {}, store_after(3)};
    std::string text = minus_one + set_sequence(1, sequence) + set_misc(4, 0, 0xF), expected = set_lreg0(0);
    for (unsigned i = 0; i < 12; ++i) {
        text += macro(1, 1 + i % 7, 4 * i);
        const unsigned vd = 1 + i % 7;
        expected += fmt::format(
            "SFPLOAD lreg_ind={0} instr_mod0=4 dest_reg_addr={1}\nSFPMAD lreg_src_a=10 lreg_src_b={0} lreg_src_c=11 "
            "lreg_dest={0}\nSFPNOP\nSFPSTORE lreg_ind={0} instr_mod0=4 dest_reg_addr={1}\n",
            vd, 4 * i);
    }
    const auto run = machine.run(text + nops(5));
    plain.run(expected);
    EXPECT_EQ(machine.dst(), plain.dst());
    EXPECT_THAT(run.findings, testing::IsEmpty());
    // A load, a multiply-add and a store in one cycle.
    EXPECT_EQ(machine.at("sfpstore").start, machine.at("sfpmad", 4).start);
    EXPECT_EQ(machine.at("sfpstore").start, machine.at("sfploadmacro", 4).start);
}

TEST_P(Macro, ForgetsWhatWouldExecuteAtTheSameTime) {
    machine.run(set_sequence(0, {{}, {}, {}, store_after(3)}) + set_sequence(1, {{}, {}, {}, store_after(1)}) +
                set_misc(4) + macro(0, 1, 0) + nops(1) + macro(1, 2, 8) + nops(4));
    EXPECT_EQ(machine.count("sfpstore"), 1u);
    // Code 0 schedules nothing and forgets nothing, whatever its delay.
    for (unsigned delay = 0; delay < 8; ++delay) {
        const auto run = machine.run(set_sequence(0, {{}, {}, {}, store_after(1)}) +
                                     set_sequence(1, {{}, {}, {}, {Step::nothing, delay}}) + set_misc(4) +
                                     macro(0, 1, 0) + macro(1, 2, 8) + nops(4));
        EXPECT_EQ(machine.count("sfpstore"), 1u) << delay;
        ASSERT_EQ(run.findings.size(), 1u) << delay;
        EXPECT_EQ(run.findings[0].code, "vector.macro-empty");
    }
}

TEST_P(Macro, AReplacedInstructionIsTold) {
    const auto replaces = [&](unsigned first, unsigned second) {
        const auto run = machine.run(set_sequence(0, {{}, {}, {}, store_after(first)}) +
                                     set_sequence(1, {{}, {}, {}, store_after(second)}) + set_misc(4) + macro(0, 1, 0) +
                                     nops(1) + macro(1, 2, 8) + nops(8));
        EXPECT_EQ(machine.count("sfpstore"), has(run, "vector.macro-replaced") ? 1u : 2u);
        return has(run, "vector.macro-replaced");
    };
    EXPECT_TRUE(replaces(3, 1));
    EXPECT_FALSE(replaces(3, 0));
    EXPECT_FALSE(replaces(3, 2));
}

// LReg 16, and what the macro puts in place of VB, VC and VD.
TEST_P(Macro, HiddenRegister) {
    const Step to_hidden{Step::first_template, 0, true, true};
    machine.run(minus_one + set_sequence(0, {{}, to_hidden, {}, store_after(2, true)}) + set_misc(4) + macro(0, 3, 4) +
                nops(4));
    plain.run(set_lreg0(0) +
              "SFPLOAD lreg_ind=3 instr_mod0=4 dest_reg_addr=4\nSFPMAD lreg_src_a=10 lreg_src_b=3 lreg_src_c=11 "
              "lreg_dest=2\nSFPNOP\nSFPSTORE lreg_ind=2 instr_mod0=4 dest_reg_addr=4\n");
    EXPECT_EQ(machine.dst(), plain.dst());
    EXPECT_EQ(machine.lreg(3), plain.lreg(3));
    EXPECT_EQ(machine.lreg(16), plain.lreg(2));
}

// The encoded VD of a template stands for a register that its encoding does not name: here LReg 13.
TEST_P(Macro, EncodedDestinationIsTheOtherOperand) {
    const std::string exclusive_or = "SFPXOR lreg_c=2 lreg_dest=13\n";
    machine.run(exclusive_or + set_sequence(0, {{Step::first_template + 1, 0}, {}, {}, {}}) + macro(0, 1, 0) + nops(3));
    plain.run("SFPLOAD lreg_ind=1 instr_mod0=4 dest_reg_addr=0\nSFPXOR lreg_c=13 lreg_dest=1\n");
    EXPECT_EQ(machine.lreg(1), plain.lreg(1));
}

// SFPSWAP has no VB either: a value is clamped by comparing it with a constant register, or with any other, which stays (V77).
TEST_P(Macro, SwapComparesWithTheEncodedDestination) {
    constexpr std::uint32_t limit = 0x3000'0000;  // some of the numbers in Dst are above it, some below
    for (const unsigned other : {14u, 5u})
        for (const bool larger : {true, false}) {
            const unsigned mode = larger ? 1 : 9;
            MacroRun swapped(GetParam());
            swapped.run(set_lreg0(limit) + (other == 14 ? "SFPCONFIG config_dest=14\n" : "SFPMOV lreg_c=0 lreg_dest=5 instr_mod1=2\n") +
                        set_lreg0(0x92000000 | other << 4 | mode) + "SFPCONFIG config_dest=0\n" +
                        set_sequence(1, {{Step::first_template, 0}, nop_after(0), {}, store_after(2)}) + set_misc(4) + macro(1, 3, 4) +
                        nops(4));
            plain.run("SFPLOAD lreg_ind=3 instr_mod0=4 dest_reg_addr=4\n");
            for (unsigned lane = 0; lane < 32; ++lane) {
                const std::uint32_t x = plain.lreg(3)[lane];
                EXPECT_EQ(swapped.lreg(3)[lane], larger ? std::max(x, limit) : std::min(x, limit)) << other << lane;
                EXPECT_EQ(swapped.lreg(other)[lane], limit);
            }
        }
}

TEST_P(Macro, StoreModeAndAddress) {
    // Its own mode, or that of the load; the address is fixed when the macro is issued.
    for (const bool of_load : {false, true}) {
        machine.run(set_sequence(3, {{}, {}, {}, store_after(5)}) + set_misc(2, of_load ? 8 : 0) + macro(3, 1, 4) +
                    "INCRWC rwc_d=8\n" + nops(6) + "SETRWC BitMask=4\n");
        plain.run(set_lreg0(0) + fmt::format("SFPLOAD lreg_ind=1 instr_mod0=4 dest_reg_addr=4\nSFPSTORE lreg_ind=1 "
                                             "instr_mod0={} dest_reg_addr=4\n",
                                             of_load ? 4 : 2));
        EXPECT_EQ(machine.dst(), plain.dst()) << of_load;
    }
    // With the second choice, the template's own register.
    machine.run("SFPCONFIG imm16_math=2 config_dest=15 instr_mod1=3\n" + set_lreg0(0x72000000 | 10 << 20) +
                "SFPCONFIG config_dest=0\n" + set_sequence(0, {{}, {}, {}, {Step::first_template, 0, true}}) +
                set_misc(4) + macro(0, 1, 12) + nops(2));
    plain.run("SFPSTORE lreg_ind=10 instr_mod0=4 dest_reg_addr=12\n");
    EXPECT_EQ(machine.dst(), plain.dst());
}

// Round reads what simple writes in the same cycle: it sees what was there before.
TEST_P(Macro, SubUnitsReadBeforeAnyWrites) {
    const std::string invert = "SFPNOT lreg_c=1 lreg_dest=12\n",
                      shift = "SFPSHFT2 imm12_math=1 lreg_dest=13 instr_mod1=6\n";
    machine.run(invert + shift +
                set_sequence(0, {{Step::first_template, 1}, {}, {Step::first_template + 1, 1, true, true}, {}}) +
                macro(0, 2, 0) + nops(3));
    plain.run("SFPLOAD lreg_ind=2 instr_mod0=4 dest_reg_addr=0\n");
    for (unsigned lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(machine.lreg(2)[lane], ~plain.lreg(2)[lane]);
        EXPECT_EQ(machine.lreg(16)[lane], plain.lreg(2)[lane] << 1);
    }
}

TEST_P(Macro, ARegularInstructionInTheWayIsDiscarded) {
    const std::string text = move + set_sequence(0, {{Step::first_template + 2, 1}, {}, {}, {}}) + macro(0, 1, 0);
    const auto run = machine.run(text + "SFPNOP\nSFPNOT lreg_c=10 lreg_dest=4\n");
    EXPECT_TRUE(has(run, "vector.macro-collision"));
    EXPECT_EQ(machine.lreg(4), MacroRun(GetParam()).lreg(4));
    EXPECT_FALSE(has(machine.run(text + "SFPNOP\nSFPNOP\nSFPNOT lreg_c=10 lreg_dest=4\n"), "vector.macro-collision"));
    EXPECT_EQ(machine.lreg(4)[0], ~0x3F800000u);
    // Another sub-unit is free.
    EXPECT_FALSE(
        has(machine.run(text + "SFPNOP\nSFPSHFT2 imm12_math=0 lreg_dest=4 instr_mod1=6\n"), "vector.macro-collision"));
}

TEST_P(Macro, WaitsForWhatTimeBrings) {
    const std::string text = set_sequence(0, {{}, {}, {}, store_after(7)}) + set_misc(4) + macro(0, 1, 0);
    machine.run(text + wait_for_vector() + "SEMPOST sem_sel=1\n");
    EXPECT_GT(machine.at("sempost").issue, machine.at("sfpstore").start);
    machine.run(text + ".drain\nNOP\n");
    EXPECT_GT(machine.at("nop").issue, machine.at("sfpstore").start);
}

// Scheduled instructions that wait for further instructions block nothing; they are reported, and kept for the next
// run.
TEST_P(Macro, UnfinishedAtTheEnd) {
    const std::string text = set_sequence(0, {{}, {}, {}, store_after(2)}) + set_misc(4, 0, 8) + macro(0, 1, 0);
    const auto run = machine.run(text + wait_for_vector() + "SEMPOST sem_sel=1\n");
    EXPECT_TRUE(has(run, "vector.macro-unfinished"));
    EXPECT_EQ(machine.count("sfpstore"), 0u);
    EXPECT_FALSE(has(machine.run(nops(2)), "vector.macro-unfinished"));
    EXPECT_EQ(machine.count("sfpstore"), 1u);
    EXPECT_FALSE(has(machine.run(text + nops(2)), "vector.macro-unfinished"));
}

TEST_P(Macro, WhatThePageLeavesOpen) {
    const auto only = [&](const Sequence& sequence) {
        return machine.run(move + set_sequence(0, sequence) + set_misc(4) + macro(0, 1, 0) + nops(2));
    };
    EXPECT_TRUE(has(only({{Step::undefined, 0}, {}, {}, {}}), "vector.macro-code"));
    EXPECT_TRUE(has(only({{}, {}, {}, {}}), "vector.macro-empty"));
    EXPECT_FALSE(has(only({{Step::nop, 0}, {}, {}, {}}), "vector.macro-empty"));
    EXPECT_TRUE(has(only({{}, {}, {}, {Step::nop, 0}}), "vector.macro-store"));
    EXPECT_TRUE(has(only({{}, {}, {}, {Step::first_template + 2, 0}}), "vector.macro-store"));
    const std::size_t moves = machine.count("sfpmov");
    EXPECT_TRUE(has(only({{}, {Step::first_template + 2, 0}, {}, {}}), "vector.macro-unfit"));
    EXPECT_EQ(machine.count("sfpmov"), moves);  // SFPNOP in its place
    EXPECT_FALSE(has(only({{Step::first_template + 2, 0}, {}, {}, {}}), "vector.macro-unfit"));
    const std::string one_column = "SFPCONFIG imm16_math=4 config_dest=4 instr_mod1=9\n";
    EXPECT_TRUE(has(machine.run(set_sequence(0, {}) + one_column + macro(0, 1, 0)), "vector.macro-columns"));
}

// Two results in one cycle; SFPSWAP's companions.
TEST_P(Macro, NotesBelowTheTable) {
    const std::string shift = "SFPSHFT2 imm12_math=1 lreg_dest=13 instr_mod1=6\n",
                      swap = "SFPSWAP lreg_src_c=2 lreg_dest=15\n";
    const auto found = [&](const char* code, const Sequence& sequence) {
        return has(machine.run(move + shift + swap + set_sequence(0, sequence) + macro(0, 1, 0) + nops(4)), code);
    };
    const Step simple{Step::first_template + 2, 1}, round{Step::first_template + 1, 1},
        swapped{Step::first_template + 3, 1, true};
    EXPECT_TRUE(found("vector.macro-two-results", {simple, {}, round, {}}));
    EXPECT_FALSE(found("vector.macro-two-results", {simple, {}, {round.code, 1, false, true}, {}}));
    EXPECT_FALSE(found("vector.macro-two-results", {simple, {}, {round.code, 2}, {}}));
    EXPECT_FALSE(found("vector.macro-swap", {swapped, {}, {}, {}}));
    EXPECT_FALSE(found("vector.macro-swap", {swapped, nop_after(1), {}, {}}));
    // The MAD sub-unit has a scheduled instruction, or one that the thread issues.
    const auto swaps_beside = [&](const std::string& set_up, const Sequence& sequence, const std::string& behind) {
        return has(machine.run(set_up + swap + set_sequence(0, sequence) + macro(0, 1, 0) + behind + nops(4)),
                   "vector.macro-swap");
    };
    const std::string mad = "SFPMAD lreg_src_a=10 lreg_src_b=3 lreg_src_c=11 lreg_dest=3\n";
    EXPECT_TRUE(swaps_beside(minus_one, {swapped, {Step::first_template, 1, true}, {}, {}}, ""));
    EXPECT_FALSE(swaps_beside(minus_one, {swapped, {Step::first_template, 2, true}, {}, {}}, ""));
    EXPECT_TRUE(swaps_beside("", {swapped, {}, {}, {}}, nops(1) + mad));
    EXPECT_FALSE(swaps_beside("", {swapped, {}, {}, {}}, nops(2) + mad));
    EXPECT_EQ(found("vector.macro-swap", {swapped, nop_after(1), {round.code, 2}, {}}), blackhole());
    EXPECT_FALSE(found("vector.macro-swap", {swapped, nop_after(1), {round.code, 3}, {}}));
}

// LReg 7 chooses where an indirect MAD puts its result: only that register is late.
TEST_P(Macro, AnIndirectResultIsThatOfTheNamedRegister) {
    const auto is_early = [&](unsigned reads) {
        return has(machine.run("SFPMAD lreg_src_a=10 lreg_src_b=1 lreg_src_c=11 lreg_dest=12 instr_mod1=8\n" +
                               set_sequence(0, {{}, mad_first, {}, {}}) +
                               "SFPLOADI lreg_ind=7 instr_mod0=2 imm16=3\nSFPNOP\n" + macro(0, 1, 0) + nops(1) +
                               fmt::format("SFPMOV lreg_c={} lreg_dest=5\n", reads) + nops(2)),
                   "hazard.vector-schedule");
    };
    EXPECT_TRUE(is_early(3));
    EXPECT_FALSE(is_early(2));
}

// The address mode moves counters as that of SFPLOAD does, once; fidelity phases stay.
TEST_P(Macro, CountersMoveAsBehindALoad) {
    const std::string modes =
        ".cfg ADDR_MOD_AB_SEC1_SrcAIncr = 3\n.cfg ADDR_MOD_AB_SEC1_SrcBIncr = 5\n.cfg ADDR_MOD_DST_SEC1_DestIncr = 8\n"
        ".cfg ADDR_MOD_DST_SEC1_FidelityIncr = 1\n.cfg ADDR_MOD_DST_SEC2_DestIncr = 4\n.drain\n";
    const auto counter = [](const MacroRun& run, std::string_view name) {
        const Section& all = run.section("rwc");
        for (std::size_t i = 0; i < all.size; ++i)
            if (all.describe(i) == fmt::format("rwc thread 1 {}", name)) return run.core.read(all, i);
        throw std::out_of_range(std::string(name));
    };
    for (const unsigned mode : {0u, 1u, 2u}) {
        SCOPED_TRACE(mode);
        MacroRun fresh(GetParam());
        fresh.run(modes + set_sequence(0, {{}, {}, {}, store_after(3)}) + set_misc(4) +
                  fmt::format("SFPLOADMACRO lreg_ind=1 instr_mod0=4 sfpu_addr_mode={} dest_reg_addr=0\n", mode) + nops(6));
        EXPECT_EQ(fresh.count("sfpstore"), 1u);
        EXPECT_EQ(counter(fresh, "src_a"), mode == 1 ? 3u : 0u);
        EXPECT_EQ(counter(fresh, "src_b"), mode == 1 ? 5u : 0u);
        EXPECT_EQ(counter(fresh, "dst"), mode == 1 ? 8u : mode == 2 ? 4u : 0u);
        EXPECT_EQ(counter(fresh, "fidelity"), 0u);
    }
}

// When and with which registers each sub-unit executes its step, as `tessera explain` says it.
TEST_P(Macro, TheExplanationNamesWhatIsScheduled) {
    const Sequence sequence{{Step::first_template + 2, 4}, mad_first, {Step::first_template + 1, 2}, store_after(6)};
    for (const bool by_instructions : {false, true}) {
        const Explained it(minus_one + round_bf16 + move + set_sequence(2, sequence) + set_misc(4, 0, by_instructions ? 8 : 0) +
                               macro(2, 5, 8) + nops(8),
                           "SFPLOADMACRO", GetParam());
        EXPECT_EQ(it("schedules", "simple sub-unit"), "SFPMOV in 5 cycles, VB 14, VC 5, VD 5");
        EXPECT_EQ(it("schedules", "MAD sub-unit"), "SFPMAD in 1 cycles, VB 5, VC 11, VD 5");
        EXPECT_EQ(it("schedules", "round sub-unit"), "SFP_STOCH_RND in 3 cycles, VB 0, VC 5, VD 5");
        EXPECT_EQ(it("schedules", "store sub-unit"),
                  by_instructions ? "SFPSTORE in 7 instructions, VB 0, VC 0, VD 5" : "SFPSTORE in 7 cycles, VB 0, VC 0, VD 5");
    }
}

// One result may go to LReg 16; on Wormhole, also one to LRegs 0 to 3 and one to LRegs 4 to 7.
TEST_P(Macro, TwoResultsOfACycle) {
    const auto found = [&](unsigned simple, unsigned round, bool simple_hidden = false, bool round_hidden = false) {
        constexpr Step none{Step::nothing, 7};
        const Step moved{Step::first_template + 2, 3, false, simple_hidden}, shifted{Step::first_template + 1, 2, false, round_hidden};
        for (const Finding& finding :
             machine
                 .run(move + "SFPSHFT2 imm12_math=1 lreg_dest=13 instr_mod1=6\n" + set_sequence(0, {moved, none, none, none}) +
                      set_sequence(1, {none, none, shifted, none}) + macro(0, simple, 0) + macro(1, round, 8) + nops(4))
                 .findings)
            if (finding.code == "vector.macro-two-results") return finding.message;
        return std::string();
    };
    const auto of = [](unsigned first, unsigned second) {
        return fmt::format("the simple and the round sub-unit both produce a result in this cycle, for LReg {} and LReg {}", first, second);
    };
    for (unsigned simple = 0; simple < 8; ++simple)
        for (unsigned round = 0; round < 8; ++round)
            EXPECT_EQ(found(simple, round), blackhole() || simple / 4 == round / 4 ? of(simple, round) : "");
    EXPECT_EQ(found(1, 1, true, true), of(16, 16));
    EXPECT_EQ(found(1, 5, true, true), of(16, 16));
    for (const unsigned other : {1u, 5u}) {
        EXPECT_EQ(found(other, other, true, false), "");
        EXPECT_EQ(found(other, other, false, true), "");
    }
}

// Cells may hold any bits: what no SFPLOADMACRO can have scheduled is not there.
TEST_P(Macro, OnlyWhatCanBeScheduledIs) {
    const Program moves = assemble("SFPMOV lreg_c=1 lreg_dest=2\n", GetParam(), "math", 1).value(),
                  waits = assemble("NOP\n", GetParam(), "math", 1).value();
    const std::uint32_t sfpmov = moves.threads[1][0].value, no_op = waits.threads[1][0].value;
    struct Cells {
        std::uint32_t word, b = 0, c = 0, d = 0, mode = 0, thread = 0;
    };
    const auto executed = [&](const Cells& cells) {
        MacroRun fresh(GetParam());
        const Section& schedule = fresh.section("macro_schedule");
        // The simple sub-unit's first entry: in the next cycle.
        const std::uint32_t values[] = {cells.word, cells.b | cells.c << 8 | cells.d << 16, cells.mode << 16, cells.thread};
        for (unsigned i = 0; i < 4; ++i) fresh.core.write(schedule, i, values[i]);
        fresh.run(nops(3));
        return fresh.count("sfpmov") == 1;
    };
    EXPECT_TRUE(executed({sfpmov}));
    EXPECT_FALSE(executed({no_op}));
    EXPECT_TRUE(executed({sfpmov, 16, 16, 16, 15, 2}));
    EXPECT_FALSE(executed({sfpmov, 17, 16, 16, 15, 2}));
    EXPECT_FALSE(executed({sfpmov, 16, 17, 16, 15, 2}));
    EXPECT_FALSE(executed({sfpmov, 16, 16, 17, 15, 2}));
    EXPECT_FALSE(executed({sfpmov, 16, 16, 16, 16, 2}));
    EXPECT_FALSE(executed({sfpmov, 16, 16, 16, 15, 3}));
}

INSTANTIATE_TEST_SUITE_P(Archs, Macro, testing::ValuesIn(all_archs), arch_name);

}  // namespace
}  // namespace tessera

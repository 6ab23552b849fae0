// SPDX-License-Identifier: Apache-2.0
// Banks, rows of Dst and mutexes that an instruction waits for, as its page says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/timeline.hpp"

namespace tessera {
namespace {

class InstructionWaits : public testing::TestWithParam<Arch> {
protected:
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    std::string stored() const { return test::wait_for_stores(GetParam()); }

    /// The "waits for" lines of the last instruction with that name.
    std::string waits(const std::string& text, const std::string& last, std::string_view of) const {
        const auto program = assemble(text + last + "\n", GetParam());
        if (!program) return program.error().describe();
        RunOptions options{.timing = Timing::documented};
        options.max_cycles = 10'000;
        options.explain = [&](unsigned, std::int64_t, std::uint32_t word) {
            return disassemble_named(word, GetParam()).starts_with(last.substr(0, last.find(' ')));
        };
        Core core(GetParam());
        const auto run = core.run(*program, options);
        if (run->explanations.empty()) return "nothing explained";
        std::string all;
        for (const auto& line : run->explanations.back().lines)
            if (line.topic == "waits for" && line.name == of) all += (all.empty() ? "" : "; ") + line.value;
        return all;
    }
    std::string banks(const std::string& text, const std::string& last) const { return waits(text, last, "bank"); }
    std::string rows(const std::string& text, const std::string& last) const { return waits(text, last, "Dst rows not just written"); }
};

const std::string first_banks = "SETDVALID setvalid=3\nSTALLWAIT block=math wait=srca_vld|srcb_vld\n",
                  second_banks = first_banks + "SETRWC clear_ab_vld=3\n" + first_banks;
const std::string a = "SrcA bank 0 to be the matrix unit's, at the gate", b = "SrcB bank 0 to be the matrix unit's, at the gate",
                  second_a = "SrcA bank 1 to be the matrix unit's, at the gate",
                  second_b = "SrcB bank 1 to be the matrix unit's, at the gate";

TEST_P(InstructionWaits, BanksThatTheMatrixUnitReads) {
    for (const std::string name : {"MVMUL", "DOTPV", "GAPOOL", "ELWADD", "ELWSUB", "ELWMUL", "GMPOOL", "CONV3S1", "MPOOL3S1"}) {
        EXPECT_EQ(banks(first_banks, name), a + "; " + b) << name;
        EXPECT_EQ(banks(second_banks, name), second_a + "; " + second_b) << name;
    }
    for (const std::string name : {"MOVA2D", "SHIFTXA shift_mode=2", "SHIFTXA shift_mode=1"}) {
        EXPECT_EQ(banks(first_banks, name), a) << name;
        EXPECT_EQ(banks(second_banks, name), second_a) << name;
    }
    for (const std::string name : {"MOVB2D", "MOVB2A", "SHIFTXB", "TRNSPSRCB"}) {
        EXPECT_EQ(banks(first_banks, name), b) << name;
        EXPECT_EQ(banks(second_banks, name), second_b) << name;
    }
    for (const std::string name : {"MOVD2A", "MOVD2B", "MOVDBGA2D", "ZEROSRC src_mask=3", "SETRWC clear_ab_vld=3",
            "CLEARDVALID cleardvalid=3"})
        EXPECT_EQ(banks(first_banks, name), "") << name;
}

// UNPACR and the clearing UNPACR_NOP wait in their unit; the latter for its own bank, or for the one that the matrix unit uses.
TEST_P(InstructionWaits, BanksThatUnpackersWrite) {
    const auto unpackers = [](char source, unsigned bank) {
        return fmt::format("Src{} bank {} to be the unpackers', in the unit", source, bank);
    };
    const std::string own = blackhole() ? "UNPACR_NOP.clear Stall_Clr_Cntrl=1" : "UNPACR_NOP.clear WaitLikeUnpacr=1";
    EXPECT_EQ(banks("", "UNPACR_NOP.clear"), unpackers('A', 0));
    EXPECT_EQ(banks("SETDVALID setvalid=1\n", "UNPACR_NOP.clear"), unpackers('A', 0));
    EXPECT_EQ(banks("SETDVALID setvalid=1\n", own), unpackers('A', 1));
    EXPECT_EQ(banks("SETDVALID setvalid=1\n", "STOREIND.src StoreToSrcB=1 OffsetHalfReg=126 DataReg=8 AddrReg=63"), unpackers('B', 0));
    EXPECT_EQ(banks("SETDVALID setvalid=2\nNOP\n", "STOREIND.src StoreToSrcB=1 OffsetHalfReg=126 DataReg=8 AddrReg=63"), unpackers('B', 1));
    EXPECT_EQ(banks("SETDVALID setvalid=2\nNOP\n", "STOREIND.src OffsetHalfReg=126 DataReg=8 AddrReg=63"), unpackers('A', 0));
}

// The matrix unit writes rows some cycles after it has read them.
TEST_P(InstructionWaits, RowsOfDstThatAreRead) {
    EXPECT_EQ(rows(first_banks, "MVMUL dst=16"), "16..23");
    EXPECT_EQ(rows(first_banks, "ELWMUL dst=8"), "8..15");
    EXPECT_EQ(rows(first_banks, "ELWADD dst=8"), "") << "replaces";
    EXPECT_EQ(rows(first_banks, "ELWADD dst=8 dest_accum_en=1"), "8..15");
    EXPECT_EQ(rows(first_banks, "GMPOOL dst=4"), "0..7");
    EXPECT_EQ(rows(first_banks, "MOVD2A dst=12 instr_mod=2"), "8..15");
    EXPECT_EQ(rows(first_banks, "MOVA2D dst=9"), "");
    // Row 9 of the 32-bit view is row 17, and its low half row 25.
    EXPECT_EQ(rows(first_banks, "MOVA2D dst=9 dest_32b_lo=1"), "16..23 24..31") << "keeps the high half";
    EXPECT_EQ(rows(first_banks, "MOVB2D dst=9 dest_32b_lo=1"), "16..23 24..31");
    const std::string wide = ".cfg ALU_ACC_CTRL_Fp32_enabled = 1\n" + stored();
    EXPECT_EQ(rows(wide + first_banks, "MVMUL dst=8"), "16..23 24..31");
    EXPECT_EQ(rows(wide + first_banks, "MOVD2A dst=9"), "16..23 24..31");
}

TEST_P(InstructionWaits, RowsThatZeroaccClears) {
    const auto distance = [&](const std::string& zeroacc, unsigned dst) {
        const std::string text = fmt::format("{}.repeat 20\nNOP\n.end\n{}\nMVMUL dst={}\n", first_banks, zeroacc, dst);
        const auto line = test::run(GetParam(), {text, "", ""}, {.timing = Timing::documented});
        EXPECT_FALSE(line.run.fault);
        return line.at(0, "mvmul").issue - line.at(0, "zeroacc").issue;
    };
    const std::string where = blackhole() ? "where" : "dst", rows_16_to_31 = fmt::format("ZEROACC clear_mode=1 {}=1", where);
    EXPECT_EQ(distance(rows_16_to_31, 0), 1u);
    EXPECT_EQ(distance(rows_16_to_31, 32), 1u);
    EXPECT_GT(distance(rows_16_to_31, 16), 1u);
    EXPECT_EQ(distance(rows_16_to_31, 24), distance(rows_16_to_31, 16));
    EXPECT_EQ(distance("ZEROACC clear_mode=3", 1016), distance(rows_16_to_31, 16));
}

TEST_P(InstructionWaits, AMutex) {
    EXPECT_EQ(waits("", "ATGETM mutex_index=3", "mutex"), "3, until it is free");
    EXPECT_EQ(waits("", "ATRELM mutex_index=3", "mutex"), "");
}

INSTANTIATE_TEST_SUITE_P(Archs, InstructionWaits, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera

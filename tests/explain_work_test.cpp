// SPDX-License-Identifier: Apache-2.0
// What instructions of the matrix and the vector unit do, in words: the banks, rows, registers and lanes that the
// instruction's page gives for the operands and counters here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/explained.hpp"

namespace tessera {
namespace {

/// Both source banks belong to the matrix unit.
const std::string banks = "SETDVALID setvalid=3\nSTALLWAIT block=math wait=srca_vld|srcb_vld\n";
/// The second ones.
const std::string second_banks = banks + "SETRWC clear_ab_vld=3\n" + banks;
/// Waits for stores to configuration on Blackhole.
const std::string stored = "STALLWAIT stall_res=0x1FF wait_res=1<<10\n";
const std::string wide = ".cfg ALU_ACC_CTRL_Fp32_enabled = 1\n" + stored;

/// The work of the text's last line: "name: value; name: value".
std::string work(const std::string& text, const std::string& last, Arch arch = Arch::blackhole) {
    const test::Explained it(text + last + "\n", last.substr(0, last.find(' ')), arch);
    std::string words;
    for (const auto& line : it.lines())
        if (line.topic == "work") words += fmt::format("{}{}: {}", words.empty() ? "" : "; ", line.name, line.value);
    return words;
}

TEST(MatrixWork, RowsOfZeroacc) {
    EXPECT_EQ(work("", "ZEROACC clear_mode=0 where=5"), "makes invalid: physical Dst row 5");
    EXPECT_EQ(work("SETRWC rwc_d=8 BitMask=4\n", "ZEROACC clear_mode=0 where=5"), "makes invalid: physical Dst row 13");
    EXPECT_EQ(work("", "ZEROACC clear_mode=1 where=3"), "makes invalid: physical Dst rows 48 to 63");
    EXPECT_EQ(work("", "ZEROACC clear_mode=1 where=63"), "makes invalid: physical Dst rows 1008 to 1023");
    EXPECT_EQ(work("", "ZEROACC clear_mode=1 use_32_bit_mode=1 where=3"),
              "makes invalid: physical Dst rows 96 to 103; makes invalid: physical Dst rows 112 to 119");
    EXPECT_EQ(work("", "ZEROACC clear_mode=5 dst=31", Arch::wormhole),
              "makes invalid: physical Dst rows 992 to 999; makes invalid: physical Dst rows 1008 to 1015");
    EXPECT_EQ(work("", "ZEROACC clear_mode=2 where=0"), "makes invalid: physical Dst rows 0 to 511");
    EXPECT_EQ(work("", "ZEROACC clear_mode=2 where=1"), "makes invalid: physical Dst rows 512 to 1023");
    EXPECT_EQ(work("", "ZEROACC clear_mode=3"), "makes invalid: physical Dst rows 0 to 1023");
    EXPECT_EQ(work("", "ZEROACC clear_mode=1 where=1 clear_zero_flags=1"), "makes valid: physical Dst rows 16 to 31");
}

TEST(MatrixWork, RowsWithinASource) {
    EXPECT_EQ(work(banks, "TRNSPSRCB"), "transposes: SrcB bank 0 rows 16 to 31");
    EXPECT_EQ(work(second_banks, "TRNSPSRCB"), "transposes: SrcB bank 1 rows 16 to 31");
    const std::string after = "MOVA2D src=40\n";
    EXPECT_EQ(work(banks + after, "SHIFTXA shift_mode=2"),
              "shifts: 16 rows of SrcA bank 0 from row 32, right by one column, to row 0");
    EXPECT_EQ(work(second_banks + after, "SHIFTXA shift_mode=3"),
              "shifts: 16 rows of SrcA bank 1 from row 32, left by one column, to row 0");
    EXPECT_EQ(work(banks, "SHIFTXB rot_shift=1 shift_row=9"),
              "shifts: a row of SrcB bank 0 from row 9, left by one column, to row 9");
    EXPECT_EQ(work(second_banks + "SETRWC rwc_b=2 BitMask=2\n", "SHIFTXB shift_row=9"),
              "rotates: a row of SrcB bank 1 from row 11, left by one column, to row 11");
}

TEST(MatrixWork, MovesBetweenSourcesAndDst) {
    EXPECT_EQ(work(banks, "MOVA2D src=16 dst=32 instr_mod=2"),
              "from: SrcA bank 0 row 16; to: Dst rows 32 to 39 (16-bit view)");
    // TF32 goes to two rows of Dst.
    const std::string tf32 = ".cfg DISABLE_IMPLIED_SRCA_FMT_Base = 1\n.cfg ALU_FORMAT_SPEC_REG0_SrcA = Tf32\n" + stored;
    EXPECT_EQ(work(second_banks + tf32, "MOVA2D src=17 dst=33 instr_mod=0"),
              "from: SrcA bank 1 row 17; to: Dst row 33 (32-bit view)");
    EXPECT_EQ(work(banks, "MOVB2D movb2d_instr_mod=1 src=5 dst=7"),
              "from: SrcB bank 0 row 5, column 0; to: Dst row 7 (16-bit view)");
    EXPECT_EQ(work(second_banks, "MOVB2D movb2d_instr_mod=4 src=8 dst=12"),
              "from: SrcB bank 1 row 8; to: Dst rows 12 to 15 (16-bit view)");
    EXPECT_EQ(work(banks, "MOVD2A src=8 dst=16 instr_mod=2"),
              "from: Dst rows 16 to 19 (16-bit view); to: SrcA bank 0 row 8");
    EXPECT_EQ(work(second_banks + wide, "MOVD2A src=9 dst=17"),
              "from: Dst row 17 (32-bit view); to: SrcA bank 1 row 9");
    EXPECT_EQ(work(second_banks, "MOVD2B src=9 dst=17"), "from: Dst row 17 (16-bit view); to: SrcB bank 1 row 9");
    EXPECT_EQ(work(banks, "MOVB2A srca=12 srcb=20 instr_mod=2"),
              "from: SrcB bank 0 row 20; to: SrcA bank 0 row 12, 4 rows");
    EXPECT_EQ(work(second_banks, "MOVB2A srca=13 srcb=21"), "from: SrcB bank 1 row 21; to: SrcA bank 1 row 13, 1 row");
}

TEST(MatrixWork, OperandsOfProductsSumsAndMaxima) {
    EXPECT_EQ(work(banks, "MVMUL dst=16"),
              "SrcA: bank 0 rows 0 to 15; SrcB: bank 0 rows 0 to 7; Dst: 8 rows from 16 (16-bit view), added to; "
              "fidelity phase: 0");
    const std::string counters = "SETRWC rwc_a=15 BitMask=1\nSETRWC rwc_a=1 rwc_cr=1 rwc_b=8 BitMask=3\n";
    EXPECT_EQ(work(second_banks + wide + counters, "MVMUL dst=16"),
              "SrcA: bank 1 rows 16 to 31; SrcB: bank 1 rows 8 to 15; Dst: 8 rows from 16 (32-bit view), added to; "
              "fidelity phase: 0");
    EXPECT_EQ(work(banks, "ELWADD dst=8"),
              "SrcA: bank 0 rows 0 to 7; SrcB: bank 0 rows from 0; Dst: rows 8 to 15 (16-bit view), replaced; fidelity "
              "phase: 0");
    EXPECT_EQ(work(second_banks + wide + ".cfg FIDELITY_BASE_Phase = 3\n", "ELWMUL dst=8"),
              "SrcA: bank 1 rows 0 to 7; SrcB: bank 1 rows from 0; Dst: rows 8 to 15 (32-bit view), added to; fidelity "
              "phase: 3");
    const std::string stochastic = ".cfg ALU_ROUNDING_MODE_Fpu_srnd_en = 1\n" + stored;
    for (const std::string last : {"ELWADD", "MVMUL"})
        EXPECT_TRUE(work(banks + stochastic, last).ends_with("; fidelity phase: 0; rounding: stochastic")) << last;
    EXPECT_EQ(work(banks, "ELWADD instr_mod19=1 dest_accum_en=1"),
              "SrcA: bank 0 rows 0 to 7; SrcB: bank 0 rows from 0, column 0; Dst: rows 0 to 7 (16-bit view), added to; "
              "fidelity phase: 0");
    EXPECT_EQ(work(banks, "ELWADD instr_mod19=2"),
              "SrcA: bank 0 rows 0 to 7; SrcB: bank 0 row 0; Dst: rows 0 to 7 (16-bit view), replaced; fidelity phase: "
              "0");
    EXPECT_EQ(work(banks, "GMPOOL dst=4"),
              "SrcA: bank 0 rows 0 to 15; SrcB: exponents of bank 0 row 0; Dst: maximum to row 4, the next 3 cleared "
              "(16-bit view)");
    EXPECT_EQ(work(second_banks, "GMPOOL dst=4 max_pool_index_en=1"),
              "SrcA: bank 1 rows 0 to 15; SrcB: exponents of bank 1 row 0; Dst: maximum and its index to row 4, the "
              "next 3 cleared (16-bit view)");
}

// 32 bins of each packer: one on Blackhole, four on Wormhole.
TEST(MatrixWork, BinsOfClrexphist) {
    EXPECT_EQ(work("", "CLREXPHIST"), "zeroes: 32 bins of the packers' exponent histograms");
    EXPECT_EQ(work("", "CLREXPHIST", Arch::wormhole), "zeroes: 128 bins of the packers' exponent histograms");
}

/// Lane configuration in all columns.
std::string lanes(unsigned bits) { return fmt::format("SFPCONFIG config_dest=15 instr_mod1=1 imm16_math={}\n", bits); }

TEST(VectorWork, TransfersBetweenDstAndARegister) {
    EXPECT_EQ(work("", "SFPLOAD lreg_ind=3 instr_mod0=2 dest_reg_addr=8"),
              "from: Dst rows 8 to 11, even columns (16-bit view); to: LReg 3; lanes: all 32");
    EXPECT_EQ(work("", "SFPLOAD lreg_ind=7 instr_mod0=3 dest_reg_addr=10"),
              "from: Dst rows 8 to 11, odd columns (32-bit view); to: LReg 7; lanes: all 32");
    EXPECT_EQ(work("", "SFPSTORE lreg_ind=2 instr_mod0=2 dest_reg_addr=2"),
              "from: LReg 2; to: Dst rows 0 to 3, odd columns (16-bit view); lanes: all 32");
    EXPECT_EQ(work("", "SFPSTORE lreg_ind=9 instr_mod0=3 dest_reg_addr=1020"),
              "from: LReg 9; to: Dst rows 1020 to 1023, even columns (32-bit view); lanes: all 32");
    // Bit 12 of the lane configuration masks the first row of lanes, and bit 6 exchanges columns.
    EXPECT_EQ(work(lanes(1u << 12), "SFPLOAD lreg_ind=3 instr_mod0=2"),
              "from: Dst rows 0 to 3, even columns (16-bit view); to: LReg 3; lanes: mask 0xFFFFFF00");
    EXPECT_EQ(work(lanes(1u << 6), "SFPLOAD lreg_ind=3 instr_mod0=2"),
              "from: Dst rows 0 to 3, odd columns (16-bit view); to: LReg 3; lanes: all 32");
    // Of lane 0's column alone, which lane flags choose: LReg 15 is 0 in lane 0.
    const std::string lane0 = "SFPENCC imm12_math=3 instr_mod1=10\nSFPSETCC lreg_c=15 instr_mod1=6\n";
    const std::string column0 = lane0 + lanes(1u << 6) + "SFPENCC imm12_math=2 instr_mod1=10\n";
    EXPECT_EQ(work(column0, "SFPLOAD lreg_ind=3 instr_mod0=2"),
              "from: Dst rows 0 to 3, even and odd columns (16-bit view); to: LReg 3; lanes: all 32");
}

// Bits 2 and 3 of the lane configuration: LRegs 4 to 7 take the places of LRegs 0 to 3.
TEST(VectorWork, ALoadKeepsItsPlaces) {
    for (unsigned lreg = 0; lreg < 4; ++lreg)
        EXPECT_EQ(work(lanes(1u << 2 | 1u << 3), fmt::format("SFPLOAD lreg_ind={} instr_mod0=2", lreg)),
                  fmt::format("from: Dst rows 0 to 3, even columns (16-bit view); to: LReg {}; its index to: LReg {}; "
                              "lanes: all 32",
                              lreg, lreg + 4));
    EXPECT_EQ(work(lanes(1u << 2 | 1u << 3), "SFPLOAD lreg_ind=4 instr_mod0=2"),
              "from: Dst rows 0 to 3, even columns (16-bit view); to: LReg 4; lanes: all 32");
    EXPECT_EQ(work(lanes(1u << 2), "SFPLOAD lreg_ind=0 instr_mod0=2"),
              "from: Dst rows 0 to 3, even columns (16-bit view); to: LReg 0; lanes: all 32");
}

TEST(VectorWork, ValuesOfImmediates) {
    EXPECT_EQ(work("", "SFPLOADI lreg_ind=4 instr_mod0=0 imm16=0x1234"),
              "to: LReg 4; value: 0x12340000; lanes: all 32");
    EXPECT_EQ(work("", "SFPLOADI lreg_ind=4 instr_mod0=2 imm16=0x8234"),
              "to: LReg 4; value: 0x00008234; lanes: all 32");
    EXPECT_EQ(work("", "SFPLOADI lreg_ind=4 instr_mod0=4 imm16=0x8234"),
              "to: LReg 4; value: 0xFFFF8234; lanes: all 32");
    EXPECT_EQ(work("", "SFPLOADI lreg_ind=4 instr_mod0=8 imm16=0x1234"),
              "to: LReg 4; value: 0x12340000, the other half unchanged; lanes: all 32");
    EXPECT_EQ(work(lanes(1u << 15), "SFPLOADI lreg_ind=4 instr_mod0=10 imm16=0x1234"),
              "to: LReg 4; value: 0x00001234, the other half unchanged; lanes: mask 0x00FFFFFF");
}

TEST(VectorWork, RegistersFlagsAndRandomNumbers) {
    EXPECT_EQ(work("", "SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=14 lreg_dest=4"),
              "from: LReg 1, 2, 14; to: LReg 4; lanes: all 32");
    EXPECT_EQ(work(lanes(1u << 13), "SFPMAD lreg_src_a=0 lreg_src_b=0 lreg_src_c=0 lreg_dest=7"),
              "from: LReg 0; to: LReg 7; lanes: mask 0xFFFF00FF");
    EXPECT_EQ(work("", "SFPSETCC lreg_c=5 instr_mod1=6"), "from: LReg 5; sets: lane flags; lanes: all 32");
    EXPECT_EQ(work("", "SFP_STOCH_RND rnd_mode=1 instr_mod1=1 lreg_src_c=3 lreg_dest=6"),
              "from: LReg 3; to: LReg 6; uses: a random number in each lane; lanes: all 32");
    EXPECT_EQ(work("", "SFPCONFIG config_dest=4"), "from: LReg 0, lanes 0 to 7; lane columns: 0, 1, 2, 3, 4, 5, 6, 7");
    // Bit 2i of the immediate selects column i.
    EXPECT_EQ(work("", "SFPCONFIG config_dest=4 instr_mod1=8 imm16_math=0x4010"),
              "from: LReg 0, lanes 0 to 7; lane columns: 2, 7");
    EXPECT_EQ(work("", "SFPCONFIG config_dest=4 instr_mod1=8 imm16_math=0"), "") << "no column";
}

/// The message of the finding with that code.
std::string said(const std::string& text, std::string_view code, Arch arch = Arch::blackhole) {
    Core core(arch);
    const auto program = assemble(text, arch);
    if (!program) return program.error().describe();
    const auto run = core.run(*program, {.max_cycles = 10'000});
    for (const Finding& finding : run->findings)
        if (finding.code == code) return finding.message;
    return "";
}

TEST(MatrixFindings, ABlockBehindTheEndOfDst) {
    const auto of = [](const std::string& line, Arch arch = Arch::blackhole) {
        return said(line, "matrix.zeroacc-range", arch);
    };
    EXPECT_EQ(of("ZEROACC clear_mode=1 where=63"), "");
    EXPECT_EQ(of("ZEROACC clear_mode=1 where=64"), "ZEROACC block 64 is beyond Dst; no row is cleared");
    EXPECT_EQ(of("ZEROACC clear_mode=1 use_32_bit_mode=1 where=31"), "");
    EXPECT_EQ(of("ZEROACC clear_mode=1 use_32_bit_mode=1 where=32"),
              "ZEROACC block 32 is beyond Dst; no row is cleared");
    EXPECT_EQ(of("ZEROACC clear_mode=1 dst=64", Arch::wormhole), "ZEROACC block 64 is beyond Dst; no row is cleared");
    EXPECT_EQ(of("ZEROACC clear_mode=5 dst=32", Arch::wormhole), "ZEROACC block 32 is beyond Dst; no row is cleared");
    // Blackhole counts blocks from the half of Dst that the counters point to.
    const std::string half = ".cfg DEST_TARGET_REG_CFG_MATH_Offset = 512\n";
    EXPECT_EQ(of(half + "ZEROACC clear_mode=1 where=31"), "");
    EXPECT_EQ(of(half + "ZEROACC clear_mode=1 where=32"), "ZEROACC block 64 is beyond Dst; no row is cleared");
    const std::string absolute = ".cfg DEST_ACCESS_CFG_zeroacc_absolute_tile_mode = 1\n" + stored;
    EXPECT_EQ(of(absolute + half + "ZEROACC clear_mode=1 where=32"), "");
}

// ZEROACC, Functional model: of a block number above 255 the low 8 bits count, which is not guaranteed.
TEST(MatrixFindings, ABlockNumberOfMoreThanEightBits) {
    const std::string message = "ZEROACC block 261 has more than 8 bits; its low 8 bits count";
    EXPECT_EQ(said("ZEROACC clear_mode=1 where=261", "matrix.zeroacc-range"), message);
    EXPECT_EQ(said("ZEROACC clear_mode=1 dst=261", "matrix.zeroacc-range", Arch::wormhole), message);
    EXPECT_EQ(said("ZEROACC clear_mode=1 where=320", "matrix.zeroacc-range"),
              "ZEROACC block 320 has more than 8 bits; its low 8 bits are beyond Dst, and no row is cleared");
    EXPECT_EQ(said("ZEROACC clear_mode=0 where=261", "matrix.zeroacc-range"), "");  // a row
    EXPECT_EQ(work("", "ZEROACC clear_mode=1 where=261"), "makes invalid: physical Dst rows 80 to 95");
}

TEST(MatrixFindings, ABankOfTheUnpackers) {
    const auto of = [](const std::string& text) { return said(text, "matrix.bank-not-owned"); };
    EXPECT_EQ(of("MOVD2A instr_mod=2"), "writes SrcA bank 0, which belongs to the unpackers");
    EXPECT_EQ(of("MOVD2B instr_mod=2"), "writes SrcB bank 0, which belongs to the unpackers");
    EXPECT_EQ(of(banks + "SETRWC clear_ab_vld=3\nMOVD2A instr_mod=2"),
              "writes SrcA bank 1, which belongs to the unpackers");
    EXPECT_EQ(of(banks + "SETRWC clear_ab_vld=3\nMOVD2B instr_mod=2"),
              "writes SrcB bank 1, which belongs to the unpackers");
    EXPECT_EQ(of("SETDVALID setvalid=2\nMOVB2A"), "writes SrcA bank 0, which belongs to the unpackers");
    EXPECT_EQ(of(banks + "MOVD2A instr_mod=2\nMOVB2A"), "");
}

TEST(MatrixFindings, RowsAndDirectionsOfShiftxa) {
    EXPECT_EQ(said(banks + "MOVA2D src=40\nSHIFTXA shift_mode=2", "matrix.shift-row"),
              "SHIFTXA shifts SrcA rows 32 to 47, those of the matrix instruction before it");
    for (const unsigned direction : {0u, 1u})
        EXPECT_EQ(said(fmt::format("{}SHIFTXA shift_mode={}", banks, direction), "matrix.shift-direction"),
                  fmt::format("SHIFTXA direction {} is undefined; Tessera shifts nothing", direction));
}

TEST(VectorFindings, NameTheirOperands) {
    EXPECT_EQ(said("SFPADD lreg_src_a=9", "vector.multiply-add-operands"),
              "SFPADD multiplies by an LReg other than L10, which is 1.0");
    EXPECT_EQ(said("SFPADD lreg_src_a=10", "vector.multiply-add-operands"), "");
    EXPECT_EQ(said("SFPMUL lreg_src_c=10", "vector.multiply-add-operands"),
              "SFPMUL adds an LReg other than L9, which is 0");
    EXPECT_EQ(said("SFPMUL lreg_src_c=9", "vector.multiply-add-operands"), "");
    const auto peek = [](unsigned entries, unsigned mode, Arch arch) {
        return said(fmt::format(".repeat {}\nSFPPUSHC\n.end\nSFPPOPC instr_mod1={}", entries, mode),
                    "vector.popc-full-stack", arch);
    };
    EXPECT_EQ(peek(8, 15, Arch::wormhole), "SFPPOPC in mode 15 with a full stack overwrites the stack's lowest entry");
    EXPECT_EQ(peek(8, 1, Arch::wormhole), "SFPPOPC in mode 1 with a full stack overwrites the stack's lowest entry");
    EXPECT_EQ(peek(8, 0, Arch::wormhole), "");
    EXPECT_EQ(peek(7, 1, Arch::wormhole), "");
    EXPECT_EQ(peek(8, 1, Arch::blackhole), "");
}

}  // namespace
}  // namespace tessera

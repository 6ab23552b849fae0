// SPDX-License-Identifier: Apache-2.0
// The work of loads, stores, the mover, unpackers and packers in words: addresses, places and sizes that follow from their pages for the
// operands and configuration here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "registers/field.hpp"
#include "support/explained.hpp"
#include "support/timeline.hpp"

namespace tessera {
namespace {

constexpr Arch bh = Arch::blackhole, wh = Arch::wormhole;

/// The work of the last instruction: "name: value; name: value".
std::string work(Arch arch, const std::string& text, const std::string& last) {
    const test::Explained it(text + test::wait_for_stores(arch) + last + "\n", last.substr(0, last.find(' ')), arch);
    std::string words;
    for (const auto& line : it.lines())
        if (line.topic == "work") words += fmt::format("{}{}: {}", words.empty() ? "" : "; ", line.name, line.value);
    return words;
}

class TransferWork : public testing::TestWithParam<Arch> {
protected:
    Arch arch = GetParam();
};

/// GPR 1 is a line of L1, GPR 2 has offset 0x27 in its lower half, GPR 5 is 3, GPRs 8 to 11 are data.
const std::string gprs =
    ".gpr 1 = 0x400\n.gpr 2 = 0x27\n.gpr 5 = 3\n.gpr 8 = 0x11223344\n.gpr 9 = 0x99\n.gpr 10 = 0xAA\n.gpr 11 = 0xBB\n";

TEST_P(TransferWork, LoadsOfEachSize) {
    const auto load = [&](unsigned size, unsigned gpr) {
        return work(arch, gprs, fmt::format("LOADIND SizeSel={} OffsetIndex=4 DataRegIndex={} AddrRegIndex=1", size, gpr));
    };
    EXPECT_EQ(load(0, 10), "loads: 16 bytes at L1 0x4020 to GPR 8");
    EXPECT_EQ(load(1, 8), "loads: 4 bytes at L1 0x4024 to GPR 8");
    EXPECT_EQ(load(2, 8), "loads: 2 bytes at L1 0x4026 to the low bits of GPR 8");
    EXPECT_EQ(load(3, 63), "loads: 1 bytes at L1 0x4027 to the low bits of GPR 63");
    EXPECT_EQ(work(arch, ".thread pack\n" + gprs, "LOADIND SizeSel=1 OffsetIndex=4 DataRegIndex=7 AddrRegIndex=1"),
              "loads: 4 bytes at L1 0x4024 to GPR 7");
}

TEST_P(TransferWork, StoresOfEachSize) {
    const auto store = [&](unsigned size) {
        return work(arch, gprs, fmt::format("STOREIND.l1 Size={} OffsetHalfReg=4 DataReg=8 AddrReg=1", size));
    };
    EXPECT_EQ(store(0), "stores: to the line at L1 0x4020: 0x11223344 0x00000099 0x000000AA 0x000000BB, bytes 0xFFFF");
    EXPECT_EQ(store(1), "stores: to the line at L1 0x4020: 0x00000000 0x11223344 0x00000000 0x00000000, bytes 0x00F0");
    EXPECT_EQ(store(2), "stores: to the line at L1 0x4020: 0x00000000 0x33440000 0x00000000 0x00000000, bytes 0x00C0");
    EXPECT_EQ(work(arch, gprs, "ATSWAP SwapMask=0x101 DataRegIndex=8 AddrRegIndex=1"),
              "stores: to the line at L1 0x4000: 0x11223344 0x00000000 0x00000000 0x00000000, bytes 0x0003");
}

TEST_P(TransferWork, AtomicsAndWhatTheyWaitFor) {
    EXPECT_EQ(work(arch, gprs, "ATINCGET WrapVal=7 Sel32b=2 DataRegIndex=5 AddrRegIndex=1"),
              "increments: L1 0x4008 by 3 within bits 0xFF; the old value goes to GPR 5");
    EXPECT_EQ(work(arch, gprs, "ATINCGETPTR IncrVal=1 WrapVal=3 Sel32b=1 DataRegIndex=6 AddrRegIndex=1"),
              "increments: L1 0x4004 by 2 within bits 0x7; the old value goes to GPR 6; waits for: the FIFO with counters at L1 0x4000 "
              "of 4 elements not to be full");
    EXPECT_EQ(work(arch, gprs, "ATINCGETPTR NoIncr=1 IncrVal=1 WrapVal=3 Sel32b=0 DataRegIndex=6 AddrRegIndex=1"),
              "increments: L1 0x4000 by 0 within bits 0x7; the old value goes to GPR 6; waits for: the FIFO with counters at L1 0x4000 "
              "not to be empty");
    // ATINCGETPTR, Functional model: a width of 0 means 32768 elements.
    EXPECT_EQ(work(arch, gprs, "ATINCGETPTR WrapVal=0 Sel32b=1 DataRegIndex=6 AddrRegIndex=1"),
              "increments: L1 0x4004 by 1 within bits 0x0; the old value goes to GPR 6; waits for: the FIFO with counters at L1 0x4000 "
              "of 32768 elements not to be full");
    EXPECT_EQ(work(arch, gprs, "ATCAS SwapVal=5 CmpVal=0 Sel32b=1 AddrRegIndex=1"), "sets: L1 0x4004 to 5 once it is 0");
}

// STOREIND (Src): rows of SrcA are four further down.
TEST_P(TransferWork, StoresToASourceBank) {
    const std::string address = ".gpr 1 = 22\n";  // row 5, columns from 8
    EXPECT_EQ(work(arch, address, "STOREIND.src StoreToSrcB=1 OffsetHalfReg=126 DataReg=8 AddrReg=1"),
              "stores: four datums to SrcB bank 0, row 5, columns 8 to 11");
    EXPECT_EQ(work(arch, address, "STOREIND.src OffsetHalfReg=126 DataReg=8 AddrReg=1"),
              "stores: four datums to SrcA bank 0, row 1, columns 8 to 11");
    EXPECT_EQ(work(arch, ".gpr 1 = 12\n", "STOREIND.src OffsetHalfReg=126 DataReg=8 AddrReg=1"), "") << "before SrcA";
}

/// Addresses and sizes in lines of 16 bytes.
std::string move(unsigned direction, unsigned from, unsigned to, unsigned lines) {
    return fmt::format(
        ".cfg THCON_SEC0_REG6_Source_address = {}\n.cfg THCON_SEC0_REG6_Destination_address = {}\n"
        ".cfg THCON_SEC0_REG6_Buffer_size = {}\n.cfg THCON_SEC0_REG6_Transfer_direction = {}\n",
        from, to, lines, direction);
}

TEST_P(TransferWork, TransfersOfTheMover) {
    EXPECT_EQ(work(arch, move(3, 0x400, 0x800, 5), "XMOV"), "moves: 80 bytes from L1 0x4000 to L1 0x8000");
    EXPECT_EQ(work(arch, move(0, 0x400, 0x800, 2), "XMOV"), "moves: 32 bytes from zeros to L1 0x8000");
    EXPECT_EQ(work(arch, move(1, 0x400, 5, 2), "XMOV"),
              "moves: 32 bytes from L1 0x4000 to configuration, from word 20 of its map on");
    EXPECT_EQ(work(arch, move(1, 0x400, 0x1000, 1), "XMOV"), "moves: 16 bytes from L1 0x4000 to nowhere");
    EXPECT_EQ(work(arch, move(3, 0x400, 0x800, 0), "XMOV"), "") << "nothing to move";
    if (arch == wh) {
        EXPECT_EQ(work(arch, move(2, 0x400, 0x43FE, 2), "XMOV"), "moves: 32 bytes from zeros to instruction RAM 0x3FE0");
    }
}

// STATE_RESET_EN clears the banked words, which end where the shared ones begin.
TEST_P(TransferWork, AResetOfConfiguration) {
    const unsigned last = (arch == bh ? 180 : 152) - 1, reset = registers::find_field("STATE_RESET_EN", arch)->spec->at(arch).addr32;
    const std::string write = fmt::format("WRCFG GprAddress=0 CfgReg={}", reset);
    EXPECT_EQ(work(arch, "", write), fmt::format("zeroes: words 0 to {} of configuration bank 0", last));
    EXPECT_EQ(work(arch, "SETC16 setc16_reg=0 setc16_value=1\n", write),
              fmt::format("zeroes: words 0 to {} of configuration bank 1", last));
}

TEST_P(TransferWork, SourcesThatAreFilled) {
    EXPECT_EQ(work(arch, "", "ZEROSRC src_mask=1"), "clears: SrcA, bank mask 1, to 0x00000 in stored order");
    EXPECT_EQ(work(arch, "", "ZEROSRC src_mask=3 bank_mask=1 zero_val=1"),
              "clears: SrcA, bank mask 3, to minus infinity; clears: SrcB, bank mask 3, to 0x00000 in stored order");
    EXPECT_EQ(work(arch, "SETDVALID setvalid=2\n", "ZEROSRC src_mask=2"), "clears: SrcB, bank mask 2, to 0x00000 in stored order");
    if (arch == bh) {
        EXPECT_EQ(work(arch, "", "UNPACR_NOP.clear Src_ClrVal_Ctrl=2 Clr_to1_fmt_Ctrl=1"),
                  "clears: SrcA, bank mask 1, to 0x0007F in stored order");  // 1.0 as BF16
    }
}

const std::string descriptor = "THCON_SEC0_REG0_TileDescriptor_", reg2 = "THCON_SEC0_REG2_";

/// Unpacker 0 reads a face of BF16.
std::string face(const std::string& configuration = "") {
    return std::string(test::face_to_src_a) + "SETADCXX unpackers=A x1=255 x0=0\n" + configuration;
}
std::string bfp4() {
    return ".cfg " + descriptor + "InDataFormat = Bfp4_b\n.cfg " + reg2 + "Out_data_format = Bfp4_b\n.cfg UNP0_ADDR_BASE_REG_1_Base = 64\n";
}

TEST_P(TransferWork, DatumsThatAreUnpacked) {
    EXPECT_EQ(work(arch, face(), "UNPACR"), "from: L1 0x10010, 256 datums of 2 bytes; to: SrcA bank 0 from row 0 column 0");
    EXPECT_EQ(work(arch, face(".cfg UNP0_ADDR_BASE_REG_1_Base = 80\n"), "UNPACR"),
              "from: L1 0x10010, 256 datums of 2 bytes; dropped: the first 24 datums, which lie before row 4; to: SrcA bank 0 from row 0 "
              "column 0");
    EXPECT_EQ(work(arch, face(".cfg UNP0_ADDR_BASE_REG_1_Base = 5 * 32 + 6\n") + "UNPACR SetDatValid=1\n", "UNPACR"),
              "from: L1 0x10010, 256 datums of 2 bytes; to: SrcA bank 1 from row 1 column 3");
    // 16 bytes of exponents for 256 datums stand before them.
    EXPECT_EQ(work(arch, face(bfp4()), "UNPACR"),
              "from: L1 0x10020, 256 datums of 4 bits; exponents: L1 0x10010, one per 16 datums; to: SrcA bank 0 from row 0 column 0");
    EXPECT_EQ(work(arch, face(bfp4()) + "SETADCXX unpackers=A x1=20 x0=17\n", "UNPACR"),
              "from: L1 0x10028 bit 4, 4 datums of 4 bits; exponents: L1 0x10011, one per 16 datums; to: SrcA bank 0 from row 0 column 0");
    EXPECT_EQ(work(arch, face(bfp4() + ".cfg " + reg2 + "Force_shared_exp = 1\n.cfg UNP0_FORCED_SHARED_EXP_shared_exp = 130\n"), "UNPACR"),
              "from: L1 0x10010, 256 datums of 4 bits; exponents: 130 for all datums, forced; to: SrcA bank 0 from row 0 column 0");
    EXPECT_EQ(work(arch, face(".cfg " + reg2 + "Unpack_If_Sel = 1\n.cfg UNP0_ADDR_BASE_REG_1_Base = 12 * 32 + 8\n"), "UNPACR"),
              "from: L1 0x10010, 256 datums of 2 bytes; to: Dst rows 8 to 24, from column 4 (16-bit view)");
    EXPECT_EQ(work(arch, face(".cfg " + reg2 + "Unpack_If_Sel = 1\nSETADCXX unpackers=A x1=15 x0=16\n"), "UNPACR"),
              "from: L1 0x0, 0 datums of 2 bytes")
        << "no datum";
}

TEST_P(TransferWork, ModesOfUnpackers) {
    EXPECT_EQ(work(arch, face(".cfg " + reg2 + "Haloize_mode = 1\n.cfg UNP0_ADDR_BASE_REG_1_Base = 2 * 32\n"), "UNPACR"),
              "from: L1 0x10010, 256 datums of 2 bytes; dropped: rows 2 to 3 of the output address, before SrcA; to: "
              "SrcA bank 0, 256 datums from row 62 column 0; transposed: columns and rows of each 16 x 16 block");
    EXPECT_EQ(work(arch, face(), "UNPACR ZeroWrite2=1"),
              "from: L1 0x10010, 256 datums of 2 bytes; value: zero for each datum, for any contents of L1; to: SrcA "
              "bank 0, 256 datums from row 0 column 0");
    EXPECT_EQ(work(arch, face(".cfg " + reg2 + "Upsample_rate = 2\n.cfg " + reg2 + "Upsample_and_interleave = 1\n"), "UNPACR"),
              "from: L1 0x10010, 256 datums of 2 bytes; to: SrcA bank 0, 256 datums from row 0 column 0; upsampling: "
              "3 positions left as they are after each datum");
    // Blackhole reads rows of 32 datums of more than 8 bits (spec-notes A7).
    EXPECT_EQ(work(arch, face(".cfg " + reg2 + "Tileize_mode = 1\n.cfg " + reg2 + "Shift_amount_cntx0 = 8\n"), "UNPACR"),
              fmt::format("from: L1 0x10010, 256 datums of 2 bytes; rows: of {} datums, 128 bytes apart; to: SrcA "
                          "bank 0, 256 datums from row 0 column 0",
                          arch == bh ? 32 : 16));
    EXPECT_EQ(work(arch, face(bfp4() + ".cfg " + reg2 + "Haloize_mode = 1\n"), "UNPACR"),
              "from: L1 0x10020, 256 datums of 4 bits; exponents: L1 0x10010, one per 16 datums; to: SrcA bank 0, 256 "
              "datums from row 0 column 0; transposed: columns and rows of each 16 x 16 block");
    EXPECT_EQ(work(arch, face(bfp4() + ".cfg " + reg2 + "Force_shared_exp = 1\n.cfg UNP0_FORCED_SHARED_EXP_shared_exp = 130\n"),
                   "UNPACR ZeroWrite2=1"),
              "from: L1 0x10010, 256 datums of 4 bits; value: zero for each datum, for any contents of L1; exponents: 130 for all datums, "
              "forced; to: SrcA bank 0, 256 datums from row 0 column 0");
    EXPECT_EQ(work(arch, face(".cfg " + reg2 + "Unpack_If_Sel = 1\n.cfg UNP0_ADDR_BASE_REG_1_Base = 12 * 32\n"), "UNPACR ZeroWrite2=1"),
              "from: L1 0x10010, 256 datums of 2 bytes; value: zero for each datum, for any contents of L1; to: Dst "
              "(16-bit view), 256 datums from row 8 column 0");
}

// Row starts are in front, then groups of 32 datums with 16 bytes of run lengths behind each.
TEST_P(TransferWork, CompressedTilesThatAreUnpacked) {
    EXPECT_EQ(work(arch, face(".cfg " + descriptor + "IsUncompressed = 0\n"), "UNPACR"),
              "from: L1 0x10020, 0 datums of 2 bytes; row starts: L1 0x10010, a line of eight; zeros: L1 0x10060, "
              "four bits per datum, after each 32 datums; to: SrcA bank 0, 0 datums from row 0 column 0");
}

// Blackhole writes each row of SrcB to eight (spec-notes A57).
TEST(TransferWorkOfBlackhole, RowsOfSrcBAreCopied) {
    const std::string src_b = R"(
.cfg THCON_SEC1_REG0_TileDescriptor_InDataFormat = Float16_b
.cfg THCON_SEC1_REG0_TileDescriptor_IsUncompressed = 1
.cfg THCON_SEC1_REG2_Out_data_format = Float16_b
.cfg THCON_SEC1_REG3_Base_address = 0x2000
.cfg UNP1_ADDR_BASE_REG_1_Base = 64
SETADCXX unpackers=B x1=15 x0=0
)";
    EXPECT_EQ(work(bh, src_b, "UNPACR Unpack_block_selection=1 srcb_bcast=1"),
              "from: L1 0x20010, 16 datums of 2 bytes; to: SrcB bank 0, 16 datums from row 2 column 0; copies: each row to 8 rows");
    EXPECT_EQ(work(bh, src_b, "UNPACR Unpack_block_selection=1"),
              "from: L1 0x20010, 16 datums of 2 bytes; to: SrcB bank 0 from row 2 column 0");
}

/// Packer 0 takes 16 datums of BF16 to L1 0x10010.
std::string packer(const std::string& configuration = "") {
    return std::string(test::pack_bf16) + ".cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16\n" + configuration;
}
std::string pack(Arch arch, const std::string& configuration, const std::string& operands = "") {
    return work(arch, packer(configuration), (arch == bh ? "PACR ReadIntfSel=1" : "PACR PackSel=1") + operands);
}
const std::string row_0 = "packer 0 from: Dst row 0 column 0, 16 datums (16-bit view); ",
                  to_l1 = "packer 0 to: L1 0x10010 after 0 waiting bytes, 16 bits per datum; 32 bytes are written";

TEST_P(TransferWork, DatumsThatArePacked) {
    EXPECT_EQ(pack(arch, ""), row_0 + to_l1);
    EXPECT_EQ(pack(arch, ".cfg DEST_TARGET_REG_CFG_PACK_SEC0_Offset = 8\nSETADCXX CntSetMask=4 x_start=4 x_end2=7\n", " Last=1"),
              "packer 0 from: Dst row 8 column 4, 4 datums (16-bit view); packer 0 to: L1 0x10010 after 0 waiting "
              "bytes, 16 bits per datum; 16 bytes are written, the stream ends");
    EXPECT_EQ(pack(arch, "", " ZeroWrite=1"), "packer 0 from: 16 zeros; " + to_l1);
    EXPECT_EQ(pack(arch, ".cfg THCON_SEC0_REG1_Source_interface_selection = 1\n.cfg PCK0_ADDR_BASE_REG_0_Base = 0x1000\n"),
              "packer 0 from: L1 0x1000, 16 datums of 2 bytes; " + to_l1);
    EXPECT_EQ(pack(arch, ".cfg THCON_SEC0_REG1_Pack_L1_Acc = 1\n"),
              row_0 + "packer 0 to: L1 0x10010 after 0 waiting bytes, 16 bits per datum, added to what is there; 32 bytes are written");
    EXPECT_EQ(pack(arch, ".cfg PCK_DEST_RD_CTRL_Read_32b_data = 1\n.cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b\n"
                         ".cfg THCON_SEC0_REG1_Exp_section_size = 4\n"),
              "packer 0 from: Dst row 0 column 0, 16 datums (32-bit view); packer 0 to: L1 0x10050 after 0 waiting "
              "bytes, 8 bits per datum; 16 bytes are written; packer 0 exponents to: L1 0x10010 after 0 waiting "
              "bytes, a byte for 16 datums; 0 bytes are written");
    EXPECT_EQ(pack(arch, ".cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b\n.cfg THCON_SEC0_REG1_Exp_section_size = 4\n", " Last=1"),
              row_0 + "packer 0 to: L1 0x10050 after 0 waiting bytes, 8 bits per datum; 16 bytes are written, the stream ends; packer 0 "
                      "exponents to: L1 0x10010 after 0 waiting bytes, a byte for 16 datums; 16 bytes are written, the stream ends");
}

TEST_P(TransferWork, StagesOfPackers) {
    EXPECT_EQ(pack(arch, ".cfg STACC_RELU_ApplyRelu = 3\n.cfg STACC_RELU_ReluThreshold = 0x4000\n"),
              row_0 + "packer 0 ReLU: threshold 0x4000; " + to_l1);
    EXPECT_EQ(pack(arch, ".cfg THCON_SEC0_REG1_Exp_threshold_en = 1\n.cfg THCON_SEC0_REG1_Exp_threshold = 100\n"),
              row_0 + "packer 0 exponents: below 100 become 0; " + to_l1);
    EXPECT_EQ(pack(arch, ".cfg ENABLE_ACC_STATS_Enable = 1\n"), row_0 + "packer 0 histogram: counts exponents; " + to_l1);
    EXPECT_EQ(pack(arch, ".cfg PCK_EDGE_OFFSET_SEC0_mask = 0x00FF\n"),
              row_0 + "packer 0 edges: masked by tile row, from row 0 of plane 0; " + to_l1);
    EXPECT_EQ(pack(arch, ".cfg ALU_ROUNDING_MODE_Packer_srnd_en = 1\n.cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b\n"
                         ".cfg THCON_SEC0_REG1_Exp_section_size = 4\n"),
              row_0 + "packer 0 rounding: stochastic; packer 0 to: L1 0x10050 after 0 waiting bytes, 8 bits per "
                      "datum; 16 bytes are written; packer 0 exponents to: L1 0x10010 after 0 waiting bytes, a byte "
                      "for 16 datums; 0 bytes are written");
    EXPECT_EQ(pack(arch, ".cfg THCON_SEC0_REG1_Downsample_mask = 0x0F0F\n"),
              row_0 + "packer 0 downsampling: keeps 0x0F0F of each 16 datums; packer 0 to: L1 0x10010 after 0 waiting "
                      "bytes, 16 bits per datum; 16 bytes are written");
}

TEST_P(TransferWork, TheSecondPacrBeginsWhereTheFirstEnded) {
    const std::string first = "SETADCXX CntSetMask=4 x_start=0 x_end2=11\n" + test::wait_for_stores(arch) +
                              (arch == bh ? "PACR ReadIntfSel=1\n" : "PACR PackSel=1\n");
    EXPECT_EQ(pack(arch, first), "packer 0 from: Dst row 0 column 0, 12 datums (16-bit view); packer 0 to: L1 0x10020 "
                                 "after 8 waiting bytes, 16 bits per datum; 32 bytes are written");
}

// The number of zeros decides where the output ends.
TEST_P(TransferWork, CompressedOutputHasBounds) {
    const std::string compressed = ".cfg THCON_SEC0_REG1_Disable_zero_compress = 0\n.cfg THCON_SEC0_REG1_Row_start_section_size = 2\n";
    const std::string open = pack(arch, compressed), ended = pack(arch, compressed, " Last=1");
    EXPECT_TRUE(open.starts_with(row_0 + "packer 0 to: L1 0x10010 to 0x10")) << open;
    EXPECT_TRUE(open.ends_with(" at most, compressed, 16 bits per datum")) << open;
    EXPECT_EQ(ended, open + ", the stream ends");
}

INSTANTIATE_TEST_SUITE_P(Archs, TransferWork, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera

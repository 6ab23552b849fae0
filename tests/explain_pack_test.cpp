// SPDX-License-Identifier: Apache-2.0
// Explanations of PACR: the path of the datums, their destination, the rate, and the wrong field.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "findings/catalogue.hpp"
#include "plan/remedy.hpp"
#include "registers/field.hpp"
#include "support/explained.hpp"
#include "support/run_cli.hpp"
#include "support/timeline.hpp"

namespace tessera {
namespace {

using test::Explained;
using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string bf16 = test::pack_bf16 + std::string(R"(
.cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16
.cfg PCK0_ADDR_CTRL_XY_REG_0_Ystride = 32
)");

Explained pacr(Arch arch, std::string_view configuration, std::string_view instructions = "PACR\n") {
    return Explained(fmt::format("{}{}{}{}", bf16, configuration, test::wait_for_stores(arch), instructions), "PACR", arch);
}
Explained blackhole(std::string_view configuration, std::string_view instructions = "PACR\n") {
    return pacr(Arch::blackhole, configuration, instructions);
}
Explained wormhole(std::string_view configuration, std::string_view instructions = "PACR\n") {
    return pacr(Arch::wormhole, configuration, instructions);
}

TEST(ExplainPack, InterfacesAndTheirRows) {
    const Explained it = blackhole(".cfg DEST_TARGET_REG_CFG_PACK_SEC0_Offset = 8\n", "PACR ReadIntfSel=5\n");
    EXPECT_EQ(it("datums", "packer 0 interface 0"), "Dst row 8 column 0, 16 datums");
    EXPECT_EQ(it("datums", "packer 0 interface 2"), "Dst row 10 column 0, 16 datums");
    EXPECT_THAT(it("datums", "packer 0 interface 1"), IsEmpty());
    EXPECT_EQ(it("context", "packer 0 configuration"), "bank 0, THCON_SEC0_REG1");
    EXPECT_EQ(it("context", "packer 0 counters"), "thread 0's address counters");
    EXPECT_EQ(it("register", "DEST_TARGET_REG_CFG_PACK_SEC0_Offset"), "8");
}

// Dst has blocks of 8 rows: a PACR waits for each that it reads a row of, and for no other.
TEST(ExplainPack, ItWaitsForTheBlocksOfItsRows) {
    const auto blocks = [](const Explained& it) { return it("waits for", "Dst rows not just written"); };
    const Explained rows_62_to_65 =
        wormhole(".cfg DEST_TARGET_REG_CFG_PACK_SEC0_Offset = 62\nSETADCXX CntSetMask=4 x_start=0 x_end2=63\n");
    EXPECT_EQ(blocks(rows_62_to_65), "56..63 64..71");
    const Explained rows_60_to_63 = blackhole(".cfg DEST_TARGET_REG_CFG_PACK_SEC0_Offset = 60\n");
    EXPECT_EQ(blocks(rows_60_to_63), "56..63");
}

TEST(ExplainPack, ThirtyTwoBitsAreInTwoRows) {
    const Explained it = blackhole(R"(
.cfg PCK_DEST_RD_CTRL_Read_32b_data = 1
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float32
.cfg THCON_SEC0_REG1_In_data_format = Float32
.cfg THCON_SEC0_REG1_Out_data_format = Float32
.cfg DEST_TARGET_REG_CFG_PACK_SEC0_Offset = 8
)",
                                   "PACR ReadIntfSel=1\n");
    EXPECT_EQ(it("datums", "packer 0 interface 0"),
              "Dst row 8 column 0, 16 datums; physical row 16, low halves in row 24");
}

TEST(ExplainPack, EachOfWormholesPackersIsTold) {
    const Explained it = wormhole(R"(
.cfg THCON_SEC0_REG8_In_data_format = Float16_b
.cfg THCON_SEC0_REG8_Out_data_format = Float32
.cfg THCON_SEC0_REG8_Disable_zero_compress = 1
.cfg THCON_SEC0_REG8_L1_Dest_addr = 0x20000 / 16
.cfg THCON_SEC0_REG8_Sub_l1_tile_header_size = 1
.cfg THCON_SEC0_REG9_Pack_1_3_limit_address = 0xFFFF
.cfg DEST_TARGET_REG_CFG_PACK_SEC1_Offset = 16
)",
                                  "PACR PackSel=3\n");
    EXPECT_EQ(it("datums", "packer 0 from"), "Dst row 0 column 0, 16 datums");
    EXPECT_EQ(it("datums", "packer 1 from"), "Dst row 16 column 0, 16 datums");
    EXPECT_EQ(it("context", "packer 1 configuration"), "bank 0, THCON_SEC0_REG8");
    EXPECT_EQ(it("addresses", "packer 0 data"), "L1 0x10010");
    EXPECT_EQ(it("addresses", "packer 0 header"), "L1 0x10000, 16 bytes that PACR does not write");
    EXPECT_EQ(it("addresses", "packer 1 data"), "L1 0x20000");
    EXPECT_THAT(it("addresses", "packer 1 header"), IsEmpty());
    EXPECT_EQ(it("formats", "packer 1 late"), "Float32 in L1, 32 bits per datum");
    EXPECT_EQ(it.names("unit"), (std::vector<std::string>{"packer 0", "packer 1"}));
}

TEST(ExplainPack, TheWayOfADatum) {
    const Explained it = blackhole(R"(
.cfg PCK_DEST_RD_CTRL_Read_32b_data = 1
.cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b
.cfg THCON_SEC0_REG1_Exp_section_size = 4
.cfg STACC_RELU_ApplyRelu = 3
.cfg STACC_RELU_ReluThreshold = 0x4000
.cfg THCON_SEC0_REG1_Exp_threshold_en = 1
.cfg THCON_SEC0_REG1_Exp_threshold = 100
.cfg PCK_EDGE_OFFSET_SEC0_mask = 0x00FF
)");
    EXPECT_EQ(it("formats", "packer 0 Dst"), "32-bit view, intermediate format Float16_b");
    EXPECT_EQ(it("formats", "packer 0 early"), "BF16");
    EXPECT_EQ(it("formats", "packer 0 edge masks"), "masked datums become 0x0");
    EXPECT_EQ(it("formats", "packer 0 ReLU"), "threshold 0x4000");
    EXPECT_EQ(it("formats", "packer 0 exponent threshold"), "datums with an exponent below 100 become 0");
    EXPECT_EQ(it("formats", "packer 0 late"), "Bfp8_b in L1, 8 bits per datum, plus an exponent byte per 16 datums");
    EXPECT_EQ(it("addresses", "packer 0 exponents"), "L1 0x10010, 64 bytes");
    EXPECT_EQ(it("addresses", "packer 0 data"), "L1 0x10050");
}

// Packers, Early format conversion: a type for each pair of intermediate format and In_data_format.
TEST(ExplainPack, EarlyConversionsInWords) {
    const auto early = [](std::string_view in, std::string_view out, int wide, std::string_view more = "") {
        return blackhole(fmt::format(".cfg PCK_DEST_RD_CTRL_Read_32b_data = {2}\n.cfg ALU_FORMAT_SPEC_REG2_Dstacc = {0}\n"
                                     ".cfg THCON_SEC0_REG1_In_data_format = {0}\n.cfg THCON_SEC0_REG1_Out_data_format = {1}\n"
                                     ".cfg THCON_SEC0_REG1_Exp_section_size = 4\n{3}",
                                     in, out, wide, more))("formats", "packer 0 early");
    };
    constexpr std::string_view raw = ".cfg PCK_DEST_RD_CTRL_Read_int8 = 1\n", is_unsigned = ".cfg PCK_DEST_RD_CTRL_Read_unsigned = 1\n";
    EXPECT_EQ(early("Float32", "Float32", 1), "FP32");
    EXPECT_EQ(early("Tf32", "Float32", 1), "TF32");
    EXPECT_EQ(early("Int32", "Int32", 1), "INT32");
    EXPECT_EQ(early("UInt16", "UInt16", 0), "INT16");
    EXPECT_EQ(early("Int8", "Int8", 1), "8-bit integers");
    EXPECT_EQ(early("Int8", "Int8", 1, is_unsigned), "8-bit integers, unsigned");
    EXPECT_EQ(early("Float16", "Float16", 0), "FP16");
    EXPECT_EQ(early("Float16", "Float16", 0, raw), "FP16, bits unchanged");
    EXPECT_EQ(early("Float16_b", "Float16_b", 0, raw), "BF16, bits unchanged");
    EXPECT_EQ(early("Bfp8_b", "Bfp8_b", 0), "BF16 with six bits of mantissa");
    EXPECT_EQ(early("Bfp8_b", "Bfp8_b", 0, raw), "BF16, bits unchanged");
    EXPECT_EQ(early("Bfp8", "Bfp8", 0), "E5M7 with six bits of mantissa");
    EXPECT_EQ(early("Bfp8", "Bfp8", 0, raw), "E5M7, bits unchanged");
    EXPECT_EQ(early("Lf8", "Lf8", 0, raw), "FP8 (E5M2), bits unchanged");
}

TEST(ExplainPack, StagesOfIntegersAndDownsampling) {
    constexpr std::string_view int8 = R"(
.cfg PCK_DEST_RD_CTRL_Read_32b_data = 1
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Int8
.cfg THCON_SEC0_REG1_In_data_format = Int8
.cfg THCON_SEC0_REG1_Out_data_format = Int8
.cfg INT_DESCALE_Enable = 1
.cfg INT_DESCALE_VALUES_SEC0_Value = 3
)";
    EXPECT_EQ(blackhole(int8)("formats", "packer 0 shift"), "3");
    EXPECT_EQ(blackhole(std::string(int8) + ".cfg INT_DESCALE_Mode = 1\n")("formats", "packer 0 shift"),
              "by INT_DESCALE_VALUES, selected by Z");
    EXPECT_THAT(blackhole("")("formats", "packer 0 shift"), IsEmpty());
    EXPECT_EQ(blackhole(".cfg THCON_SEC0_REG1_Downsample_mask = 0x0F0F\n")("formats", "packer 0 downsampling"),
              "keeps the datums of mask 0x0F0F in each 16");
    EXPECT_THAT(blackhole("")("formats", "packer 0 downsampling"), IsEmpty());
    const Explained infinity = blackhole(".cfg PCK_EDGE_MODE_mode = 1\n.cfg PCK_EDGE_OFFSET_SEC0_mask = 0x00FF\n");
    EXPECT_EQ(infinity("formats", "packer 0 edge masks"), "masked datums become 0xFF80");
}

TEST(ExplainPack, BanksAndConfigurationsOfContexts) {
    const Explained it = blackhole(R"(
.cfg THCON_SEC1_REG8_In_data_format = Float16_b
.cfg THCON_SEC1_REG8_Out_data_format = Float16_b
.cfg THCON_SEC1_REG8_Disable_zero_compress = 1
.cfg THCON_SEC1_REG8_L1_Dest_addr = 0x3000
.cfg THCON_SEC1_REG9_Pack_1_3_limit_address = 0xFFFF
)",
                                   "PACR CfgContext=3\n");
    EXPECT_EQ(it("context", "packer 0 configuration"), "bank 0, THCON_SEC1_REG8");
    EXPECT_EQ(it("addresses", "packer 0 data"), "L1 0x30010");
    const Explained other_bank = blackhole("SETC16 setc16_reg=0 setc16_value=1\n");
    EXPECT_EQ(other_bank("context", "packer 0 configuration"), "bank 1, THCON_SEC0_REG1");
    const Explained other_counters = blackhole("", "PACR OvrdThreadId=1 AddrCntContext=2 ZeroWrite=1\n");
    EXPECT_EQ(other_counters("context", "packer 0 counters"), "thread 2's address counters");
}

// Spec-notes E22: FP16 of wider datums is rounded with Read_int8, too.
TEST(ExplainPack, ReadInt8ChangesNothingOnTheWayToFp16) {
    const auto early = [](int wide) {
        return blackhole(fmt::format(".cfg PCK_DEST_RD_CTRL_Read_32b_data = {}\n.cfg PCK_DEST_RD_CTRL_Read_int8 = 1\n"
                                     ".cfg PCK_DEST_RD_CTRL_Round_10b_mant = 1\n.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16\n"
                                     ".cfg THCON_SEC0_REG1_In_data_format = Float16\n.cfg THCON_SEC0_REG1_Out_data_format = Float16\n",
                                     wide))("formats", "packer 0 early");
    };
    EXPECT_EQ(early(1), "TF32, read as FP16 by the late conversion, Round_10b_mant");
    EXPECT_EQ(early(0), "FP16, Round_10b_mant");
}

TEST(ExplainPack, MasksOfEachRow) {
    const Explained it = blackhole(R"(
.cfg PCK_EDGE_OFFSET_SEC1_mask = 0x000F
.cfg TILE_ROW_SET_MAPPING_0_row_set_mapping_1 = 1
)",
                                   "PACR ReadIntfSel=3\n");
    EXPECT_EQ(it("edge masks", "packer 0"),
              "row 0 of plane 0: 0xFFFF of TILE_ROW_SET_MAPPING_0 row 1 of plane 0: 0x000F of TILE_ROW_SET_MAPPING_0");
    const Explained later = blackhole(".cfg PCK_EDGE_OFFSET_SEC0_mask = 0x00FF\n", "PACR\nPACR ReadIntfSel=1\n");
    EXPECT_EQ(later("edge masks", "packer 0"), "row 4 of plane 0: 0x00FF of TILE_ROW_SET_MAPPING_0");
    EXPECT_EQ(later("at issue", "packer packer 0 tile_y"), "4 -> 5");
    EXPECT_THAT(blackhole("").names("edge masks"), IsEmpty());
    const Explained many_rows = wormhole(".cfg PCK_EDGE_OFFSET_SEC0_mask = 0x00FF\nSETADCXX CntSetMask=4 x_start=0 x_end2=1023\n");
    EXPECT_EQ(many_rows.names("edge masks").size(), 32u) << "the first of 64";
}

TEST(ExplainPack, TheStreamBeforeAndAfterwards) {
    const Explained first = wormhole("SETADCXX CntSetMask=4 x_start=0 x_end2=11\n");
    EXPECT_EQ(first("stream", "packer 0"), "begins");
    EXPECT_EQ(first("stream", "packer 0 data"), "L1 0x10010: 24 bytes added, 16 written; afterwards at 0x10020, 8 held");
    const Explained second = wormhole("SETADCXX CntSetMask=4 x_start=0 x_end2=11\n", "PACR\nPACR Last=1\n");
    EXPECT_EQ(second("stream", "packer 0"), "continues the stream of earlier PACRs");
    EXPECT_EQ(
        second("stream", "packer 0 data"),
        "L1 0x10020, after 8 bytes that are held until the line is full: 24 bytes added, 32 written; the stream ends");
    EXPECT_THAT(second("addresses", "packer 0 data"), HasSubstr("used from the next stream on"));
    EXPECT_EQ(second("at issue", "packer packer 0 data_needs_address"), "0 -> 1");
}

TEST(ExplainPack, GroupsOfABlockFloat) {
    const Explained it = wormhole(R"(
.cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b
.cfg THCON_SEC0_REG1_Exp_section_size = 1
SETADCXX CntSetMask=4 x_start=0 x_end2=19
)");
    EXPECT_EQ(it("stream", "packer 0 group"), "0 datums of an incomplete group of 16 held before, 4 after");
    EXPECT_EQ(it("stream", "packer 0 exponents"), "L1 0x10010: 1 bytes added, 0 written; afterwards at 0x10010, 1 held");
}

TEST(ExplainPack, CompressedOutputHasRowStarts) {
    const Explained it = wormhole(R"(
.cfg THCON_SEC0_REG1_Disable_zero_compress = 0
.cfg THCON_SEC0_REG1_Row_start_section_size = 2
)");
    EXPECT_EQ(it("addresses", "packer 0 row starts"), "L1 0x10010, 32 bytes");
    EXPECT_EQ(it("addresses", "packer 0 data"), "L1 0x10030");
    EXPECT_THAT(it("stream", "packer 0 compressed"),
                AllOf(StartsWith("between L1 0x10010 and"), EndsWith("for any number of zeros")));
    const Explained ends = wormhole(".cfg THCON_SEC0_REG1_Disable_zero_compress = 0\n", "PACR Last=1\n");
    EXPECT_THAT(ends("stream", "packer 0 compressed"), EndsWith("for any number of zeros; the stream ends"));
}

TEST(ExplainPack, L1AsSource) {
    const Explained it = wormhole(R"(
.cfg THCON_SEC0_REG1_Source_interface_selection = 1
.cfg PCK0_ADDR_BASE_REG_0_Base = 0x1000
)");
    EXPECT_EQ(it("formats", "packer 0 from L1"), "BF16");
    EXPECT_EQ(it("datums", "packer 0 from"), "L1 0x1000, 16 datums");
    EXPECT_THAT(it("formats", "packer 0 early"), IsEmpty());
    const Explained none = wormhole(".cfg THCON_SEC0_REG1_Source_interface_selection = 1\n.cfg THCON_SEC0_REG1_In_data_format = Bfp4_b\n");
    EXPECT_EQ(none("formats", "packer 0 from L1"), "none: hardware cannot read such datums from L1");
    EXPECT_EQ(none("formats", "packer 0 late"), "Bfp4_b -> Float16_b");
}

TEST(ExplainPack, SpeedAndItsLimit) {
    const Explained it = wormhole("SETADCXX CntSetMask=4 x_start=0 x_end2=255\n");
    EXPECT_EQ(it("speed", "packer 0 transfer"), "256 datums, 32 lines of 16 bytes in 32 cycles");
    EXPECT_EQ(it("speed", "packer 0 rate"), "16 bytes per cycle");
    EXPECT_THAT(it("speed", "packer 0 limited by"), StartsWith("writes to L1 (L1, Packers"));
    const Explained added =
        wormhole("SETADCXX CntSetMask=4 x_start=0 x_end2=255\n.cfg THCON_SEC0_REG1_Pack_L1_Acc = 1\n");
    EXPECT_EQ(added("speed", "packer 0 transfer"), "256 datums, 32 lines of 16 bytes in 160 cycles");
    EXPECT_THAT(added("speed", "packer 0 limited by"), StartsWith("the adder before L1"));
    EXPECT_THAT(added("formats", "packer 0 late"), HasSubstr("added to the value in L1"));
    const Explained little = blackhole("", "PACR ReadIntfSel=1\n");
    EXPECT_THAT(little("speed", "packer 0 limited by"), StartsWith("nothing"));
    EXPECT_EQ(added("speed", "packer 0 rate"), "1 lines in 5 cycles");
    EXPECT_EQ(little("speed", "packer 0 transfer"), "16 datums, 2 lines of 16 bytes in 1 cycles");
}

TEST(ExplainPack, CountersAfterwards) {
    const Explained it =
        blackhole(".repeat 1\nSETC16 setc16_reg=37 setc16_value=0x43\n.end\n");  // YsrcIncr 3, YdstIncr 1
    EXPECT_EQ(it("at issue", "adc thread 0 packers channel 0 y"), "0 -> 3");
    EXPECT_EQ(it("at issue", "adc thread 0 packers channel 1 y"), "0 -> 1");
}

TEST(ExplainPack, AFaultTellsTheWayAndTheFieldThatIsWrong) {
    const Explained it = blackhole(".cfg THCON_SEC0_REG1_In_data_format = Float16\n");
    ASSERT_TRUE(it.run().fault);
    EXPECT_EQ(it.run().fault->code, "pack.in-format");
    EXPECT_EQ(it("formats", "packer 0 early"), "none: hardware has no such conversion");
    EXPECT_THAT(it.names("should be"), Contains("THCON_SEC0_REG1_In_data_format"));
    EXPECT_THAT(it("should be", "THCON_SEC0_REG1_In_data_format"), HasSubstr("now 1 (Float16)"));

    const Explained late = blackhole(".cfg THCON_SEC0_REG1_Out_data_format = Int32\n");
    EXPECT_EQ(late.names("should be"), std::vector<std::string>{"THCON_SEC0_REG1_Out_data_format"});
    const Explained range = blackhole("SETADCXX CntSetMask=4 x_start=0 x_end2=31\n");
    EXPECT_EQ(range.names("should be"), std::vector<std::string>{"adc thread 0 packers channel 1 x"});
}

TEST(ExplainPack, FindingsNameTheirFields) {
    const Explained section = blackhole(".cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b\n");
    EXPECT_FALSE(section.run().fault);
    EXPECT_EQ(section.names("should be"), std::vector<std::string>{"THCON_SEC0_REG1_Exp_section_size"});
    EXPECT_EQ(section("should be", "THCON_SEC0_REG1_Exp_section_size"),
              "a unit per 256 datums of the tile; now 0 (0 bytes)");
    const Explained base =
        blackhole(".cfg PCK0_ADDR_BASE_REG_1_Base = 24\n.cfg PCK0_ADDR_CTRL_ZW_REG_1_Zstride = 64\n");
    EXPECT_EQ(base.names("should be"), std::vector<std::string>{"PCK0_ADDR_BASE_REG_1_Base"});
    const Explained undocumented = blackhole(".cfg THCON_SEC0_REG1_Enable_out_fifo = 1\n");
    EXPECT_EQ(undocumented.names("should be"), std::vector<std::string>{"THCON_SEC0_REG1_Enable_out_fifo"});
}

TEST(ExplainPack, JsonHasTheSameLines) {
    const auto reported = test::run_cli({"explain", TESSERA_SOURCE_DIR "/examples/seeds/7.3-through-the-packer.toml",
                                         "--instruction", "PACR", "--limit", "1", "--json"});
    ASSERT_EQ(reported.status, 0) << reported.err;
    const auto lines = nlohmann::json::parse(reported.out)["explanations"][0]["lines"];
    std::set<std::string> topics;
    for (const auto& line : lines) topics.insert(line["topic"]);
    EXPECT_THAT(topics, testing::IsSupersetOf({"context", "formats", "datums", "addresses", "stream", "speed",
                                               "register", "counter", "at issue"}));
}

// Every fault and finding of the packers has at least one field behind it, and each row's name is there to be read.
TEST(ExplainPack, EveryFaultAndFindingHasAFieldBehindIt) {
    std::set<std::string_view> about;
    for (const auto& row : plan::pack_remedies()) {
        about.insert(findings::entry(row.about).code);
        EXPECT_FALSE(row.should_be.empty());
    }
    for (const auto& entry : findings::catalogue)
        EXPECT_TRUE(!entry.code.starts_with("pack.") || about.count(entry.code)) << entry.code;
}

// 64 mappings of rows that are alike are four lines of text.
TEST(ExplainPack, AlikeRegistersAreOneLineOfText) {
    const Explained it = blackhole(".cfg TILE_ROW_SET_MAPPING_2_row_set_mapping_3 = 1\n");
    const std::string text = it.run().explanations.back().describe();
    EXPECT_THAT(text, HasSubstr("TILE_ROW_SET_MAPPING_0_row_set_mapping_0 to 15"));
    EXPECT_THAT(text, HasSubstr("TILE_ROW_SET_MAPPING_2_row_set_mapping_4 to 15"));
    EXPECT_THAT(text, Not(HasSubstr("TILE_ROW_SET_MAPPING_2_row_set_mapping_0 to")));
    EXPECT_EQ(it("register", "TILE_ROW_SET_MAPPING_0_row_set_mapping_7"), "0");
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// Causes of the packers' faults and findings.
#include "plan/remedy.hpp"

namespace tessera::plan {

namespace {

using findings::id;
using enum Remedy::When;

constexpr std::string_view in_l1 = "a value for which all output lies in L1";
constexpr std::string_view source_in_l1 = "a value for which all input lies in L1";
constexpr std::string_view in_row = "0 to 15: the first and the last datum lie in one row";
constexpr std::string_view whole_lines = "a multiple of 16";
constexpr std::string_view no_effect = "0: no page gives it an effect";
constexpr std::string_view steps_over = "at least the extent of the lower counters";
constexpr std::string_view in_fours = "a value for which the first row is a multiple of four";

// Rows are laid out by hand.
// clang-format off
constexpr Remedy table[] = {
    {id("pack.undefined"), "THCON_SEC#_REG#_In_data_format", any, "the format that Dst holds, as in Dstacc", {}, "this early conversion"},
    {id("pack.undefined"), "ALU_FORMAT_SPEC_REG2_Dstacc", any, "the format that Dst holds", {}, "this early conversion"},
    {id("pack.undefined"), "ALU_FORMAT_SPEC_REG_Dstacc_val", any, "the format that Dst holds", {}, "this early conversion"},
    {id("pack.undefined"), "PCK_DEST_RD_CTRL_Read_32b_data", any, "on for FP32, TF32 from 32 bits and INT32, else off", {}, "this early conversion"},
    {id("pack.undefined"), "PCK_DEST_RD_CTRL_Read_unsigned", set, "off, unless the datums are UINT8 from 32 bits", {}, "this early conversion"},
    {id("pack.undefined"), "THCON_SEC#_REG#_Out_data_format", any, "a format that In_data_format can become: floats to floats, an integer to itself", {}, "this late conversion"},
    {id("pack.undefined"), "THCON_SEC#_REG#_Dis_shared_exp_assembler", set, "off for block floats", {}, "block floats without assembly of shared exponents"},
    {id("pack.undefined"), "THCON_SEC#_REG#_Pack_L#_Acc", set, "off, unless the output is Float32, Float16, Float16_b or Int32", {}, "accumulation in L1 in this format"},
    {id("pack.undefined"), "THCON_SEC#_REG#_Out_data_format", any, "Float32, Float16, Float16_b or Int32", {}, "accumulation in L1 in this format"},
    {id("pack.undefined"), "THCON_SEC#_REG#_Disable_zero_compress", unset, "on: hardware cannot accumulate compressed output", {}, "accumulation in L1 of compressed output"},
    {id("pack.undefined"), "THCON_SEC#_REG#_Disable_zero_compress", unset, "on for datums of two bits", {}, "compression of datums of two bits"},
    {id("pack.undefined"), "STACC_RELU_ApplyRelu", set, "0 or 1 for integers, 0 for UINT8", {}, "this mode of the ReLU on integers"},
    {id("pack.undefined"), "PCK_EDGE_MODE_mode", set, "0: only FP32, TF32 and BF16 have minus infinity", {}, "minus infinity at the edges of this type"},
    {id("pack.undefined"), "THCON_SEC#_REG#_In_data_format", any, "a format whose datums have whole bytes in L1", {}, "datums of this format from L1"},
    {id("pack.dst-format"), "THCON_SEC#_REG#_In_data_format", any, "the type that Dst holds"},
    {id("pack.dst-format"), "ALU_FORMAT_SPEC_REG2_Dstacc", any, "the type that Dst holds"},
    {id("pack.dst-width"), "PCK_DEST_RD_CTRL_Read_32b_data", any, "on, where Dst holds 32 bits, else off"},
    {id("pack.bf16-as-fp32"), "PCK_DEST_RD_CTRL_Read_32b_data", unset, "on, where Dst holds 32 bits"},
    {id("pack.bf16-as-fp32"), "THCON_SEC#_REG#_In_data_format", any, "Float16_b, where Dst holds 16 bits"},
    {id("pack.in-format"), "THCON_SEC#_REG#_In_data_format", any, "the output type of the early conversion, usually Dstacc"},
    {id("pack.in-format"), "ALU_FORMAT_SPEC_REG2_Dstacc", any, "In_data_format, if Dst holds that format"},
    {id("pack.dest-addr"), "THCON_SEC#_REG#_L#_Dest_addr", any, "the byte address divided by 16"},
    {id("pack.l1-address"), "THCON_SEC#_REG#_L#_Dest_addr", any, in_l1},
    {id("pack.l1-address"), "PCK0_ADDR_BASE_REG_1_Base", set, in_l1},
    {id("pack.l1-address"), "PCK0_ADDR_CTRL_XY_REG_1_Ystride", set, in_l1},
    {id("pack.l1-address"), "PCK0_ADDR_CTRL_ZW_REG_1_Zstride", set, in_l1},
    {id("pack.l1-address"), "PCK0_ADDR_CTRL_ZW_REG_1_Wstride", set, in_l1},
    {id("pack.compressed-reach"), "THCON_SEC#_REG#_L#_Dest_addr", any, "a value for which output without zeros lies in L1"},
    {id("pack.compressed-reach"), "THCON_SEC#_REG#_Disable_zero_compress", unset, "on, to write uncompressed output"},
    {id("pack.count-negative"), "adc thread # packers channel 1 x", any, "the last datum: at least channel 0's X"},
    {id("pack.x-range"), "adc thread # packers channel 0 x", set, in_row},
    {id("pack.x-range"), "adc thread # packers channel 1 x", any, in_row},
    {id("pack.interface-group"), "ReadIntfSel", any, "interfaces that stay within a group of four rows"},
    {id("pack.interface-group"), "PCK0_ADDR_BASE_REG_0_Base", set, in_fours},
    {id("pack.interface-group"), "DEST_TARGET_REG_CFG_PACK_SEC#_Offset", set, in_fours},
    {id("pack.interface-group"), "adc thread # packers channel 0 y", set, in_fours},
    {id("pack.l1-source"), "THCON_SEC#_REG#_L#_source_addr", any, source_in_l1},
    {id("pack.l1-source"), "PCK0_ADDR_BASE_REG_0_Base", set, source_in_l1},
    {id("pack.undocumented-field"), "THCON_SEC#_REG#_Enable_out_fifo", set, no_effect, {}, "Enable_out_fifo"},
    {id("pack.undocumented-field"), "THCON_SEC#_REG#_Downsample_rate", set, no_effect, {}, "Downsample_rate"},
    {id("pack.undocumented-field"), "THCON_SEC#_REG#_pack_start_intf_pos", set, no_effect, {}, "pack_start_intf_pos"},
    {id("pack.undocumented-field"), "THCON_SEC#_REG#_pack_dis_y_pos_start_offset", set, no_effect, {}, "pack_dis_y_pos_start_offset"},
    {id("pack.undocumented-field"), "PACK_COUNTERS_SEC#_pack_per_xy_plane", set, no_effect, {}, "pack_per_xy_plane"},
    {id("pack.undocumented-field"), "PACK_COUNTERS_SEC#_pack_xys_per_tile", set, no_effect, {}, "pack_xys_per_tile"},
    {id("pack.undocumented-field"), "PACK_COUNTERS_SEC#_auto_ctxt_inc_xys_cnt", set, no_effect, {}, "auto_ctxt_inc_xys_cnt"},
    {id("pack.undocumented-field"), "PACK_CONCAT_MASK_SEC#_pack_concat_mask", set, no_effect, {}, "pack_concat_mask"},
    {id("pack.undocumented-field"), "PACK_COUNTERS_SEC#_pack_per_xy_plane_offset", set, no_effect, {}, "pack_per_xy_plane_offset"},
    {id("pack.undocumented-field"), "THCON_SEC#_REG#_Read_mode", set, no_effect, {}, "Read_mode"},
    {id("pack.undocumented-field"), "THCON_SEC#_REG#_Force_pack_per_max_xy_plane", set, no_effect, {}, "Force_pack_per_max_xy_plane"},
    {id("pack.undocumented-field"), "PACK_GLOBAL_CFG_CTL_pack_disable_fast_tile_end_drain", set, no_effect, {}, "pack_disable_fast_tile_end_drain"},
    {id("pack.undocumented-field"), "ALU_ROUNDING_MODE_GS_LF", set, no_effect, {}, "GS_LF"},
    {id("pack.undocumented-field"), "ALU_ROUNDING_MODE_Bfp#_HF", set, no_effect, {}, "Bfp8_HF"},
    {id("pack.decided"), "CtxtCtrl", set, "0: no page describes its effect", {}, "a context"},
    {id("pack.decided"), "CfgContext", set, "0, with the registers of THCON_SEC0_REG1", {}, "a context"},
    {id("pack.decided"), "OvrdThreadId", set, "0, and the thread's own counters", {}, "OvrdThreadId on Blackhole"},
    {id("pack.decided"), "RowPadZero", set, "0, and datums that fill their rows", {}, "RowPadZero"},
    {id("pack.decided"), "INT_DESCALE_Mode", set, "0, with the same shift for all Z", {}, "INT_DESCALE_Mode"},
    {id("pack.decided"), "THCON_SEC#_REG#_Auto_set_last_pacr_intf_sel", set, "0, and ReadIntfSel for the rows that remain", {}, "Auto_set_last_pacr_intf_sel"},
    {id("pack.decided"), "THCON_SEC#_REG#_All_pack_disable_zero_compress_ovrd", set, "0, and Disable_zero_compress", {}, "All_pack_disable_zero_compress_ovrd"},
    {id("pack.compression-changed"), "THCON_SEC#_REG#_Disable_zero_compress", any, "its value when the stream began"},
    {id("rounding.stochastic-undocumented"), "ALU_ROUNDING_MODE_Gasket_srnd_en", set, "0, for reproducible results"},
    {id("rounding.stochastic-undocumented"), "ALU_ROUNDING_MODE_Packer_srnd_en", set, "0, for reproducible results"},
    {id("pack.group-dropped"), "THCON_SEC#_REG#_Out_data_format", any, "the block float that the stream began with"},
    {id("pack.relu-threshold"), "STACC_RELU_ReluThreshold", any, "at least +0: below 0x8000"},
    {id("pack.packer-mask"), "PackSel", any, "1, 2, 4, 8, 3, 12 or 15; 0 means 1"},
    {id("pack.x-stride"), "PCK0_ADDR_CTRL_XY_REG_0_Xstride", any, "the bytes of a datum of In_data_format, or 0"},
    {id("pack.in-address"), "PCK0_ADDR_BASE_REG_0_Base", low_bits, whole_lines},
    {id("pack.in-address"), "PCK0_ADDR_CTRL_XY_REG_0_Ystride", low_bits, whole_lines},
    {id("pack.in-address"), "PCK0_ADDR_CTRL_ZW_REG_0_Zstride", low_bits, whole_lines},
    {id("pack.in-address"), "PCK0_ADDR_CTRL_ZW_REG_0_Wstride", low_bits, whole_lines},
    {id("pack.out-address"), "PCK0_ADDR_BASE_REG_1_Base", low_bits, whole_lines},
    {id("pack.out-address"), "PCK0_ADDR_CTRL_XY_REG_1_Ystride", low_bits, whole_lines},
    {id("pack.out-address"), "PCK0_ADDR_CTRL_ZW_REG_1_Zstride", low_bits, whole_lines},
    {id("pack.out-address"), "PCK0_ADDR_CTRL_ZW_REG_1_Wstride", low_bits, whole_lines},
    {id("pack.one-datum"), "adc thread # packers channel 1 x", any, "the last datum of the row: 15 for a whole row"},
    {id("pack.edge-mask-unset"), "PCK_EDGE_OFFSET_SEC#_mask", any, "0xFFFF, to pack all columns"},
    {id("pack.edge-mask-set"), "PCK_EDGE_OFFSET_SEC#_mask", any, "a bit for each column to pack"},
    {id("pack.edge-mask-set"), "TILE_ROW_SET_MAPPING_#_row_set_mapping_#", any, "the mask for the row"},
    {id("pack.output-overlap"), "PCK0_ADDR_CTRL_XY_REG_1_Ystride", one_of, "at least the bytes written between two steps"},
    {id("pack.output-overlap"), "PCK0_ADDR_CTRL_ZW_REG_1_Zstride", one_of, "at least the bytes written between two steps"},
    {id("pack.output-overlap"), "PCK0_ADDR_CTRL_ZW_REG_1_Wstride", one_of, "at least the bytes written between two steps"},
    {id("pack.output-gap"), "PCK0_ADDR_CTRL_XY_REG_1_Ystride", one_of, "the bytes written between two steps"},
    {id("pack.output-gap"), "PCK0_ADDR_CTRL_ZW_REG_1_Zstride", one_of, "the bytes written between two steps"},
    {id("pack.output-gap"), "PCK0_ADDR_CTRL_ZW_REG_1_Wstride", one_of, "the bytes written between two steps"},
    {id("pack.strides-overlap"), "PCK0_ADDR_CTRL_XY_REG_0_Ystride", one_of, "at least the bytes of a row of 16 datums"},
    {id("pack.strides-overlap"), "PCK0_ADDR_CTRL_ZW_REG_#_Zstride", one_of, steps_over},
    {id("pack.strides-overlap"), "PCK0_ADDR_CTRL_ZW_REG_#_Wstride", one_of, steps_over},
    {id("pack.exponent-section"), "THCON_SEC#_REG#_Exp_section_size", any, "a unit per 256 datums of the tile"},
};
// clang-format on

}  // namespace

std::span<const Remedy> pack_remedies() { return table; }

}  // namespace tessera::plan

// SPDX-License-Identifier: Apache-2.0
// The configuration fields of the packers by the pages' names.
#pragma once

#include <array>

#include "reference/machine.hpp"
#include "registers/packer_fields.hpp"

namespace tessera::reference {

using registers::Field;
using registers::field;
using registers::fields;
using registers::packer_fields;

/// The configuration of the four packers: THCON SEC0 REG1, SEC0 REG8, SEC1 REG1, SEC1 REG8.
using PerPacker = std::array<Field, 4>;
constexpr PerPacker L1_Dest_addr = packer_fields("L1_Dest_addr");
constexpr PerPacker Sub_l1_tile_header_size = packer_fields("Sub_l1_tile_header_size");
constexpr PerPacker Disable_zero_compress = packer_fields("Disable_zero_compress");
constexpr PerPacker In_data_format = packer_fields("In_data_format");
constexpr PerPacker Out_data_format = packer_fields("Out_data_format");
constexpr PerPacker Exp_section_size = packer_fields("Exp_section_size");
constexpr PerPacker Dis_shared_exp_assembler = packer_fields("Dis_shared_exp_assembler");
constexpr auto Pac_LF8_4b_exp = field("THCON_SEC0_REG1_Pac_LF8_4b_exp"),
               INT_DESCALE_Enable = field("INT_DESCALE_Enable"), INT_DESCALE_Mode = field("INT_DESCALE_Mode");
constexpr PerPacker Source_interface_selection = packer_fields("Source_interface_selection");
constexpr PerPacker Pack_L1_Acc = packer_fields("Pack_L1_Acc");
constexpr PerPacker Addr_cnt_context = packer_fields("Addr_cnt_context");
constexpr PerPacker Pack_limit_address = {
    field("THCON_SEC0_REG9_Pack_0_2_limit_address"), field("THCON_SEC0_REG9_Pack_1_3_limit_address"),
    field("THCON_SEC1_REG9_Pack_0_2_limit_address"), field("THCON_SEC1_REG9_Pack_1_3_limit_address")};
constexpr PerPacker Pack_fifo_size = {
    field("THCON_SEC0_REG9_Pack_0_2_fifo_size"), field("THCON_SEC0_REG9_Pack_1_3_fifo_size"),
    field("THCON_SEC1_REG9_Pack_0_2_fifo_size"), field("THCON_SEC1_REG9_Pack_1_3_fifo_size")};
constexpr PerPacker Add_l1_dest_addr_offset = packer_fields("Add_l1_dest_addr_offset");
constexpr PerPacker Add_tile_header_size = packer_fields("Add_tile_header_size");
constexpr PerPacker Row_start_section_size = packer_fields("Row_start_section_size");
constexpr PerPacker Disable_pack_zero_flags = packer_fields("Disable_pack_zero_flags");
constexpr PerPacker Downsample_mask = packer_fields("Downsample_mask");
constexpr PerPacker Exp_threshold_en = packer_fields("Exp_threshold_en");
constexpr PerPacker Exp_threshold = packer_fields("Exp_threshold");
constexpr PerPacker L1_source_addr = packer_fields("L1_source_addr");
constexpr PerPacker Auto_set_last_pacr_intf_sel = packer_fields("Auto_set_last_pacr_intf_sel");
constexpr auto Gasket_srnd_en = field("ALU_ROUNDING_MODE_Gasket_srnd_en"),
               Packer_srnd_en = field("ALU_ROUNDING_MODE_Packer_srnd_en"),
               ENABLE_ACC_STATS_Enable = field("ENABLE_ACC_STATS_Enable");
constexpr auto INT_DESCALE_VALUES = fields<16>("INT_DESCALE_VALUES_SEC#_Value");
constexpr auto PACK_SEC_Offset = fields<4>("DEST_TARGET_REG_CFG_PACK_SEC#_Offset");
constexpr auto pack_reads_per_xy_plane = fields<4>("PACK_COUNTERS_SEC#_pack_reads_per_xy_plane");
constexpr auto pack_yz_transposed = fields<4>("PACK_COUNTERS_SEC#_pack_yz_transposed");
constexpr auto ZOffset = fields<4>("DEST_TARGET_REG_CFG_PACK_SEC#_ZOffset");
constexpr auto EDGE_OFFSET_mask = fields<4>("PCK_EDGE_OFFSET_SEC#_mask");
constexpr auto EDGE_MODE_mode = field("PCK_EDGE_MODE_mode"),
               ROW_SET_SELECT_select = field("PCK_EDGE_TILE_ROW_SET_SELECT_select"),
               FACE_SET_SELECT_select = field("PCK_EDGE_TILE_FACE_SET_SELECT_select"),
               FACE_SET_SELECT_enable = field("PCK_EDGE_TILE_FACE_SET_SELECT_enable");
constexpr std::array<std::array<Field, 16>, 4> row_set_mapping = {
    fields<16>("TILE_ROW_SET_MAPPING_0_row_set_mapping_#"), fields<16>("TILE_ROW_SET_MAPPING_1_row_set_mapping_#"),
    fields<16>("TILE_ROW_SET_MAPPING_2_row_set_mapping_#"), fields<16>("TILE_ROW_SET_MAPPING_3_row_set_mapping_#")};
constexpr std::array<std::array<Field, 16>, 4> face_set_mapping = {
    fields<16>("TILE_FACE_SET_MAPPING_0_face_set_mapping_#"), fields<16>("TILE_FACE_SET_MAPPING_1_face_set_mapping_#"),
    fields<16>("TILE_FACE_SET_MAPPING_2_face_set_mapping_#"), fields<16>("TILE_FACE_SET_MAPPING_3_face_set_mapping_#")};
constexpr auto All_pack_disable_zero_compress_ovrd = field("THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd");
constexpr auto All_pack_disable_zero_compress = field("THCON_SEC0_REG1_All_pack_disable_zero_compress");

constexpr auto REG_0_Base = field("PCK0_ADDR_BASE_REG_0_Base"), REG_1_Base = field("PCK0_ADDR_BASE_REG_1_Base"),
               REG_0_Xstride = field("PCK0_ADDR_CTRL_XY_REG_0_Xstride"),
               REG_0_Ystride = field("PCK0_ADDR_CTRL_XY_REG_0_Ystride"),
               REG_0_Zstride = field("PCK0_ADDR_CTRL_ZW_REG_0_Zstride"),
               REG_0_Wstride = field("PCK0_ADDR_CTRL_ZW_REG_0_Wstride"),
               REG_1_Ystride = field("PCK0_ADDR_CTRL_XY_REG_1_Ystride"),
               REG_1_Zstride = field("PCK0_ADDR_CTRL_ZW_REG_1_Zstride"),
               REG_1_Wstride = field("PCK0_ADDR_CTRL_ZW_REG_1_Wstride");
constexpr auto Read_32b_data = field("PCK_DEST_RD_CTRL_Read_32b_data"), Read_int8 = field("PCK_DEST_RD_CTRL_Read_int8"),
               Read_unsigned = field("PCK_DEST_RD_CTRL_Read_unsigned"),
               Round_10b_mant = field("PCK_DEST_RD_CTRL_Round_10b_mant");
constexpr auto Dstacc_override = field("ALU_FORMAT_SPEC_REG_Dstacc_override"),
               Dstacc_val = field("ALU_FORMAT_SPEC_REG_Dstacc_val"), Dstacc = field("ALU_FORMAT_SPEC_REG2_Dstacc");
constexpr auto ApplyRelu = field("STACC_RELU_ApplyRelu"), ReluThreshold = field("STACC_RELU_ReluThreshold");

constexpr auto YsrcIncr = fields<4>("ADDR_MOD_PACK_SEC#_YsrcIncr"), YsrcCR = fields<4>("ADDR_MOD_PACK_SEC#_YsrcCR"),
               YsrcClear = fields<4>("ADDR_MOD_PACK_SEC#_YsrcClear"),
               YdstIncr = fields<4>("ADDR_MOD_PACK_SEC#_YdstIncr"), YdstCR = fields<4>("ADDR_MOD_PACK_SEC#_YdstCR"),
               YdstClear = fields<4>("ADDR_MOD_PACK_SEC#_YdstClear"),
               ZsrcIncr = fields<4>("ADDR_MOD_PACK_SEC#_ZsrcIncr"),
               ZsrcClear = fields<4>("ADDR_MOD_PACK_SEC#_ZsrcClear"),
               ZdstIncr = fields<4>("ADDR_MOD_PACK_SEC#_ZdstIncr"),
               ZdstClear = fields<4>("ADDR_MOD_PACK_SEC#_ZdstClear");

}  // namespace tessera::reference

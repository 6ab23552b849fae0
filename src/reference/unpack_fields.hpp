// SPDX-License-Identifier: Apache-2.0
// Inputs of UNPACR's functional model: operands, ConfigState and ThreadConfig, by the page's names.
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference::unpack {

using registers::Field;
using registers::field;
using registers::fields;

inline constexpr auto Unpack_block_selection = isa::operand("UNPACR", "Unpack_block_selection");
inline constexpr auto AddrMode = isa::operand("UNPACR", "AddrMode");
inline constexpr auto CfgContextCntInc = isa::operand("UNPACR", "CfgContextCntInc");
inline constexpr auto CfgContextId = isa::operand("UNPACR", "CfgContextId");
inline constexpr auto AddrCntContextId = isa::operand("UNPACR", "AddrCntContextId");
inline constexpr auto OvrdThreadId = isa::operand("UNPACR", "OvrdThreadId");
inline constexpr auto SetDatValid = isa::operand("UNPACR", "SetDatValid");
inline constexpr auto srcb_bcast = isa::operand("UNPACR", "srcb_bcast", "rareb_en");
inline constexpr auto ZeroWrite2 = isa::operand("UNPACR", "ZeroWrite2");
inline constexpr auto AutoIncContextID = isa::operand("UNPACR", "AutoIncContextID");
inline constexpr auto RowSearchBit = isa::operand("UNPACR", "RowSearch");
inline constexpr auto SearchCacheFlush = isa::operand("UNPACR", "SearchCacheFlush");

// THCON_SEC[WhichUnpacker]
inline constexpr auto InDataFormatField = fields<2>("THCON_SEC#_REG0_TileDescriptor_InDataFormat");
inline constexpr auto IsUncompressedField = fields<2>("THCON_SEC#_REG0_TileDescriptor_IsUncompressed");
inline constexpr auto XDimField = fields<2>("THCON_SEC#_REG0_TileDescriptor_XDim");
inline constexpr auto YDimField = fields<2>("THCON_SEC#_REG0_TileDescriptor_YDim");
inline constexpr auto WDimField = fields<2>("THCON_SEC#_REG0_TileDescriptor_WDim");
inline constexpr auto ZDimField = fields<2>("THCON_SEC#_REG0_TileDescriptor_ZDim");
inline constexpr auto BlobsPerXYPlane = fields<2>("THCON_SEC#_REG0_TileDescriptor_BlobsPerXYPlane");
inline constexpr auto BlobsYStart_lo = fields<2>("THCON_SEC#_REG0_TileDescriptor_BlobsYStart_lo");
inline constexpr auto BlobsYStart_hi = fields<2>("THCON_SEC#_REG0_TileDescriptor_BlobsYStart_hi");
inline constexpr std::array<Field, 2> BLOBS_Y_START_CNTX = {field("UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start"),
                                                            field("UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start")};
inline constexpr auto DigestSize = fields<2>("THCON_SEC#_REG0_TileDescriptor_DigestSize");
inline constexpr auto NoBFPExpSection = fields<2>("THCON_SEC#_REG0_TileDescriptor_NoBFPExpSection");
inline constexpr auto Unp_LF8_4b_exp = fields<2>("THCON_SEC#_REG1_Unp_LF8_4b_exp");
inline constexpr auto Force_shared_exp = fields<2>("THCON_SEC#_REG2_Force_shared_exp");
inline constexpr auto Out_data_format = fields<2>("THCON_SEC#_REG2_Out_data_format");
inline constexpr auto Context_count = fields<2>("THCON_SEC#_REG2_Context_count");
inline constexpr auto Context_count_non_log2 = fields<2>("THCON_SEC#_REG2_Context_count_non_log2");
inline constexpr auto Context_count_non_log2_en = fields<2>("THCON_SEC#_REG2_Context_count_non_log2_en");
inline constexpr auto Haloize_mode = fields<2>("THCON_SEC#_REG2_Haloize_mode");
inline constexpr auto Tileize_mode = fields<2>("THCON_SEC#_REG2_Tileize_mode");
inline constexpr auto Unpack_Src_Reg_Set_Upd = fields<2>("THCON_SEC#_REG2_Unpack_Src_Reg_Set_Upd");
inline constexpr auto Unpack_If_Sel = fields<2>("THCON_SEC#_REG2_Unpack_If_Sel");
inline constexpr auto Upsample_rate = fields<2>("THCON_SEC#_REG2_Upsample_rate");
inline constexpr auto Upsample_and_interleave = fields<2>("THCON_SEC#_REG2_Upsample_and_interleave");
inline constexpr std::array<std::array<Field, 8>, 2> Unpack_data_format_cntx = {
    fields<8>("THCON_SEC0_REG7_Unpack_data_format_cntx#"), fields<8>("THCON_SEC1_REG7_Unpack_data_format_cntx#")};
inline constexpr std::array<std::array<Field, 8>, 2> Unpack_out_data_format_cntx = {
    fields<8>("THCON_SEC0_REG7_Unpack_out_data_format_cntx#"),
    fields<8>("THCON_SEC1_REG7_Unpack_out_data_format_cntx#")};
inline constexpr auto Ovrd_data_format = fields<2>("THCON_SEC#_REG2_Ovrd_data_format");
inline constexpr auto Unpack_limit_address = fields<2>("THCON_SEC#_REG2_Unpack_limit_address");
inline constexpr auto Unpack_fifo_size = fields<2>("THCON_SEC#_REG2_Unpack_fifo_size");
inline constexpr auto Base_address = fields<2>("THCON_SEC#_REG3_Base_address");
inline constexpr auto Offset_address = fields<2>("THCON_SEC#_REG7_Offset_address");
inline constexpr auto Tile_x_dim_cntx = fields<4>("THCON_SEC0_REG5_Tile_x_dim_cntx#");
inline constexpr auto Dest_cntx = fields<4>("THCON_SEC0_REG5_Dest_cntx#_address");
inline constexpr auto Unpack_if_sel_cntx = fields<8>("THCON_SEC0_REG2_Unpack_if_sel_cntx#");
inline constexpr std::array<std::array<Field, 4>, 2> Shift_amount_cntx = {
    fields<4>("THCON_SEC0_REG2_Shift_amount_cntx#"), fields<4>("THCON_SEC1_REG2_Shift_amount_cntx#")};
inline constexpr std::array<std::array<Field, 8>, 2> Disable_zero_compress_cntx = {
    fields<8>("THCON_SEC0_REG2_Disable_zero_compress_cntx#"), fields<8>("THCON_SEC1_REG2_Disable_zero_compress_cntx#")};
// Contexts 1 to 3 are in REG3, 4 to 7 in REG4 (A24).
inline constexpr std::array<std::array<Field, 3>, 2> Base_cntx1to3 = {
    fields<3>("THCON_SEC0_REG3_Base_cntx#_address", 1), fields<3>("THCON_SEC1_REG3_Base_cntx#_address", 1)};
inline constexpr std::array<std::array<Field, 4>, 2> Base_cntx4to7 = {
    fields<4>("THCON_SEC0_REG4_Base_cntx#_address", 4), fields<4>("THCON_SEC1_REG4_Base_cntx#_address", 4)};
inline constexpr std::array<std::array<Field, 3>, 2> Offset_cntx1to3 = {
    fields<3>("THCON_SEC0_REG7_Offset_cntx#_address", 1), fields<3>("THCON_SEC1_REG7_Offset_cntx#_address", 1)};

// UNP[WhichUnpacker]
inline constexpr auto ADDR_BASE_REG_1_Base = fields<2>("UNP#_ADDR_BASE_REG_1_Base");
inline constexpr auto Ystride = fields<2>("UNP#_ADDR_CTRL_XY_REG_1_Ystride");
inline constexpr auto Zstride = fields<2>("UNP#_ADDR_CTRL_ZW_REG_1_Zstride");
inline constexpr auto Wstride = fields<2>("UNP#_ADDR_CTRL_ZW_REG_1_Wstride");
inline constexpr auto add_dest_addr_cntr = fields<2>("UNP#_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr");

inline constexpr auto FORCED_SHARED_EXP_shared_exp = fields<2>("UNP#_FORCED_SHARED_EXP_shared_exp");

inline constexpr std::array<Field, 2> SrcUnsigned = {field("ALU_FORMAT_SPEC_REG0_SrcAUnsigned"),
                                                     field("ALU_FORMAT_SPEC_REG0_SrcBUnsigned")};

// ThreadConfig
inline constexpr auto CfgContextOffset = fields<2>("UNPACK_MISC_CFG_CfgContextOffset_#");
inline constexpr auto CfgContextCntIncAlways = fields<2>("UNPACK_MISC_CFG_CfgContextCntInc_#");
inline constexpr auto SRCA_SET_SetOvrdWithAddr = field("SRCA_SET_SetOvrdWithAddr");
inline constexpr std::array<Field, 2> SRC_SET_Base = {field("SRCA_SET_Base"), field("SRCB_SET_Base")};

}  // namespace tessera::reference::unpack

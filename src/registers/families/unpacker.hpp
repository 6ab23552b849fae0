// SPDX-License-Identifier: Apache-2.0
// Fields of the unpackers. THCON_SEC0 is unpacker 0 (SrcA, Dst), THCON_SEC1 unpacker 1 (SrcB). Rows are laid out by
// hand.
#pragma once

#include "registers/field_family.hpp"

namespace tessera::registers::families {

inline constexpr std::string_view unpacr = "UNPACR_Regular, Functional model";
inline constexpr std::string_view unpack_seed = "seed pack-unpack-registers, 2";

// clang-format off
inline constexpr FieldFamily unpacker[] = {
    {"THCON_SEC#_REG0_TileDescriptor", FieldKind::whole, "the tile descriptor: first of four words", "UNPACR_Regular, Configuration"},
    {"THCON_SEC#_REG0_TileDescriptor_word#", FieldKind::whole, "a word of the tile descriptor", "UNPACR_Regular, Configuration"},
    {"THCON_SEC#_REG0_TileDescriptor_InDataFormat", FieldKind::data_format, "format in L1", unpacr},
    {"THCON_SEC#_REG0_TileDescriptor_IsUncompressed", FieldKind::flag, "the tile has no row start indices and no runs of zeros", unpacr},
    {"THCON_SEC#_REG0_TileDescriptor_NoBFPExpSection", FieldKind::flag, "BFP4 and BFP2 tiles have no exponent section", unpacr},
    {"THCON_SEC#_REG0_TileDescriptor_BlobsPerXYPlane", FieldKind::number, "blobs per XY plane; 0: rows instead", unpacr},
    {"THCON_SEC#_REG0_TileDescriptor_XDim", FieldKind::number, "datums per row", unpacr},
    {"THCON_SEC#_REG0_TileDescriptor_YDim", FieldKind::number, "rows per XY plane", unpacr},
    {"THCON_SEC#_REG0_TileDescriptor_ZDim", FieldKind::number, "XY planes (faces); 0 means 1", unpacr},
    {"THCON_SEC#_REG0_TileDescriptor_WDim", FieldKind::number, "tiles; 0 means 1", unpacr},
    {"THCON_SEC#_REG0_TileDescriptor_BlobsYStart_lo", FieldKind::bits, "start of each blob in units of 16 datums, four bits each: blobs 0 to 3", unpacr},
    {"THCON_SEC#_REG0_TileDescriptor_BlobsYStart_hi", FieldKind::bits, "start of each blob in units of 16 datums, four bits each: blobs 4 to 7", unpacr},
    {"THCON_SEC#_REG0_TileDescriptor_DigestSize", FieldKind::size16, "bytes between the tile's header and its data", unpacr},
    {"THCON_SEC#_REG2_Out_data_format", FieldKind::data_format, "format in SrcA, SrcB or Dst", unpacr},
    {"THCON_SEC#_REG2_Throttle_mode", FieldKind::throttle_mode, "rate at which L1 is read", "UNPACR_Regular, Performance"},
    {"THCON_SEC#_REG#_ovrd_default_throttle_mode", FieldKind::flag, "uses Throttle_mode even if the default rate is the widest", "spec-notes F1"},
    {"THCON_SEC#_REG2_Context_count", FieldKind::number, "log2 of the number of contexts", unpacr},
    {"THCON_SEC#_REG2_Context_count_non_log#", FieldKind::number, "number of contexts, if enabled", "spec-notes A25"},
    {"THCON_SEC#_REG2_Context_count_non_log#_en", FieldKind::flag, "Context_count_non_log2 counts, not Context_count", "spec-notes A25"},
    {"THCON_SEC#_REG2_Haloize_mode", FieldKind::flag, "transposes (unpacker 0)", unpacr},
    {"THCON_SEC#_REG2_Tileize_mode", FieldKind::flag, "rows of 16 datums (Blackhole: 32, if they have more than 8 bits) lie apart in L1, by Shift_amount", unpacr},
    {"THCON_SEC#_REG2_Unpack_Src_Reg_Set_Upd", FieldKind::flag, "adds 16 to SrcRow after each UNPACR", unpacr},
    {"THCON_SEC0_REG2_Unpack_If_Sel", FieldKind::flag, "to Dst instead of SrcA (one context)", unpacr},
    {"THCON_SEC1_REG2_Unpack_If_Sel", FieldKind::flag, "not used: only unpacker 0 has it", unpacr, Place::ignored},
    {"THCON_SEC#_REG2_Upsample_rate", FieldKind::upsample_rate, "zeros after each datum", unpacr},
    {"THCON_SEC#_REG2_Ovrd_data_format", FieldKind::flag, "each context has formats of its own", unpacr},
    {"THCON_SEC#_REG2_Upsample_and_interleave", FieldKind::flag, "leaves room for the zeros and does not write them", unpacr},
    {"THCON_SEC#_REG2_Shift_amount_cntx#", FieldKind::number, "columns that datums are moved by (unpacker 0); under Tileize_mode, four bits of the row stride", unpacr},
    {"THCON_SEC#_REG2_Disable_zero_compress_cntx#", FieldKind::flag, "the context's tile is not compressed", unpacr},
    {"THCON_SEC0_REG2_Unpack_if_sel_cntx#", FieldKind::flag, "the context unpacks to Dst instead of SrcA", unpacr},
    {"THCON_SEC1_REG2_Unpack_if_sel_cntx#", FieldKind::flag, "not used: only unpacker 0 has it", unpacr, Place::ignored},
    {"THCON_SEC#_REG2_Force_shared_exp", FieldKind::flag, "block formats take the forced exponent", unpacr},
    {"THCON_SEC#_REG2_Unpack_limit_address", FieldKind::address16, "input addresses beyond it wrap", unpacr},
    {"THCON_SEC#_REG2_Unpack_fifo_size", FieldKind::size16, "bytes to subtract to wrap", unpacr},
    {"THCON_SEC#_REG#_Base_address", FieldKind::address16, "address of the tile's header, context 0; data 16 bytes later", unpacr},
    {"THCON_SEC#_REG#_Base_cntx#_address", FieldKind::address16, "address of the tile's header of this context; data 16 bytes later", unpacr},
    {"THCON_SEC0_REG5_Dest_cntx#_address", FieldKind::number, "first datum that the context writes", unpacr},
    {"THCON_SEC1_REG5_Dest_cntx#_address", FieldKind::number, "not used: only unpacker 0 has it", unpacr, Place::ignored},
    {"THCON_SEC0_REG5_Tile_x_dim_cntx#", FieldKind::number, "datums per row, in place of XDim", unpacr},
    {"THCON_SEC1_REG5_Tile_x_dim_cntx#", FieldKind::number, "not used: only unpacker 0 has it", unpacr, Place::ignored},
    {"THCON_SEC#_REG7_Offset_address", FieldKind::size16, "added to the base of context 0", unpacr},
    {"THCON_SEC#_REG7_Offset_cntx#_address", FieldKind::size16, "added to the context's base", unpacr},
    {"THCON_SEC#_REG7_Unpack_data_format_cntx#", FieldKind::data_format, "format in L1, under Ovrd_data_format", unpacr},
    {"THCON_SEC#_REG7_Unpack_out_data_format_cntx#", FieldKind::data_format, "format in SrcA, SrcB or Dst, under Ovrd_data_format", unpacr},
    {"THCON_SEC#_REG#_Unp_LF#_#b_exp", FieldKind::flag, "the unpacker's FP8 is E4M3, else E5M2", "seed pack-unpack-registers, 1.1"},
    {"THCON_SEC#_REG10_Unpack_limit_address", FieldKind::address16, "", ""},
    {"THCON_SEC#_REG10_Unpack_fifo_size", FieldKind::size16, "", ""},
    {"UNP#_ADDR_CTRL_XY_REG_0_Xstride", FieldKind::number, "not used: input addresses follow from the tile descriptor", unpacr, Place::ignored},
    {"UNP#_ADDR_CTRL_XY_REG_0_Ystride", FieldKind::number, "not used: input addresses follow from the tile descriptor", unpacr, Place::ignored},
    {"UNP#_ADDR_CTRL_ZW_REG_0_Zstride", FieldKind::number, "not used: input addresses follow from the tile descriptor", unpacr, Place::ignored},
    {"UNP#_ADDR_CTRL_ZW_REG_0_Wstride", FieldKind::number, "not used: input addresses follow from the tile descriptor", unpacr, Place::ignored},
    {"UNP#_ADDR_CTRL_XY_REG_1_Xstride", FieldKind::number, "not used: output addresses take Y, Z and W", unpacr, Place::ignored},
    {"UNP#_ADDR_CTRL_XY_REG_1_Ystride", FieldKind::number, "output bytes per step of Y", unpacr},
    {"UNP#_ADDR_CTRL_ZW_REG_1_Zstride", FieldKind::number, "output bytes per step of Z", unpacr},
    {"UNP#_ADDR_CTRL_ZW_REG_1_Wstride", FieldKind::number, "output bytes per step of W", unpacr},
    {"UNP#_ADDR_BASE_REG_0_Base", FieldKind::number, "not used: input addresses follow from the tile descriptor", unpacr, Place::ignored},
    {"UNP#_ADDR_BASE_REG_1_Base", FieldKind::number, "first output byte, in bytes of Out_data_format; unpacker 0 counts rows from 4", unpacr},
    {"UNP#_FORCED_SHARED_EXP_shared_exp", FieldKind::number, "the exponent of Force_shared_exp", unpacr},
    {"UNP#_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr", FieldKind::flag, "the context's destination is added to the output address, not put in its place", unpacr},
    {"UNP#_BLOBS_Y_START_CNTX_#_blobs_y_start", FieldKind::bits, "start of each blob in units of 16 datums, four bits each, for two contexts", unpacr},
    {"NOC_OVERLAY_MSG_CLEAR_StreamId_#", FieldKind::number, "the overlay stream whose message UNPACR_NOP clears", "UNPACR_NOP (OverlayClear)"},
    {"NOC_OVERLAY_MSG_CLEAR_MsgNum_#", FieldKind::number, "not used: UNPACR_NOP writes 1 for any number of messages", "UNPACR_NOP (OverlayClear)", Place::ignored},
    {"UNP#_NOP_REG_CLR_VAL_nop_reg_clr_val", FieldKind::bits, "the value that UNPACR_NOP's immediate clear writes", "spec-notes C4"},
    {"SRCA_SET_Base", FieldKind::number, "first row of SrcA in units of 16", "SETDVALID, Functional model"},
    {"SRCA_SET_SetOvrdWithAddr", FieldKind::flag, "output addresses reach all 64 rows of SrcA, and SrcRow is not added", unpacr},
    {"SRCB_SET_Base", FieldKind::number, "first row of SrcB in units of 16", "SETDVALID, Functional model"},
    {"UNPACK_MISC_CFG_CfgContextOffset_#", FieldKind::number, "added to the context of an unpacker", unpacr},
    {"UNPACK_MISC_CFG_CfgContextCntReset_#", FieldKind::flag, "writing it resets an unpacker's context counter", "BackendConfiguration, Special cases"},
    {"UNPACK_MISC_CFG_CfgContextCntInc_#", FieldKind::flag, "increments an unpacker's context counter", "seed pack-unpack-registers, 2.7"},
};
// clang-format on

}  // namespace tessera::registers::families

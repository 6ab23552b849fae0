// SPDX-License-Identifier: Apache-2.0
// Fields of the packers. THCON_SEC0_REG1, SEC0_REG8, SEC1_REG1 and SEC1_REG8 are packers 0 to 3. Rows are laid out by
// hand.
#pragma once

#include "registers/field_family.hpp"

namespace tessera::registers::families {

inline constexpr std::string_view pack_seed = "seed pack-unpack-registers, 1.1";
inline constexpr std::string_view pack_in = "Packers, InputAddressGenerator";
inline constexpr std::string_view pack_out = "Packers, OutputAddressGenerator";
inline constexpr std::string_view pack_edge = "Packers, EdgeMasking";

// clang-format off
inline constexpr FieldFamily packer[] = {
    {"STACC_RELU_ApplyRelu", FieldKind::relu_mode, "the packers' treatment of negative, small or large datums", "Packers, ReLU"},
    {"STACC_RELU_ReluThreshold", FieldKind::bits, "threshold, as BF16, or as FP16 when the intermediate format has a 5-bit exponent", "Packers, ReLU"},
    {"PCK#_ADDR_CTRL_XY_REG_0_Xstride", FieldKind::number, "bytes per step of X within Dst; low four bits count", pack_in},
    {"PCK#_ADDR_CTRL_XY_REG_0_Ystride", FieldKind::number, "bytes per step of Y within Dst", pack_in},
    {"PCK#_ADDR_CTRL_ZW_REG_0_Zstride", FieldKind::number, "bytes per step of Z within Dst", pack_in},
    {"PCK#_ADDR_CTRL_ZW_REG_0_Wstride", FieldKind::number, "bytes per step of W within Dst", pack_in},
    {"PCK#_ADDR_CTRL_XY_REG_1_Xstride", FieldKind::number, "not used: output addresses take Y, Z and W", pack_out, Place::ignored},
    {"PCK#_ADDR_CTRL_XY_REG_1_Ystride", FieldKind::number, "output address per step of Y", pack_out},
    {"PCK#_ADDR_CTRL_ZW_REG_1_Zstride", FieldKind::number, "output address per step of Z", pack_out},
    {"PCK#_ADDR_CTRL_ZW_REG_1_Wstride", FieldKind::number, "output address per step of W", pack_out},
    {"PCK#_ADDR_BASE_REG_0_Base", FieldKind::number, "first byte within Dst", pack_in},
    {"PCK#_ADDR_BASE_REG_1_Base", FieldKind::number, "added to the output address", pack_out},
    {"PCK_DEST_RD_CTRL_Read_#b_data", FieldKind::flag, "reads 32 bits per datum from Dst", "Packers, FormatConversion"},
    {"PCK_DEST_RD_CTRL_Read_unsigned", FieldKind::flag, "8-bit integers are unsigned", "Packers, FormatConversion"},
    {"PCK_DEST_RD_CTRL_Read_int#", FieldKind::flag, "takes bits from Dst unchanged, without rounding", "Packers, FormatConversion"},
    {"PCK_DEST_RD_CTRL_Round_#b_mant", FieldKind::flag, "rounds to a mantissa of 10 bits", "Packers, FormatConversion"},
    {"PCK_EDGE_TILE_FACE_SET_SELECT_select", FieldKind::bits, "two bits per packer: which face set mapping", pack_edge},
    {"PCK_EDGE_TILE_FACE_SET_SELECT_enable", FieldKind::flag, "the row set mapping follows from the face", pack_edge},
    {"TILE_ROW_SET_MAPPING_#_row_set_mapping_#", FieldKind::number, "edge mask (PCK_EDGE_OFFSET_SEC) of a row of a face", pack_edge},
    {"TILE_FACE_SET_MAPPING_#_face_set_mapping_#", FieldKind::number, "row set mapping of a face", pack_edge},
    {"PCK_EDGE_OFFSET_SEC#_mask", FieldKind::mask, "columns of a row that keep their datum", pack_edge},
    {"PCK_EDGE_MODE_mode", FieldKind::flag, "masked datums become minus infinity, else 0", pack_edge},
    {"PCK_EDGE_TILE_ROW_SET_SELECT_select", FieldKind::bits, "two bits per packer: which row set mapping", pack_edge},
    {"PACK_COUNTERS_SEC#_pack_per_xy_plane", FieldKind::number, "packs per XY plane", "seed pack-unpack-registers, 1.4", Place::undocumented},
    {"PACK_COUNTERS_SEC#_pack_reads_per_xy_plane", FieldKind::number, "rows after which the tile position moves to the next face", pack_edge},
    {"PACK_COUNTERS_SEC#_pack_xys_per_tile", FieldKind::number, "XY planes per tile", "seed pack-unpack-registers, 1.4", Place::undocumented},
    {"PACK_COUNTERS_SEC#_pack_yz_transposed", FieldKind::flag, "the tile position counts Z before Y", pack_edge},
    {"PACK_COUNTERS_SEC#_auto_ctxt_inc_xys_cnt", FieldKind::number, "XY planes per automatic step of the context", "seed pack-unpack-registers, 1.4", Place::undocumented},
    {"THCON_SEC#_REG#_Row_start_section_size", FieldKind::size16, "row start indices before the data, when compressing", pack_out},
    {"THCON_SEC#_REG#_Exp_section_size", FieldKind::size16, "exponents before the data, when the output has less than 16 bits per datum", pack_out},
    {"THCON_SEC#_REG#_L#_Dest_addr", FieldKind::address16, "address of the output in L1; 16 bytes later unless Sub_l1_tile_header_size", pack_out},
    {"THCON_SEC#_REG#_Disable_zero_compress", FieldKind::flag, "output is not compressed", pack_out},
    {"THCON_SEC#_REG#_Add_l#_dest_addr_offset", FieldKind::flag, "adds the packer's offset, which TDMA-RISC sets, to the output address", pack_out},
    {"THCON_SEC#_REG#_Disable_pack_zero_flags", FieldKind::flag, "no zero flags (for accumulation in L1)", pack_seed},
    {"THCON_SEC#_REG1_Out_data_format", FieldKind::data_format, "format in L1", "Packers, FormatConversion"},
    {"THCON_SEC#_REG8_Out_data_format", FieldKind::data_format, "format in L1", "Packers, FormatConversion"},
    {"THCON_SEC#_REG#_In_data_format", FieldKind::data_format, "format from which the late conversion starts", "Packers, FormatConversion"},
    {"THCON_SEC#_REG#_Dis_shared_exp_assembler", FieldKind::flag, "no shared exponents are made for block formats", pack_seed},
    {"THCON_SEC#_REG#_Auto_set_last_pacr_intf_sel", FieldKind::flag, "chooses the last read interface by itself", pack_seed},
    {"THCON_SEC#_REG#_Enable_out_fifo", FieldKind::flag, "turns the output FIFO on", pack_seed, Place::undocumented},
    {"THCON_SEC#_REG#_Sub_l#_tile_header_size", FieldKind::flag, "output starts at L1_Dest_addr itself, not 16 bytes later", pack_out},
    {"THCON_SEC#_REG#_Source_interface_selection", FieldKind::source_interface, "address that packer 0 reads", pack_in},
    {"THCON_SEC#_REG#_pack_start_intf_pos", FieldKind::number, "position of the first read interface", pack_seed, Place::undocumented},
    {"THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd", FieldKind::flag, "All_pack_disable_zero_compress decides for all packers", pack_out},
    {"THCON_SEC1_REG1_All_pack_disable_zero_compress_ovrd", FieldKind::flag, "not used: the bits of THCON_SEC0_REG1 hold for all packers", pack_out, Place::ignored},
    {"THCON_SEC0_REG1_All_pack_disable_zero_compress", FieldKind::mask, "packers that do not compress, under its override", pack_out},
    {"THCON_SEC1_REG1_All_pack_disable_zero_compress", FieldKind::mask, "not used: the bits of THCON_SEC0_REG1 hold for all packers", pack_out, Place::ignored},
    {"THCON_SEC#_REG#_Add_tile_header_size", FieldKind::flag, "the accumulated tile size counts a header of 16 bytes", "spec-notes E42"},
    {"THCON_SEC#_REG#_pack_dis_y_pos_start_offset", FieldKind::flag, "no start offset of the Y position", pack_seed, Place::undocumented},
    {"THCON_SEC#_REG#_L#_source_addr", FieldKind::number, "L1 address bits from 18 up, when packer 0 reads L1", pack_in},
    {"THCON_SEC#_REG#_Downsample_mask", FieldKind::mask, "datums of each 16 that are kept; 0: all", "Packers, Downsampling"},
    {"THCON_SEC#_REG#_Downsample_rate", FieldKind::number, "named for downsampling; its page uses the mask alone", "spec-notes E40", Place::undocumented},
    {"THCON_SEC#_REG#_Read_mode", FieldKind::flag, "named in the register map alone", "spec-notes E40", Place::undocumented},
    {"THCON_SEC#_REG#_Force_pack_per_max_xy_plane", FieldKind::flag, "named in the register map alone", "spec-notes E40", Place::undocumented},
    {"THCON_SEC#_REG8_Unused1", FieldKind::flag, "named as unused", "register map", Place::undocumented},
    {"THCON_SEC#_REG8_unpack_tile_offset", FieldKind::number, "named in the register map alone", "register map", Place::undocumented},
    {"PACK_COUNTERS_SEC#_pack_per_xy_plane_offset", FieldKind::number, "named in the register map alone", "spec-notes E40", Place::undocumented},
    {"PACK_CONCAT_MASK_SEC#_pack_concat_mask", FieldKind::mask, "named in the register map alone", "spec-notes E40", Place::undocumented},
    {"PACK_GLOBAL_CFG_CTL_pack_disable_fast_tile_end_drain", FieldKind::flag, "named in the register map alone", "spec-notes E40", Place::undocumented},
    {"THCON_SEC#_REG#_Pack_L#_Acc", FieldKind::flag, "adds to the value in L1", "Packers"},
    {"THCON_SEC#_REG#_Exp_threshold_en", FieldKind::flag, "datums with an exponent below Exp_threshold become 0", "Packers, ExponentThresholding"},
    {"THCON_SEC#_REG#_Exp_threshold", FieldKind::number, "exponent, as the datum's format has it", "Packers, ExponentThresholding"},
    {"THCON_SEC0_REG1_Pac_LF#_#b_exp", FieldKind::flag, "the packer's FP8 is E4M3, else E5M2", pack_seed},
    {"THCON_SEC1_REG1_Pac_LF#_#b_exp", FieldKind::flag, "not used: the bits of THCON_SEC0_REG1 hold for all packers", pack_seed, Place::ignored},
    {"THCON_SEC#_REG#_Addr_cnt_context", FieldKind::number, "thread whose address counters are used under OvrdThreadId; 3 means 0", pack_in},
    {"THCON_SEC#_REG9_Pack_#_#_limit_address", FieldKind::number, "output addresses beyond it wrap, in units of 32 bytes", pack_out},
    {"THCON_SEC#_REG9_Pack_#_#_fifo_size", FieldKind::number, "bytes to subtract to wrap, in units of 32", pack_out},
    {"DEST_TARGET_REG_CFG_PACK_SEC#_Offset", FieldKind::number, "first Dst row of a packer", pack_in},
    {"DEST_TARGET_REG_CFG_PACK_SEC#_ZOffset", FieldKind::number, "added to the tile position's Z", pack_edge},
    {"ENABLE_ACC_STATS_Enable", FieldKind::flag, "the packers count exponents (any thread's bit)", "Packers, ExponentHistogram"},
    {"ADDR_MOD_PACK_SEC#_YsrcIncr", FieldKind::number, "added to Y of the input, or to its checkpoint", pack_in},
    {"ADDR_MOD_PACK_SEC#_YsrcCR", FieldKind::flag, "adds the increment to the checkpoint, and copies it to Y", pack_in},
    {"ADDR_MOD_PACK_SEC#_YsrcClear", FieldKind::flag, "Y of the input and its checkpoint become 0", pack_in},
    {"ADDR_MOD_PACK_SEC#_YdstIncr", FieldKind::number, "added to Y of the output, or to its checkpoint", pack_out},
    {"ADDR_MOD_PACK_SEC#_YdstCR", FieldKind::flag, "adds the increment to the checkpoint, and copies it to Y", pack_out},
    {"ADDR_MOD_PACK_SEC#_YdstClear", FieldKind::flag, "Y of the output and its checkpoint become 0", pack_out},
    {"ADDR_MOD_PACK_SEC#_ZsrcIncr", FieldKind::number, "added to Z of the input", pack_in},
    {"ADDR_MOD_PACK_SEC#_ZsrcClear", FieldKind::flag, "Z of the input and its checkpoint become 0", pack_in},
    {"ADDR_MOD_PACK_SEC#_ZdstIncr", FieldKind::number, "added to Z of the output", pack_out},
    {"ADDR_MOD_PACK_SEC#_ZdstClear", FieldKind::flag, "Z of the output and its checkpoint become 0", pack_out},
};
// clang-format on

}  // namespace tessera::registers::families

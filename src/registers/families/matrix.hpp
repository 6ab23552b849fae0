// SPDX-License-Identifier: Apache-2.0
// Fields of the matrix unit, the vector unit and Dst. Rows are laid out by hand.
#pragma once

#include "registers/field_family.hpp"

namespace tessera::registers::families {

inline constexpr std::string_view alu_seed = "seed pack-unpack-registers, 3";
inline constexpr std::string_view rwc_page = "RWCs";

// clang-format off
inline constexpr FieldFamily matrix[] = {
    {"ALU_FORMAT_SPEC_REG_SrcA_val", FieldKind::data_format, "format of SrcA while its override is on", alu_seed},
    {"ALU_FORMAT_SPEC_REG_SrcA_override", FieldKind::flag, "SrcA's format is SrcA_val", "MVMUL, Functional model"},
    {"ALU_FORMAT_SPEC_REG_SrcB_val", FieldKind::data_format, "format of SrcB while its override is on", alu_seed},
    {"ALU_FORMAT_SPEC_REG_SrcB_override", FieldKind::flag, "SrcB's format is SrcB_val", "MVMUL, Functional model"},
    {"ALU_FORMAT_SPEC_REG_Dstacc_val", FieldKind::data_format, "the packers' intermediate format while its override is on", "Packers, FormatConversion"},
    {"ALU_FORMAT_SPEC_REG_Dstacc_override", FieldKind::flag, "the packers' intermediate format is Dstacc_val", "Packers, FormatConversion"},
    {"ALU_ROUNDING_MODE_Fpu_srnd_en", FieldKind::flag, "the matrix unit rounds stochastically", alu_seed},
    {"ALU_ROUNDING_MODE_Gasket_srnd_en", FieldKind::flag, "the packers' early conversion rounds stochastically", alu_seed},
    {"ALU_ROUNDING_MODE_Packer_srnd_en", FieldKind::flag, "the packers' late conversion rounds stochastically", alu_seed},
    {"ALU_ROUNDING_MODE_Padding", FieldKind::bits, "named as padding", "register map", Place::undocumented},
    {"ALU_ROUNDING_MODE_GS_LF", FieldKind::flag, "named for FP8 in the early conversion; no page gives an effect", alu_seed, Place::undocumented},
    {"ALU_ROUNDING_MODE_Bfp#_HF", FieldKind::flag, "named for BFP8 at high fidelity; no page gives an effect", alu_seed, Place::undocumented},
    {"ALU_FORMAT_SPEC_REG#_SrcAUnsigned", FieldKind::flag, "8-bit integers of SrcA are unsigned", alu_seed},
    {"ALU_FORMAT_SPEC_REG#_SrcBUnsigned", FieldKind::flag, "8-bit integers of SrcB are unsigned", alu_seed},
    {"ALU_FORMAT_SPEC_REG#_SrcA", FieldKind::data_format, "format of SrcA", alu_seed},
    {"ALU_FORMAT_SPEC_REG#_SrcB", FieldKind::data_format, "format of SrcB", alu_seed},
    {"ALU_FORMAT_SPEC_REG#_Dstacc", FieldKind::data_format, "format of the accumulator, and the packers' intermediate format", "Packers, FormatConversion"},
    {"ALU_ACC_CTRL_Fp#_enabled", FieldKind::flag, "the matrix unit accumulates in 32 bits", alu_seed},
    {"ALU_ACC_CTRL_SFPU_Fp#_enabled", FieldKind::flag, "the vector unit takes Dst as 32 bits", alu_seed},
    {"ALU_ACC_CTRL_INT#_math_enabled", FieldKind::flag, "the matrix unit multiplies 8-bit integers", alu_seed},
    {"ALU_ACC_CTRL_Zero_Flag_disabled_src", FieldKind::flag, "datums with exponent 0 of SrcA and SrcB are not taken as zero", "seed pack-unpack-registers, 1.3"},
    {"ALU_ACC_CTRL_Zero_Flag_disabled_dst", FieldKind::flag, "named for zero flags of Dst; no page and no simulator of the vendor uses it when Dst is read", "spec-notes E60", Place::ignored},
    {"INT_DESCALE_Enable", FieldKind::flag, "integers are shifted right on their way from Dst to the packers", "Packers, FormatConversion"},
    {"INT_DESCALE_Mode", FieldKind::flag, "Z selects the shift; else SEC0's", "Packers, FormatConversion"},
    {"INT_DESCALE_VALUES_SEC#_Value", FieldKind::bits, "right shifts, one per byte", "Packers, FormatConversion"},
    {"DEST_REGW_BASE_Base", FieldKind::number, "added to every Dst row of the matrix unit", "MVMUL, Functional model"},
    {"DEST_SP_BASE_Base", FieldKind::number, "added to the vector unit's stack pointer into Dst", "SFPLOAD (Blackhole), Functional model"},
    {"SFPU_STACK_Incr", FieldKind::number, "rows by which INT32_ALL loads and stores move the stack pointer", "SFPLOAD (Blackhole), Functional model"},
    {"DEST_OFFSET_Enable", FieldKind::flag, "", ""},
    {"DEST_ACCESS_CFG_remap_addrs", FieldKind::flag, "permutes the rows of Dst", "Dst (Blackhole)"},
    {"DEST_ACCESS_CFG_swizzle_#b", FieldKind::flag, "with remap_addrs: another permutation of Dst's rows for 32-bit data", "Dst (Blackhole)"},
    {"DEST_ACCESS_CFG_zeroacc_absolute_tile_mode", FieldKind::flag, "ZEROACC of 16 rows counts from row 0, not from the half in use", "spec-notes C11"},
    {"DEST_TARGET_REG_CFG_MATH_Offset", FieldKind::number, "added to every Dst row of the matrix and vector units", "MVMUL, Functional model"},
    {"DISABLE_IMPLIED_SRCA_FMT_Base", FieldKind::flag, "SrcA's format comes from ALU_FORMAT_SPEC, not from the bank", "spec-notes A64"},
    {"DISABLE_IMPLIED_SRCB_FMT_Base", FieldKind::flag, "SrcB's format comes from ALU_FORMAT_SPEC, not from the bank", "spec-notes A64"},
    {"SFPU_DEST_FMT_Enable", FieldKind::flag, "the vector unit takes SFPU_DEST_FMT_Base for SrcB's format", "SFPLOAD (Blackhole), Functional model"},
    {"SFPU_DEST_FMT_Base", FieldKind::data_format, "format of Dst for the vector unit, while enabled; format that a bank of the unpackers implies for MOVDBGA2D and MOVDBGB2D", "SFPLOAD (Blackhole), MOVDBGA2D, Functional model; spec-notes E54"},
    {"FP#A_FORCE_Enable", FieldKind::flag, "the matrix unit takes all formats as FP16", "MVMUL, Functional model"},
    {"CLR_DVALID_SrcA_Disable", FieldKind::flag, "SrcA's bank turns, and stays the matrix unit's", "MVMUL, Functional model"},
    {"CLR_DVALID_SrcB_Disable", FieldKind::flag, "SrcB's bank turns, and stays the matrix unit's", "MVMUL, Functional model"},
    {"FIDELITY_BASE_Phase", FieldKind::number, "added to the fidelity counter, modulo 4", "MVMUL, Functional model"},
    {"ADDR_MOD_SET_Base", FieldKind::number, "1: address modifiers 4 to 7 instead of 0 to 3", rwc_page},
    {"ADDR_MOD_AB_SEC#_SrcAIncr", FieldKind::wrapping, "added to the SrcA counter, or to its checkpoint", rwc_page},
    {"ADDR_MOD_AB_SEC#_SrcACR", FieldKind::flag, "adds the increment to SrcA's checkpoint, and copies it to the counter", rwc_page},
    {"ADDR_MOD_AB_SEC#_SrcAClear", FieldKind::flag, "SrcA counter and checkpoint become 0", rwc_page},
    {"ADDR_MOD_AB_SEC#_SrcBIncr", FieldKind::wrapping, "added to the SrcB counter, or to its checkpoint", rwc_page},
    {"ADDR_MOD_AB_SEC#_SrcBCR", FieldKind::flag, "adds the increment to SrcB's checkpoint, and copies it to the counter", rwc_page},
    {"ADDR_MOD_AB_SEC#_SrcBClear", FieldKind::flag, "SrcB counter and checkpoint become 0", rwc_page},
    {"ADDR_MOD_DST_SEC#_DestIncr", FieldKind::wrapping, "added to the Dst counter, or to its checkpoint", rwc_page},
    {"ADDR_MOD_DST_SEC#_DestCR", FieldKind::flag, "adds the increment to Dst's checkpoint, and copies it to the counter", rwc_page},
    {"ADDR_MOD_DST_SEC#_DestClear", FieldKind::flag, "Dst counter and checkpoint become 0", rwc_page},
    {"ADDR_MOD_DST_SEC#_DestCToCR", FieldKind::flag, "the Dst counter is incremented, and its checkpoint becomes it", rwc_page},
    {"ADDR_MOD_DST_SEC#_FidelityIncr", FieldKind::number, "added to the fidelity phase, modulo 4", rwc_page},
    {"ADDR_MOD_DST_SEC#_FidelityClear", FieldKind::flag, "the fidelity phase becomes 0", rwc_page},
    {"ADDR_MOD_BIAS_SEC#_BiasIncr", FieldKind::number, "low two bits not 0: the extra AddrMod bit turns", rwc_page},
    {"ADDR_MOD_BIAS_SEC#_BiasClear", FieldKind::flag, "the extra AddrMod bit becomes 0", rwc_page},
};
// clang-format on

}  // namespace tessera::registers::families

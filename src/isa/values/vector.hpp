// SPDX-License-Identifier: Apache-2.0
// Values of the vector unit's operands. Names are those of the instructions' pages; their prefix may be left out.
#pragma once

#include "isa/values/value_spec.hpp"

namespace tessera::isa::values {

inline constexpr ValueSpec lreg_names[] = {
    choice("L0", 0, "LReg 0", "LREG0"),
    choice("L1", 1, "LReg 1", "LREG1"),
    choice("L2", 2, "LReg 2", "LREG2"),
    choice("L3", 3, "LReg 3", "LREG3"),
    choice("L4", 4, "LReg 4", "LREG4"),
    choice("L5", 5, "LReg 5", "LREG5"),
    choice("L6", 6, "LReg 6", "LREG6"),
    choice("L7", 7, "LReg 7", "LREG7"),
    choice("L8", 8, "the constant 0.8373", "LREG8 LCONST_0_8373"),
    choice("L9", 9, "the constant 0", "LREG9 LCONST_0"),
    choice("L10", 10, "the constant 1.0", "LREG10 LCONST_1"),
    choice("L11", 11, "a constant set by SFPCONFIG, at first -1.0", "LREG11 LCONST_neg1"),
    choice("L12", 12, "a constant set by SFPCONFIG", "LREG12"),
    choice("L13", 13, "a constant set by SFPCONFIG", "LREG13"),
    choice("L14", 14, "a constant set by SFPCONFIG", "LREG14"),
    choice("L15", 15, "twice the lane's number", "LREG15 LTILEID"),
};

/// SFPLOAD, SFPSTORE, SFPLOADMACRO.
inline constexpr ValueSpec dst_modes[] = {
    choice("srcb", 0, "FP32, BF16 or FP16, by configuration"),
    choice("fp16", 1, "16 bits of Dst, FP16"),
    choice("bf16", 2, "16 bits of Dst, BF16"),
    choice("fp32", 3, "32 bits of Dst, FP32"),
    choice("int32", 4, "32 bits of Dst, an unchanged integer"),
    choice("int8", 5, "Integer 8 of Dst, sign and magnitude in the LReg"),
    choice("uint16", 6, "16 bits of Dst, unsigned"),
    choice("hi16", 7, "load: 16 bits of Dst to the upper half, zeros below; store: 32 bits unchanged"),
    choice("int16", 8, "Integer 16 of Dst, sign and magnitude in the LReg"),
    choice("lo16", 9, "load: 16 bits of Dst to the lower half, zeros above; store: 32 bits, halves exchanged"),
    choice("int32_all", 10, "32 bits of Dst in all lanes, enabled or not"),
    choice("zero", 11, "zeros"),
    choice("int32_sm", 12,
           "Integer 32 of Dst. Wormhole: two's complement in the LReg; Blackhole: as int32, no conversion"),
    choice("int8_comp", 13,
           "Integer 8 of Dst. Wormhole: two's complement in the LReg; Blackhole: all ten bits of magnitude, sign and "
           "magnitude"),
    choice("lo16_only", 14, "16 bits of Dst, the lower half of the LReg; the upper half stays"),
    choice("hi16_only", 15, "16 bits of Dst, the upper half of the LReg; the lower half stays"),
};

inline constexpr ValueSpec immediate_modes[] = {
    choice("floatb", 0, "BF16 to FP32"),
    choice("floata", 1, "FP16 to FP32"),
    choice("ushort", 2, "16 bits, zeros above"),
    choice("short", 4, "16 bits, the sign above"),
    choice("upper", 8, "the upper half; the lower half stays"),
    choice("lower", 10, "the lower half; the upper half stays"),
};

inline constexpr ValueSpec multiply_add_modes[] = {
    bits("negate_va", 1, 0, "-VA").only(blackhole),
    bits("negate_vc", 2, 0, "-VC").only(blackhole),
    bits("indirect_va", 4, "LReg 7 names VA in each lane"),
    bits("indirect_vd", 8, "LReg 7 names VD in each lane"),
};
inline constexpr ValueSpec immediate_math_modes[] = {
    bits("negate_vc", 2, 0, "-VD as the operand").only(blackhole),
    bits("indirect_vd", 8, "LReg 7 names VD in each lane"),
};
inline constexpr ValueSpec multiply_24_modes[] = {
    part("lower", 1, 0, "the low 23 bits of the product").only(blackhole),
    part("upper", 1, 1, "the high 23 bits of the product").only(blackhole),
    bits("indirect_va", 4, "LReg 7 names VA in each lane").only(blackhole),
    bits("indirect_vd", 8, "LReg 7 names VD in each lane").only(blackhole),
};

inline constexpr ValueSpec lut_modes[] = {
    bits("sgn_retain", 4, "the result takes LReg 3's sign"),
    bits("indirect_vd", 8, "LReg 7 names VD in each lane"),
};
inline constexpr ValueSpec lut32_modes[] = {
    part("fp32_3entry_table", 2, 0, "three pairs of FP32: LRegs 0 to 2 and 4 to 6"),
    part("fp16_6entry_table1", 11, 2, "six pairs of FP16, the last from 3.0 on"),
    part("fp16_6entry_table2", 11, 3, "six pairs of FP16, the last from 4.0 on"),
    part("fp16_3entry_table", 10, 10,
         "three pairs of FP16: LRegs 0 to 2; LReg 7 names VD (a hardware bug), lreg_dest does not"),
    bits("sgn_retain", 4, "the result takes LReg 3's sign"),
    bits("indirect_vd", 8, "LReg 7 names VD in each lane"),
};
inline constexpr ValueSpec lut32_stalls[] = {
    bits("indirect_vd", 8, "stalls take every LReg as read and as written").only(blackhole),
};

inline constexpr ValueSpec divp2_modes[] = {
    choice("set", 0, "the immediate is the exponent"),
    choice("add", 1, "the immediate is added to the exponent"),
};
inline constexpr ValueSpec exexp_modes[] = {
    part("debias", 1, 0, "the exponent less 127"),
    part("nodebias", 1, 1, "the stored exponent, with its bias"),
    bits("set_cc_sgn_exp", 2, "the lane flag becomes whether the result is negative"),
    bits("set_cc_comp_exp", 8, "the lane flag is complemented then"),
};
inline constexpr ValueSpec exman_modes[] = {
    choice("pad8", 0, "with the hidden bit"),
    choice("pad9", 1, "without it"),
};
inline constexpr ValueSpec iadd_modes[] = {
    part("arg_lreg_dst", 3, 0, "VC + VD"),
    part("arg_imm", 3, 1, "VC + immediate"),
    part("arg_2scomp_lreg_dst", 3, 2, "VC - VD"),
    part("cc_lt0", 12, 0, "the lane flag becomes whether the result is negative"),
    part("cc_none", 12, 4, "the lane flag stays"),
    part("cc_gte0", 12, 8, "the lane flag becomes whether the result is not negative"),
};
inline constexpr ValueSpec shift_modes[] = {
    part("arg_lreg", 1, 0, "by VC; VC < 0: to the right"),
    part("arg_imm", 1, 1, "by the immediate; below 0: to the right"),
    bits("arithmetic", 2, 0, "to the right, the sign moves in").only(blackhole),
    bits("arg_imm_use_vc", 4, 0, "with arg_imm: VC is shifted, not VD").only(blackhole),
};
inline constexpr ValueSpec setcc_modes[] = {
    choice("lreg_lt0", 0, "VC < 0"),
    choice("imm_bit0", 1, "the immediate"),
    choice("lreg_ne0", 2, "VC is not 0"),
    choice("lreg_gte0", 4, "VC >= 0"),
    choice("lreg_eq0", 6, "VC is 0"),
    choice("clear", 8, "false"),
};
inline constexpr ValueSpec move_modes[] = {
    bits("negate", 1, "with the sign bit complemented"),
    bits("all_lanes_enabled", 2, "in all lanes, enabled or not"),
    bits("from_special", 8, "VC names a special register: 0 to 8 SFPLOADMACRO's, 9 random bits, 15 lane configuration"),
};
inline constexpr ValueSpec abs_modes[] = {
    choice("int", 0, "of two's complement"),
    choice("float", 1, "of FP32"),
};
inline constexpr ValueSpec combine_modes[] = {
    bits("use_vb", 1, 0, "VB is the LReg in the low four bits of the immediate; else VD").only(blackhole),
};
inline constexpr ValueSpec lz_modes[] = {
    bits("cc_ne0", 2, "the lane flag becomes whether VC is not 0"),
    bits("nosgn_mask", 4, "the sign bit does not count"),
    bits("cc_comp", 8, "the lane flag is complemented then"),
};
inline constexpr ValueSpec field_modes[] = {
    choice("arg_lreg", 0, "from VD"),
    choice("arg_imm", 1, "from the immediate"),
};
inline constexpr ValueSpec setexp_modes[] = {
    choice("arg_lreg", 0, "from the low 8 bits of VD"),
    choice("arg_imm", 1, "from the immediate"),
    choice("arg_exponent", 2, "from the exponent of VD"),
};

inline constexpr ValueSpec push_modes[] = {
    choice("push", 0, "pushes the flag"),
    choice("copy", 1, "top = flag").only(blackhole),
    choice("not", 2, "top = not flag").only(blackhole),
    choice("and", 3, "top = top and flag").only(blackhole),
    choice("or", 4, "top = top or flag").only(blackhole),
    choice("and_not", 5, "top = top and not flag").only(blackhole),
    choice("or_not", 6, "top = top or not flag").only(blackhole),
    choice("not_and", 7, "top = not top, and flag").only(blackhole),
    choice("not_or", 8, "top = not top, or flag").only(blackhole),
    choice("nor", 9, "top = neither top nor flag").only(blackhole),
    choice("nand", 10, "top = not both").only(blackhole),
    choice("xor", 11, "top = top xor flag").only(blackhole),
    choice("xnor", 12, "top = both or neither").only(blackhole),
    choice("complement", 13, "flag = not flag, and top = flag").only(blackhole),
    choice("true", 14, "top = true").only(blackhole),
    choice("false", 15, "top = false").only(blackhole),
};
inline constexpr ValueSpec pop_modes[] = {
    choice("pop", 0, "pops the top into the flag"),
    choice("copy", 1, "flag = top"),
    choice("not", 2, "flag = not top"),
    choice("and", 3, "flag = flag and top"),
    choice("or", 4, "flag = flag or top"),
    choice("and_not", 5, "flag = flag and not top"),
    choice("or_not", 6, "flag = flag or not top"),
    choice("not_and", 7, "flag = not flag, and top"),
    choice("not_or", 8, "flag = not flag, or top"),
    choice("nor", 9, "flag = neither flag nor top"),
    choice("nand", 10, "flag = not both"),
    choice("xor", 11, "flag = flag xor top"),
    choice("xnor", 12, "flag = both or neither"),
    choice("complement", 13, "flag = not flag"),
    choice("true", 14, "flag = true"),
    choice("false", 15, "flag = false"),
};

inline constexpr ValueSpec encc_modes[] = {
    bits("ec", 1, "whether flags decide which lanes are enabled is complemented, without ei"),
    bits("ei", 2, "whether flags decide becomes bit e of the immediate"),
    bits("ri", 8, "the lane flags become bit r of the immediate; otherwise true"),
};
inline constexpr ValueSpec encc_immediates[] = {
    bits("e", 1, "flags decide which lanes are enabled", "SFPENCC_IMM12_E"),
    bits("r", 2, "the lane flags are true", "SFPENCC_IMM12_R"),
};

inline constexpr ValueSpec rounding_modes[] = {
    choice("nearest", 0, "to the nearest"),
    choice("stochastic", 1, "by random bits"),
    choice("to_zero", 2, "towards zero").only(blackhole),
};
inline constexpr ValueSpec stochrnd_modes[] = {
    part("fp32_to_fp16a", 7, 0, "FP32 to TF32, 10 bits of mantissa"),
    part("fp32_to_fp16b", 7, 1, "FP32 to BF16"),
    part("fp32_to_uint8", 7, 2, "FP32 to 0 to 255"),
    part("fp32_to_int8", 7, 3, "FP32 to -127 to 127, sign and magnitude"),
    part("int32_to_uint8", 7, 4, "integer, shifted to the right, to 0 to 255"),
    part("int32_to_int8", 7, 5, "integer, shifted to the right, to -127 to 127"),
    part("fp32_to_uint16", 7, 6, "FP32 to 0 to 65535"),
    part("fp32_to_int16", 7, 7, "FP32 to -32767 to 32767, sign and magnitude"),
    bits("use_imm", 8, "int32_to_uint8, int32_to_int8: by the immediate; else by the low 5 bits of VB"),
};
inline constexpr ValueSpec cast_modes[] = {
    choice("rnd_even", 0, "sign and magnitude to FP32, to the nearest"),
    choice("rnd_stoch", 1, "sign and magnitude to FP32, by random bits"),
    choice("int32_abs", 2, "the magnitude of two's complement").only(blackhole),
    choice("int32_sm32", 3, "between two's complement and sign and magnitude").only(blackhole),
};

inline constexpr ValueSpec config_destinations[] = {
    choice("template0", 0, "SFPLOADMACRO: instruction template 0"),
    choice("template1", 1, "SFPLOADMACRO: instruction template 1"),
    choice("template2", 2, "SFPLOADMACRO: instruction template 2"),
    choice("template3", 3, "SFPLOADMACRO: instruction template 3"),
    choice("sequence0", 4, "SFPLOADMACRO: sequence of macro 0"),
    choice("sequence1", 5, "SFPLOADMACRO: sequence of macro 1"),
    choice("sequence2", 6, "SFPLOADMACRO: sequence of macro 2"),
    choice("sequence3", 7, "SFPLOADMACRO: sequence of macro 3"),
    choice("misc", 8, "SFPLOADMACRO: store modes and kinds of delay"),
    choice("L11", 11, "the constant in LReg 11", "LREG11"),
    choice("L12", 12, "the constant in LReg 12", "LREG12"),
    choice("L13", 13, "the constant in LReg 13", "LREG13"),
    choice("L14", 14, "the constant in LReg 14", "LREG14"),
    choice("lane_config", 15, "lane configuration"),
};
inline constexpr ValueSpec config_modes[] = {
    bits("imm16_is_value", 1, "the value is the immediate (L11 to L14: the register's first value); else LReg 0",
         "MOD1_IMM16_IS_VALUE"),
    part("replace", 6, 0, "the value replaces the old contents"),
    part("bitwise_or", 6, 2, "misc, lane_config: old or value", "MOD1_BITWISE_OR"),
    part("bitwise_and", 6, 4, "misc, lane_config: old and value", "MOD1_BITWISE_AND"),
    part("bitwise_xor", 6, 6, "misc, lane_config: old xor value", "MOD1_BITWISE_XOR"),
    bits("imm16_is_lane_mask", 8, "bit 2i of the immediate selects column i",
         "MOD1_IMM16_IS_LANE_MASK"),
};

inline constexpr ValueSpec swap_modes[] = {
    choice("swap", 0, "VC and VD change places", "UNCONDITIONALLY"),
    choice("vec_min_max", 1, "VD gets the smaller one, VC the larger", "ALL_ROWS_MAX"),
    choice("subvec_min01_max23", 2, "VD gets the smaller one in rows 0 and 1, the larger in the others", "ROWS_01_MAX"),
    choice("subvec_min02_max13", 3, "VD gets the smaller one in rows 0 and 2", "ROWS_02_MAX"),
    choice("subvec_min03_max12", 4, "VD gets the smaller one in rows 0 and 3", "ROWS_03_MAX"),
    choice("subvec_min0_max123", 5, "VD gets the smaller one in row 0", "ROW_0_MAX"),
    choice("subvec_min1_max023", 6, "VD gets the smaller one in row 1", "ROW_1_MAX"),
    choice("subvec_min2_max013", 7, "VD gets the smaller one in row 2"),
    choice("subvec_min3_max012", 8, "VD gets the smaller one in row 3"),
};

inline constexpr ValueSpec shift2_modes[] = {
    choice("copy4", 0, "LRegs 1 to 3 to 0 to 2, zero to LReg 3"),
    choice("subvec_chained_copy4", 1, "the same, LReg 0 of the next row of lanes to LReg 3"),
    choice("subvec_shflror1_and_copy4", 2, "the same, VC rotated by a lane to LReg 3"),
    choice("subvec_shflror1", 3, "VD = VC rotated by a lane in each row of eight"),
    choice("subvec_shflshr1", 4, "VD = VC shifted by a lane in each row of eight"),
    choice("shft_lreg", 5, "VD = VB shifted by VC; VC < 0: to the right"),
    choice("shft_imm", 6, "VD = VB shifted by the immediate; below 0: to the right"),
};

inline constexpr ValueSpec order_modes[] = {
    bits("set_cc", 1, "the lane flag becomes the result").only(blackhole),
    bits("mutate_stack", 2, "the flag on top of the stack becomes itself and the result").only(blackhole),
    bits("mutate_or", 4, "with mutate_stack: itself or the result").only(blackhole),
    bits("set_vd", 8, "VD becomes -1 or 0").only(blackhole),
};
inline constexpr ValueSpec approximation_modes[] = {
    choice("recip", 0, "1 / VC").only(blackhole),
    choice("cond_recip", 1, "1 / |VC| where VB is negative; else VC").only(blackhole),
    choice("exp", 2, "e to the power of |VC| below 2, with VC's sign; from 2 on about 4").only(blackhole),
};

inline constexpr ValueSet lreg = {"LReg", "A register of the vector unit. 8 to 15 can only be read", lreg_names};
inline constexpr ValueSet macro_lreg = {
    "macro and LReg", "Bits 1:0: the low bits of the LReg, whose bit 2 is bit 0 of dest_reg_addr; bits 3:2: the macro"};
inline constexpr ValueSet dst_mode = {
    "mode of SFPLOAD and SFPSTORE", "How datums lie in Dst", dst_modes, "MOD0_FMT_"};
inline constexpr ValueSet immediate_mode = {
    "mode of SFPLOADI", "The conversion of the immediate", immediate_modes, "SFPLOADI_MOD0_"};
inline constexpr ValueSet multiply_add_mode = {
    "modifiers of SFPMAD", "Any of", multiply_add_modes, "SFPMAD_MOD1_"};
inline constexpr ValueSet immediate_math_mode = {
    "modifiers of SFPADDI and SFPMULI", "Any of", immediate_math_modes, "SFPMAD_MOD1_"};
inline constexpr ValueSet multiply_24_mode = {
    "modifiers of SFPMUL24", "Which half, and any of the others", multiply_24_modes, "SFPMUL24_MOD1_"};
inline constexpr ValueSet lut_mode = {"modifiers of SFPLUT", "Any of", lut_modes, "SFPLUT_MOD0_"};
inline constexpr ValueSet lut32_mode = {
    "mode of SFPLUTFP32", "A table, and any of the others; indirect_vd with six-entry tables is fp16_3entry_table",
    lut32_modes, "SFPLUTFP32_MOD1_"};
inline constexpr ValueSet lut32_stall = {
    "stalls of SFPLUTFP32",
    "Blackhole's stalls go by it alone. Without indirect_vd they take all LRegs but 7 as read, and VD as written",
    lut32_stalls, "SFPLUTFP32_MOD1_"};
inline constexpr ValueSet divp2_mode = {"mode of SFPDIVP2", "", divp2_modes, "SFPDIVP2_MOD1_"};
inline constexpr ValueSet exexp_mode = {"modifiers of SFPEXEXP", "Any of", exexp_modes, "SFPEXEXP_MOD1_"};
inline constexpr ValueSet exman_mode = {"mode of SFPEXMAN", "", exman_modes, "SFPEXMAN_MOD1_"};
inline constexpr ValueSet iadd_mode = {"mode of SFPIADD", "One of arg_, one of cc_", iadd_modes, "SFPIADD_MOD1_"};
inline constexpr ValueSet shift_mode = {
    "mode of SFPSHFT", "How far, and any of the others", shift_modes, "SFPSHFT_MOD1_"};
inline constexpr ValueSet setcc_mode = {
    "mode of SFPSETCC", "The lane flag's new value; false in any mode while flags are not used", setcc_modes,
    "SFPSETCC_MOD1_"};
inline constexpr ValueSet move_mode = {"modifiers of SFPMOV", "Any of", move_modes, "SFPMOV_MOD1_"};
inline constexpr ValueSet abs_mode = {"mode of SFPABS", "", abs_modes, "SFPABS_MOD1_"};
inline constexpr ValueSet combine_mode = {"modifiers of SFPAND and SFPOR", "", combine_modes, "SFPAND_MOD1_"};
inline constexpr ValueSet lz_mode = {"modifiers of SFPLZ", "Any of", lz_modes, "SFPLZ_MOD1_"};
inline constexpr ValueSet setsgn_mode = {
    "mode of SFPSETSGN", "The source of the sign", field_modes, "SFPSETSGN_MOD1_"};
inline constexpr ValueSet setman_mode = {
    "mode of SFPSETMAN", "The source of the mantissa", field_modes, "SFPSETMAN_MOD1_"};
inline constexpr ValueSet setexp_mode = {
    "mode of SFPSETEXP", "The source of the exponent", setexp_modes, "SFPSETEXP_MOD1_"};
inline constexpr ValueSet push_mode = {"mode of SFPPUSHC", "Wormhole pushes in any mode", push_modes, "SFPPUSHC_MOD1_"};
inline constexpr ValueSet pop_mode = {"mode of SFPPOPC", "Only pop takes an entry away", pop_modes, "SFPPOPC_MOD1_"};
inline constexpr ValueSet encc_mode = {"modifiers of SFPENCC", "Any of", encc_modes, "SFPENCC_MOD1_"};
inline constexpr ValueSet encc_immediate = {"immediate of SFPENCC", "Any of", encc_immediates};
inline constexpr ValueSet rounding_mode = {"rounding", "How SFP_STOCH_RND rounds", rounding_modes};
inline constexpr ValueSet stochrnd_mode = {
    "mode of SFP_STOCH_RND", "The conversion", stochrnd_modes, "SFPSTOCHRND_MOD1_"};
inline constexpr ValueSet stochrnd_float_mode = {
    "mode of SFP_STOCH_RND from FP32", "The conversion", std::span(stochrnd_modes).first(8), "SFPSTOCHRND_MOD1_"};
inline constexpr ValueSet cast_mode = {"mode of SFPCAST", "The conversion", cast_modes, "SFPCAST_MOD1_"};
inline constexpr ValueSet config_destination = {
    "destination of SFPCONFIG", "The target. 9 and 10 write nothing", config_destinations};
inline constexpr ValueSet config_mode = {"modifiers of SFPCONFIG", "The kind of write", config_modes};
inline constexpr ValueSet swap_mode = {
    "mode of SFPSWAP", "Rows are those of eight lanes. 10 to 15 have no meaning", swap_modes, "SFPSWAP_MOD1_"};
inline constexpr ValueSet shift2_mode = {"mode of SFPSHFT2", "", shift2_modes, "SFPSHFT2_MOD1_"};
inline constexpr ValueSet le_mode = {
    "modifiers of SFPLE", "The use of VD <= VC: any of", order_modes, "SFPLE_MOD1_"};
inline constexpr ValueSet gt_mode = {
    "modifiers of SFPGT", "The use of VD > VC: any of", order_modes, "SFPGT_MOD1_"};
inline constexpr ValueSet approximation_mode = {
    "mode of SFPARECIP", "3 to 15 are like exp", approximation_modes, "SFPARECIP_MOD1_"};
inline constexpr ValueSet sfpu_addr_mode = {
    "ADDR_MOD of the vector unit",
    "As ADDR_MOD (counters of SrcA, SrcB and Dst), without the fidelity phase. Blackhole: 0 to 7; Wormhole: 0 to 3, "
    "and 4 more with ADDR_MOD_SET_Base"};
inline constexpr ValueSet dst_address = {
    "address in Dst", "A row, added to counters and bases; bit 1 selects the odd columns. SFPLOADMACRO: bit 0 is the "
                      "LReg's bit 2"};
inline constexpr ValueSet imm16 = {"16-bit immediate", "The mode gives its conversion"};
inline constexpr ValueSet imm16_math = {"BF16 immediate", "The number, BF16"};
inline constexpr ValueSet imm16_config = {
    "immediate of SFPCONFIG", "The value, or bit 2i selects column i, by the modifiers"};
inline constexpr ValueSet imm12 = {"12-bit immediate", "Two's complement: -2048 to 2047, written as 0 to 4095"};
inline constexpr ValueSet imm_exponent = {"exponent", "The low 8 bits, two's complement under the mode add"};
inline constexpr ValueSet imm_mantissa = {"mantissa", "The upper 12 of 23 bits"};
inline constexpr ValueSet imm_bit = {"1-bit immediate", "The bit itself"};
inline constexpr ValueSet imm_vb = {"VB", "The low four bits name the LReg", lreg_names};
inline constexpr ValueSet imm_shift2 = {
    "immediate of SFPSHFT2", "shft_imm: how far, two's complement; the low four bits name VB, in shft_lreg too"};
inline constexpr ValueSet imm8 = {"shift", "0 to 31 bits to the right"};
inline constexpr ValueSet imm_order = {"immediate of SFPLE and SFPGT", "No effect"};

inline constexpr OperandValues vector[] = {
    {"SFPLOADMACRO", "lreg_ind", &macro_lreg},
    {"", "lreg_ind", &lreg},
    {"", "lreg_dest", &lreg},
    {"", "lreg_c", &lreg},
    {"", "lreg_src_a", &lreg},
    {"", "lreg_src_b", &lreg},
    {"", "lreg_src_c", &lreg},
    {"SFPLOAD SFPSTORE SFPLOADMACRO", "instr_mod0", &dst_mode},
    {"SFPLOADI", "instr_mod0", &immediate_mode},
    {"SFPLUT", "instr_mod0", &lut_mode},
    {"SFPMAD SFPADD SFPMUL", "instr_mod1", &multiply_add_mode},
    {"SFPMULI SFPADDI", "instr_mod1", &immediate_math_mode},
    {"SFPMUL24", "instr_mod1", &multiply_24_mode},
    {"SFPLUTFP32", "instr_mod1", &lut32_mode},
    {"SFPLUTFP32", "mod1_mirror", &lut32_stall},
    {"SFPDIVP2", "instr_mod1", &divp2_mode},
    {"SFPEXEXP", "instr_mod1", &exexp_mode},
    {"SFPEXMAN", "instr_mod1", &exman_mode},
    {"SFPIADD", "instr_mod1", &iadd_mode},
    {"SFPSHFT", "instr_mod1", &shift_mode},
    {"SFPSETCC", "instr_mod1", &setcc_mode},
    {"SFPMOV", "instr_mod1", &move_mode},
    {"SFPABS", "instr_mod1", &abs_mode},
    {"SFPAND SFPOR", "instr_mod1", &combine_mode},
    {"SFPLZ", "instr_mod1", &lz_mode},
    {"SFPSETSGN", "instr_mod1", &setsgn_mode},
    {"SFPSETMAN", "instr_mod1", &setman_mode},
    {"SFPSETEXP", "instr_mod1", &setexp_mode},
    {"SFPPUSHC", "instr_mod1", &push_mode},
    {"SFPPOPC", "instr_mod1", &pop_mode},
    {"SFPENCC", "instr_mod1", &encc_mode},
    {"SFPENCC", "imm12_math", &encc_immediate},
    {"SFP_STOCH_RND", "rnd_mode", &rounding_mode},
    {"SFP_STOCH_RND.float-to-float SFP_STOCH_RND.float-to-integer", "instr_mod1", &stochrnd_float_mode},
    {"SFP_STOCH_RND", "instr_mod1", &stochrnd_mode},
    {"SFP_STOCH_RND", "imm8_math", &imm8},
    {"SFPCAST", "instr_mod1", &cast_mode},
    {"SFPCONFIG", "config_dest", &config_destination},
    {"SFPCONFIG", "instr_mod1", &config_mode},
    {"SFPCONFIG", "imm16_math", &imm16_config},
    {"SFPSWAP", "instr_mod1", &swap_mode},
    {"SFPSHFT2", "instr_mod1", &shift2_mode},
    {"SFPSHFT2", "imm12_math", &imm_shift2},
    {"SFPLE", "instr_mod1", &le_mode},
    {"SFPGT", "instr_mod1", &gt_mode},
    {"SFPLE SFPGT", "imm12_math", &imm_order},
    {"SFPARECIP", "instr_mod1", &approximation_mode},
    {"", "sfpu_addr_mode", &sfpu_addr_mode},
    {"", "dest_reg_addr", &dst_address},
    {"SFPLOADI", "imm16", &imm16},
    {"SFPMULI SFPADDI", "imm16_math", &imm16_math},
    {"SFPIADD SFPSHFT", "imm12_math", &imm12},
    {"SFPDIVP2 SFPSETEXP", "imm12_math", &imm_exponent},
    {"SFPSETMAN", "imm12_math", &imm_mantissa},
    {"SFPSETCC SFPSETSGN", "imm12_math", &imm_bit},
    {"SFPAND SFPOR SFPARECIP", "imm12_math", &imm_vb},
};

}  // namespace tessera::isa::values

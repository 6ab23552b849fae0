// SPDX-License-Identifier: Apache-2.0
// Vector unit (SFPU).
// One row per instruction and encoding: name, opcode, architectures, unit, meaning, operands from the highest bit to
// the lowest, which is the order in which the vendor's objdump prints them. An operand is {name, lowest bit, highest bit
// of its span, highest bit that means anything}. Facts from the vendor's public data; see NOTICE.
#pragma once

#include "isa/instruction_spec.hpp"

namespace tessera::isa::declarations {

// Forms: {name, selecting bits, their value, meaning, own operands}; the first that matches counts.
inline constexpr FormSpec blackhole_stoch_rnd_forms[] = {
    {"float-to-float", 0x6, 0, "Fewer mantissa bits", {{"rnd_mode", 21, 22}, {"lreg_src_b", 12, 15}, {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 2}}},
    {"float-to-integer", 0x2, 0x2, "Bounded sign-magnitude integer", {{"rnd_mode", 21, 22}, {"lreg_src_b", 12, 15}, {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 2}}},
    {"integer-to-integer", 0x6, 0x4, "Shift and bound a sign-magnitude integer"},
};

inline constexpr FormSpec wormhole_stoch_rnd_forms[] = {
    {"float-to-float", 0x6, 0, "Fewer mantissa bits", {{"rnd_mode", 21, 21}, {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 2}}},
    {"float-to-integer", 0x2, 0x2, "Bounded sign-magnitude integer", {{"rnd_mode", 21, 21}, {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 2}}},
    {"integer-to-integer", 0x6, 0x4, "Shift and bound a sign-magnitude integer"},
};

inline constexpr FormSpec cast_forms[] = {
    {"integer-to-float", 0x2, 0, "Sign-magnitude integer to FP32"},
    {"absolute", 0x3, 0x2, "Absolute value of a two's complement integer"},
    {"integer-to-integer", 0x3, 0x3, "Between two's complement and sign-magnitude"},
};

inline constexpr InstructionSpec vector[] = {
    {"SFPLOAD", 0x70, blackhole, Unit::vector, "Dst to LReg", {{"lreg_ind", 20, 23}, {"instr_mod0", 16, 19}, {"sfpu_addr_mode", 13, 15}, {"dest_reg_addr", 0, 12, 9}}},
    {"SFPLOAD", 0x70, wormhole, Unit::vector, "Dst to LReg", {{"lreg_ind", 20, 23}, {"instr_mod0", 16, 19}, {"sfpu_addr_mode", 14, 15}, {"dest_reg_addr", 0, 13, 9}}},
    {"SFPLOADI", 0x71, both, Unit::vector, "Immediate to LReg", {{"lreg_ind", 20, 23}, {"instr_mod0", 16, 19}, {"imm16", 0, 15}}},
    {"SFPSTORE", 0x72, blackhole, Unit::vector, "LReg to Dst", {{"lreg_ind", 20, 23}, {"instr_mod0", 16, 19}, {"sfpu_addr_mode", 13, 15}, {"dest_reg_addr", 0, 12, 9}}},
    {"SFPSTORE", 0x72, wormhole, Unit::vector, "LReg to Dst", {{"lreg_ind", 20, 23}, {"instr_mod0", 16, 19}, {"sfpu_addr_mode", 14, 15}, {"dest_reg_addr", 0, 13, 9}}},
    {"SFPLUT", 0x73, both, Unit::vector, "3-entry 8-bit-coefficient LUT: a*|x|+b", {{"lreg_ind", 20, 23}, {"instr_mod0", 16, 19}, unused("dest_reg_addr", 0, 15)}},
    {"SFPMULI", 0x74, both, Unit::vector, "Multiply by BF16 immediate", {{"imm16_math", 8, 23}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPADDI", 0x75, both, Unit::vector, "Add BF16 immediate", {{"imm16_math", 8, 23}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPDIVP2", 0x76, both, Unit::vector, "Set or adjust exponent", {{"imm12_math", 12, 23}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPEXEXP", 0x77, both, Unit::vector, "Extract exponent", {unused("imm12_math", 12, 23), {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPEXMAN", 0x78, both, Unit::vector, "Extract mantissa", {unused("imm12_math", 12, 23), {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPIADD", 0x79, both, Unit::vector, "32-bit integer add/sub, optional CC", {{"imm12_math", 12, 23}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPSHFT", 0x7A, both, Unit::vector, "Shift", {{"imm12_math", 12, 23}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPSETCC", 0x7B, both, Unit::vector, "Set lane flags from comparison with 0", {{"imm12_math", 12, 23, 12}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPMOV", 0x7C, both, Unit::vector, "Copy / negate / PRNG read", {unused("imm12_math", 12, 23), {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPABS", 0x7D, both, Unit::vector, "Absolute value (int or float)", {unused("imm12_math", 12, 23), {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPAND", 0x7E, both, Unit::vector, "Bitwise and", {{"imm12_math", 12, 23, 15}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPOR", 0x7F, both, Unit::vector, "Bitwise or", {{"imm12_math", 12, 23, 15}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPNOT", 0x80, both, Unit::vector, "Bitwise not", {unused("imm12_math", 12, 23), {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, unused("instr_mod1", 0, 3)}},
    {"SFPLZ", 0x81, both, Unit::vector, "Count leading zeros", {unused("imm12_math", 12, 23), {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPSETEXP", 0x82, both, Unit::vector, "Replace exponent", {{"imm12_math", 12, 23, 19}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPSETMAN", 0x83, both, Unit::vector, "Replace mantissa", {{"imm12_math", 12, 23}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPMAD", 0x84, both, Unit::vector, "VA * VB + VC", {{"lreg_src_a", 16, 23, 19}, {"lreg_src_b", 12, 15}, {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPADD", 0x85, both, Unit::vector, "VA * VB + VC, where VA is L10 (1.0)", {{"lreg_src_a", 16, 23, 19}, {"lreg_src_b", 12, 15}, {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPMUL", 0x86, both, Unit::vector, "VA * VB + VC, where VC is L9 (0)", {{"lreg_src_a", 16, 23, 19}, {"lreg_src_b", 12, 15}, {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPPUSHC", 0x87, both, Unit::vector, "Push lane flags", {unused("imm12_math", 12, 23), unused("lreg_c", 8, 11), {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPPOPC", 0x88, both, Unit::vector, "Pop lane flags", {unused("imm12_math", 12, 23), unused("lreg_c", 8, 11), {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPSETSGN", 0x89, both, Unit::vector, "Replace sign", {{"imm12_math", 12, 23, 12}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPENCC", 0x8A, both, Unit::vector, "Enable/set lane flags", {{"imm12_math", 12, 23, 13}, unused("lreg_c", 8, 11), {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPCOMPC", 0x8B, both, Unit::vector, "Complement lane flags (else)", {unused("imm12_math", 12, 23), unused("lreg_c", 8, 11), {"lreg_dest", 4, 7}, unused("instr_mod1", 0, 3)}},
    {"SFPTRANSP", 0x8C, both, Unit::vector, "Transpose 4x4 groups across LRegs", {unused("imm12_math", 12, 23), unused("lreg_c", 8, 11), {"lreg_dest", 4, 7}, unused("instr_mod1", 0, 3)}},
    {"SFPXOR", 0x8D, both, Unit::vector, "Bitwise xor", {unused("imm12_math", 12, 23), {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, unused("instr_mod1", 0, 3)}},
    {"SFP_STOCH_RND", 0x8E, blackhole, Unit::vector, "Round float to BF16/TF32/int8/int16, or int to int", {{"rnd_mode", 21, 23, 22}, {"imm8_math", 16, 20}, {"lreg_src_b", 12, 15}, {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}, blackhole_stoch_rnd_forms},
    {"SFP_STOCH_RND", 0x8E, wormhole, Unit::vector, "Round float to BF16/TF32/int8/int16, or int to int", {{"rnd_mode", 21, 23, 21}, {"imm8_math", 16, 20}, {"lreg_src_b", 12, 15}, {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}, wormhole_stoch_rnd_forms},
    {"SFPNOP", 0x8F, both, Unit::vector, "SFPU no-op"},
    {"SFPCAST", 0x90, blackhole, Unit::vector, "Sign-mag int to FP32, int conversions (BH)", {{"lreg_src_c", 8, 23, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}, cast_forms},
    {"SFPCAST", 0x90, wormhole, Unit::vector, "Sign-mag int to FP32, int conversions (BH)", {{"lreg_src_c", 8, 23, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPCONFIG", 0x91, both, Unit::vector, "Write macro/const/lane config", {{"imm16_math", 8, 23}, {"config_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPSWAP", 0x92, both, Unit::vector, "Swap / min-max", {unused("imm12_math", 12, 23), {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPLOADMACRO", 0x93, blackhole, Unit::vector, "Load plus scheduled macro instructions", {{"lreg_ind", 20, 23}, {"instr_mod0", 16, 19}, {"sfpu_addr_mode", 13, 15}, {"dest_reg_addr", 0, 12, 9}}},
    {"SFPLOADMACRO", 0x93, wormhole, Unit::vector, "Load plus scheduled macro instructions", {{"lreg_ind", 20, 23}, {"instr_mod0", 16, 19}, {"sfpu_addr_mode", 14, 15}, {"dest_reg_addr", 0, 13, 9}}},
    {"SFPSHFT2", 0x94, both, Unit::vector, "Lane/register shifts", {{"imm12_math", 12, 23}, {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPLUTFP32", 0x95, blackhole, Unit::vector, "LUT with FP32/16-bit coefficients", {{"lreg_dest", 4, 23, 7}, extra("mod1_mirror", 16, 19), {"instr_mod1", 0, 3}}},
    {"SFPLUTFP32", 0x95, wormhole, Unit::vector, "LUT with FP32/16-bit coefficients", {{"lreg_dest", 4, 23, 7}, {"instr_mod1", 0, 3}}},
    {"SFPLE", 0x96, blackhole, Unit::vector, "Total-order d<=c", {{"imm12_math", 12, 23}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPGT", 0x97, blackhole, Unit::vector, "Total-order d>c", {{"imm12_math", 12, 23}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPMUL24", 0x98, blackhole, Unit::vector, "23-bit integer multiply", {{"lreg_src_a", 16, 23, 19}, {"lreg_src_b", 12, 15}, {"lreg_src_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
    {"SFPARECIP", 0x99, blackhole, Unit::vector, "Approximate reciprocal (also exp modes)", {{"imm12_math", 12, 23, 15}, {"lreg_c", 8, 11}, {"lreg_dest", 4, 7}, {"instr_mod1", 0, 3}}},
};

}  // namespace tessera::isa::declarations

// SPDX-License-Identifier: Apache-2.0
// Matrix unit (FPU).
// One row per instruction and encoding: name, opcode, architectures, unit, meaning, operands from the highest bit to
// the lowest, which is the order in which the vendor's objdump prints them. An operand is {name, lowest bit, highest bit
// of its span, highest bit that means anything}. Facts from the vendor's public data; see NOTICE.
#pragma once

#include "isa/instruction_spec.hpp"

namespace tessera::isa::declarations {

inline constexpr InstructionSpec matrix[] = {
    {"MOVD2A", 0x08, blackhole, Unit::matrix, "Copy Dst rows to SrcA", {{"dest_32b_lo", 23, 23}, {"src", 17, 22}, {"addr_mode", 14, 16}, {"instr_mod", 12, 13}, {"dst", 0, 11, 9}}},
    {"MOVD2A", 0x08, wormhole, Unit::matrix, "Copy Dst rows to SrcA", {{"dest_32b_lo", 23, 23}, {"src", 17, 22}, {"addr_mode", 15, 16}, {"instr_mod", 12, 14, 13}, {"dst", 0, 11, 9}}},
    {"MOVDBGA2D", 0x09, blackhole, Unit::matrix, "MOVA2D ignoring bank ownership (debug)", {{"dest_32b_lo", 23, 23}, {"src", 17, 22}, {"addr_mode", 14, 16}, {"instr_mod", 12, 13}, {"dst", 0, 11, 9}}},
    {"MOVDBGA2D", 0x09, wormhole, Unit::matrix, "MOVA2D ignoring bank ownership (debug)", {{"dest_32b_lo", 23, 23}, {"src", 17, 22}, {"addr_mode", 15, 16}, {"instr_mod", 12, 14, 13}, {"dst", 0, 11, 9}}},
    {"MOVD2B", 0x0A, blackhole, Unit::matrix, "Copy Dst rows to SrcB", {{"dest_32b_lo", 23, 23}, {"src", 17, 22}, {"addr_mode", 14, 16}, {"instr_mod", 12, 13}, {"dst", 0, 11, 9}}},
    {"MOVD2B", 0x0A, wormhole, Unit::matrix, "Copy Dst rows to SrcB", {{"dest_32b_lo", 23, 23}, {"src", 17, 22}, {"addr_mode", 15, 16}, {"instr_mod", 12, 14, 13}, {"dst", 0, 11, 9}}},
    {"MOVB2A", 0x0B, blackhole, Unit::matrix, "Copy SrcB rows to SrcA", {{"srca", 17, 23, 22}, {"addr_mode", 14, 16}, {"instr_mod", 12, 13}, {"srcb", 0, 11, 5}}},
    {"MOVB2A", 0x0B, wormhole, Unit::matrix, "Copy SrcB rows to SrcA", {{"srca", 17, 23, 22}, {"addr_mode", 15, 16}, {"instr_mod", 12, 14, 13}, {"srcb", 0, 11, 5}}},
    {"MOVDBGB2D", 0x0C, blackhole, Unit::matrix, "MOVB2D ignoring bank ownership (debug)", {{"dest_32b_lo", 23, 23}, {"src", 17, 22}, {"addr_mode", 14, 16}, {"movb2d_instr_mod", 11, 13}, {"dst", 0, 10, 9}}},
    {"ZEROACC", 0x10, blackhole, Unit::matrix, "Mark Dst rows/blocks/half/all invalid (read as zero)", {{"clear_mode", 19, 23, 20}, {"use_32_bit_mode", 18, 18}, {"clear_zero_flags", 17, 17}, {"addr_mode", 14, 16}, {"where", 0, 13, 9}}},
    {"ZEROACC", 0x10, wormhole, Unit::matrix, "Mark Dst rows/blocks/half/all invalid (read as zero)", {{"clear_mode", 19, 23, 21}, {"AddrMode", 15, 18, 16}, {"dst", 0, 14, 9}}},
    {"ZEROSRC", 0x11, both, Unit::matrix, "Write zero to SrcA/SrcB banks", {{"zero_val", 4, 23, 4}, {"write_mode", 3, 3}, {"bank_mask", 2, 2}, {"src_mask", 0, 1}}},
    {"MOVA2D", 0x12, blackhole, Unit::matrix, "Copy SrcA rows to Dst", {{"dest_32b_lo", 23, 23}, {"src", 17, 22}, {"addr_mode", 14, 16}, {"instr_mod", 12, 13}, {"dst", 0, 11, 9}}},
    {"MOVA2D", 0x12, wormhole, Unit::matrix, "Copy SrcA rows to Dst", {{"dest_32b_lo", 23, 23}, {"src", 17, 22}, {"addr_mode", 15, 16}, {"instr_mod", 12, 14, 13}, {"dst", 0, 11, 9}}},
    {"MOVB2D", 0x13, blackhole, Unit::matrix, "Copy SrcB rows to Dst with row/column broadcast", {{"dest_32b_lo", 23, 23}, {"src", 17, 22}, {"addr_mode", 14, 16}, {"movb2d_instr_mod", 11, 13}, {"dst", 0, 10, 9}}},
    {"MOVB2D", 0x13, wormhole, Unit::matrix, "Copy SrcB rows to Dst with row/column broadcast", {{"dest_32b_lo", 23, 23}, {"src", 17, 22}, {"addr_mode", 15, 16}, {"instr_mod", 12, 14}, {"dst", 0, 11, 9}}},
    {"TRNSPSRCA", 0x14, both, Unit::matrix, "Transpose SrcA (legacy)"},
    {"RAREB", 0x15, both, Unit::matrix, "Legacy sparse-B control"},
    {"TRNSPSRCB", 0x16, both, Unit::matrix, "Transpose rows 16..31 of current SrcB bank"},
    {"SHIFTXA", 0x17, both, Unit::matrix, "Shift SrcA lanes within rows", {unused("log2_amount2", 2, 23), {"shift_mode", 0, 1}}},
    {"SHIFTXB", 0x18, blackhole, Unit::matrix, "Shift/rotate a SrcB row", {{"addr_mode", 14, 23, 16}, {"rot_shift", 10, 13, 10}, {"shift_row", 0, 9, 5}}},
    {"SHIFTXB", 0x18, wormhole, Unit::matrix, "Shift/rotate a SrcB row", {{"addr_mode", 15, 23, 16}, {"rot_shift", 10, 14, 10}, {"shift_row", 0, 9, 5}}},
    {"SETASHRMH0", 0x1A, both, Unit::matrix, "Legacy A-shift mask", {{"reg_mask", 1, 23}, {"halo_mask", 0, 0}}},
    {"SETASHRMH1", 0x1B, both, Unit::matrix, "Legacy A-shift mask", {{"reg_mask", 1, 23}, {"halo_mask", 0, 0}}},
    {"SETASHRMV", 0x1C, both, Unit::matrix, "Legacy A-shift mask", {{"reg_mask2", 0, 23}}},
    {"SETPKEDGOF", 0x1D, both, Unit::matrix, "Legacy pack edge offset", {{"y_end", 12, 23}, {"y_start", 8, 11}, {"x_end", 4, 7}, {"x_start", 0, 3}}},
    {"SETASHRMH", 0x1E, both, Unit::matrix, "Legacy A-shift mask", {{"reg_mask", 1, 23}, {"halo_mask", 0, 0}}},
    {"CLREXPHIST", 0x21, both, Unit::matrix, "Clear exponent histogram"},
    {"CONV3S1", 0x22, blackhole, Unit::matrix, "Legacy convolution; acts as Dst += 0", {{"clear_dvalid", 22, 23}, {"rotate_weights", 17, 21}, {"addr_mode", 14, 16}, {"dst", 0, 13, 9}}},
    {"CONV3S1", 0x22, wormhole, Unit::matrix, "Legacy convolution; acts as Dst += 0", {{"clear_dvalid", 22, 23}, {"rotate_weights", 17, 21}, {"addr_mode", 15, 16}, {"dst", 0, 14, 9}}},
    {"CONV3S2", 0x23, blackhole, Unit::matrix, "Legacy convolution; Dst += 0", {{"clear_dvalid", 22, 23}, {"rotate_weights", 17, 21}, {"addr_mode", 14, 16}, {"dst", 0, 13, 9}}},
    {"CONV3S2", 0x23, wormhole, Unit::matrix, "Legacy convolution; Dst += 0", {{"clear_dvalid", 22, 23}, {"rotate_weights", 17, 21}, {"addr_mode", 15, 16}, {"dst", 0, 14, 9}}},
    {"MPOOL3S1", 0x24, blackhole, Unit::matrix, "Legacy max pool; like GMPOOL with zero SrcA", {{"clear_dvalid", 22, 23}, {"pool_addr_mode", 15, 21, 17}, {"index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"MPOOL3S1", 0x24, wormhole, Unit::matrix, "Legacy max pool; like GMPOOL with zero SrcA", {{"clear_dvalid", 22, 23}, {"addr_mode", 15, 21, 16}, {"index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"APOOL3S1", 0x25, blackhole, Unit::matrix, "Legacy avg pool; Dst += 0", {{"clear_dvalid", 22, 23}, {"pool_addr_mode", 15, 21, 17}, {"index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"APOOL3S1", 0x25, wormhole, Unit::matrix, "Legacy avg pool; Dst += 0", {{"clear_dvalid", 22, 23}, {"addr_mode", 15, 21, 16}, {"index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"MVMUL", 0x26, blackhole, Unit::matrix, "Dst(8x16) += SrcB(8x16) x SrcA(16x16), one fidelity phase", {{"clear_dvalid", 22, 23}, {"instr_mod19", 19, 21, 19}, {"addr_mode", 14, 18, 16}, {"dst", 0, 13, 9}}},
    {"MVMUL", 0x26, wormhole, Unit::matrix, "Dst(8x16) += SrcB(8x16) x SrcA(16x16), one fidelity phase", {{"clear_dvalid", 22, 23}, {"instr_mod19", 19, 21, 19}, {"addr_mode", 15, 18, 16}, {"dst", 0, 14, 9}}},
    {"ELWMUL", 0x27, blackhole, Unit::matrix, "Dst += SrcA * SrcB elementwise, optional SrcB broadcast", {{"clear_dvalid", 22, 23}, {"dest_accum_en", 21, 21}, {"instr_mod19", 19, 20}, {"addr_mode", 14, 18, 16}, {"dst", 0, 13, 9}}},
    {"ELWMUL", 0x27, wormhole, Unit::matrix, "Dst += SrcA * SrcB elementwise, optional SrcB broadcast", {{"clear_dvalid", 22, 23}, {"dest_accum_en", 21, 21}, {"instr_mod19", 19, 20}, {"addr_mode", 15, 18, 16}, {"dst", 0, 14, 9}}},
    {"ELWADD", 0x28, blackhole, Unit::matrix, "Dst = or += SrcA + SrcB", {{"clear_dvalid", 22, 23}, {"dest_accum_en", 21, 21}, {"instr_mod19", 19, 20}, {"addr_mode", 14, 18, 16}, {"dst", 0, 13, 9}}},
    {"ELWADD", 0x28, wormhole, Unit::matrix, "Dst = or += SrcA + SrcB", {{"clear_dvalid", 22, 23}, {"dest_accum_en", 21, 21}, {"instr_mod19", 19, 20}, {"addr_mode", 15, 18, 16}, {"dst", 0, 14, 9}}},
    {"DOTPV", 0x29, blackhole, Unit::matrix, "Matrix/vector dot form of MVMUL", {{"clear_dvalid", 22, 23}, {"dest_accum_en", 21, 21}, {"instr_mod19", 19, 20}, {"addr_mode", 14, 18, 16}, {"dst", 0, 13, 9}}},
    {"DOTPV", 0x29, wormhole, Unit::matrix, "Matrix/vector dot form of MVMUL", {{"clear_dvalid", 22, 23}, {"dest_accum_en", 21, 21}, {"instr_mod19", 19, 20}, {"addr_mode", 15, 18, 16}, {"dst", 0, 14, 9}}},
    {"ELWSUB", 0x30, blackhole, Unit::matrix, "Dst = or += SrcA - SrcB", {{"clear_dvalid", 22, 23}, {"dest_accum_en", 21, 21}, {"instr_mod19", 19, 20}, {"addr_mode", 14, 18, 16}, {"dst", 0, 13, 9}}},
    {"ELWSUB", 0x30, wormhole, Unit::matrix, "Dst = or += SrcA - SrcB", {{"clear_dvalid", 22, 23}, {"dest_accum_en", 21, 21}, {"instr_mod19", 19, 20}, {"addr_mode", 15, 18, 16}, {"dst", 0, 14, 9}}},
    {"MPOOL3S2", 0x31, blackhole, Unit::matrix, "Legacy max pool", {{"clear_dvalid", 22, 23}, {"pool_addr_mode", 15, 21, 17}, {"index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"MPOOL3S2", 0x31, wormhole, Unit::matrix, "Legacy max pool", {{"clear_dvalid", 22, 23}, {"addr_mode", 15, 21, 16}, {"index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"APOOL3S2", 0x32, blackhole, Unit::matrix, "Legacy avg pool; Dst += 0", {{"clear_dvalid", 22, 23}, {"pool_addr_mode", 15, 21, 17}, {"index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"APOOL3S2", 0x32, wormhole, Unit::matrix, "Legacy avg pool; Dst += 0", {{"clear_dvalid", 22, 23}, {"addr_mode", 15, 21, 16}, {"index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"GMPOOL", 0x33, blackhole, Unit::matrix, "Column max of 16x16 SrcA with exponent scaling by SrcB row; optional argmax", {{"clear_dvalid", 22, 23}, {"instr_mod19", 19, 21, 19}, {"pool_addr_mode", 15, 18, 17}, {"max_pool_index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"GMPOOL", 0x33, wormhole, Unit::matrix, "Column max of 16x16 SrcA with exponent scaling by SrcB row; optional argmax", {{"clear_dvalid", 22, 23}, {"instr_mod19", 19, 21, 19}, {"addr_mode", 15, 18, 16}, {"max_pool_index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"GAPOOL", 0x34, blackhole, Unit::matrix, "Sum/average pool: 4x16 Dst += SrcB rows x SrcA", {{"clear_dvalid", 22, 23}, {"instr_mod19", 19, 21, 19}, {"pool_addr_mode", 15, 18, 17}, {"max_pool_index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"GAPOOL", 0x34, wormhole, Unit::matrix, "Sum/average pool: 4x16 Dst += SrcB rows x SrcA", {{"clear_dvalid", 22, 23}, {"instr_mod19", 19, 21, 19}, {"addr_mode", 15, 18, 16}, {"max_pool_index_en", 14, 14}, {"dst", 0, 13, 9}}},
    {"GATESRCRST", 0x35, both, Unit::matrix, "Invalidate source gating caches", {{"reset srcb gate control", 1, 23, 1}, {"reset srca gate control", 0, 0}}},
    {"CLEARDVALID", 0x36, both, Unit::matrix, "Release SrcA/SrcB banks to unpackers", {{"cleardvalid", 22, 23}, {"reset", 0, 21, 1}}},
    {"SETRWC", 0x37, both, Unit::matrix, "Set row counters / clear fidelity / release banks", {{"clear_ab_vld", 22, 23}, {"rwc_cr", 18, 21}, {"rwc_d", 14, 17}, {"rwc_b", 10, 13}, {"rwc_a", 6, 9}, {"BitMask", 0, 5, 3}}},
    {"INCRWC", 0x38, both, Unit::matrix, "Add to row counters", {{"rwc_cr", 18, 23, 20}, {"rwc_d", 14, 17}, {"rwc_b", 10, 13}, {"rwc_a", 6, 9}}},
    {"SETIBRWC", 0x39, both, Unit::matrix, "Set image-buffer counter (legacy)", {{"rwc_cr", 18, 23}, {"rwc_bias", 6, 17}, {"set_inc_ctrl", 0, 5}}},
    {"MFCONV3S1", 0x3A, blackhole, Unit::matrix, "Legacy convolution; Dst += 0", {{"clear_dvalid", 22, 23}, {"rotate_weights", 17, 21}, {"addr_mode", 14, 16}, {"dst", 0, 13, 9}}},
    {"MFCONV3S1", 0x3A, wormhole, Unit::matrix, "Legacy convolution; Dst += 0", {{"clear_dvalid", 22, 23}, {"rotate_weights", 17, 21}, {"addr_mode", 15, 16}, {"dst", 0, 14, 9}}},
};

}  // namespace tessera::isa::declarations

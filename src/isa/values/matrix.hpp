// SPDX-License-Identifier: Apache-2.0
// Values of the matrix unit's operands. `also` has the kernel library's spelling if it differs.
#pragma once

#include "isa/values/value_spec.hpp"

namespace tessera::isa::values {

inline constexpr ValueSpec sources[] = {
    bits("a", 1, "SrcA", "srca CLR_A"),
    bits("b", 2, "SrcB", "srcb CLR_B"),
    bits("ab", 3, "", "CLR_AB"),
    choice("CLR_NONE", 0, ""),
};

inline constexpr ValueSpec source_resets[] = {
    bits("reset", 1, "the unpackers own all banks; every unit uses bank 0"),
    bits("keep_reading", 2, "the matrix unit stays at the bank that it gives away"),
};

inline constexpr ValueSpec counters[] = {
    bits("a", 1, "SrcA's", "SET_A"),
    bits("b", 2, "SrcB's", "SET_B"),
    bits("d", 4, "Dst's", "SET_D"),
    bits("f", 8, "the fidelity phase, which becomes 0", "SET_F"),
    bits("SET_AB", 3, ""),
    bits("SET_AD", 5, ""),
    bits("SET_BD", 6, ""),
    bits("SET_ABD", 7, ""),
    bits("SET_A_F", 9, ""),
    bits("SET_B_F", 10, ""),
    bits("SET_AB_F", 11, ""),
    bits("SET_D_F", 12, ""),
    bits("SET_AD_F", 13, ""),
    bits("SET_BD_F", 14, ""),
    bits("SET_ABD_F", 15, ""),
};
inline constexpr ValueSpec checkpoints[] = {
    bits("a", 1, "SrcA's", "CR_A"),
    bits("b", 2, "SrcB's", "CR_B"),
    bits("d", 4, "Dst's", "CR_D"),
    bits("CR_AB", 3, ""),
    bits("CR_AD", 5, ""),
    bits("CR_BD", 6, ""),
    bits("CR_ABD", 7, ""),
    bits("c_to_cr", 8, "Dst's: adds the value to the counter instead of the checkpoint", "C_TO_CR_MODE"),
};

inline constexpr ValueSpec dst_halves[] = {
    choice("norm", 0, "16 bits, or the upper half of 32", "DEST_NORM"),
    choice("low", 1, "the lower half of 32 bits", "DEST_32B_LOW"),
};
inline constexpr ValueSpec rows_1_or_8[] = {
    choice("row1", 0, "a row", "MOV_1_ROW"),
    choice("rows8", 2, "an aligned block of eight rows", "MOV_8_ROWS"),
};
inline constexpr ValueSpec rows_1_or_4[] = {
    choice("row1", 0, "a row", "MOV_1_ROW"),
    choice("rows4", 2, "an aligned block of four rows", "MOV_4_ROWS"),
};
inline constexpr ValueSpec rows_of_b[] = {
    part("row1", 6, 0, "a row", "MOV_1_ROW"),
    part("rows4", 6, 4, "an aligned block of four rows", "MOV_4_ROWS"),
    part("row1_to_8", 2, 2, "a row to each of eight rows of Dst", "MOV_8_ROW_BRCST"),
    bits("column0", 1, "column 0 of each row to all columns"),
    part("MOV_1_ROW_D0_BRCST", 7, 1, ""),
    part("MOV_8_ROW_BRCST_D0_BRCST", 7, 3, ""),
    part("MOV_4_ROWS_D0_BRCST", 7, 5, ""),
};

inline constexpr ValueSpec clear_modes[] = {
    part("row", 3, 0, "a row", "CLR_SPECIFIC"),
    part("rows16", 3, 1, "an aligned block of 16 rows, of the view that is chosen", "CLR_16"),
    part("half", 3, 2, "512 rows of 16 bits", "CLR_HALF"),
    part("all", 3, 3, "all of Dst", "CLR_ALL"),
    bits("dst32", 0, 4, "blocks are counted in the view of 32 bits").only(wormhole),
    ValueSpec(part("CLR_HALF_32B", 7, 6, "")).only(wormhole),
    ValueSpec(part("CLR_ALL_32B", 7, 7, "")).only(wormhole),
};
inline constexpr ValueSpec dst_views[] = {
    choice("dst16", 0, "blocks are counted in the view of 16 bits"),
    choice("dst32", 1, "blocks are counted in the view of 32 bits"),
};
inline constexpr ValueSpec validities[] = {
    choice("invalidate", 0, "the rows read as zero"),
    choice("revert", 1, "the rows are valid again"),
};

inline constexpr ValueSpec fills[] = {
    choice("zero", 0, "zero"),
    choice("neg_inf", 1, "minus infinity in SrcA, zero in SrcB"),
};
inline constexpr ValueSpec bank_users[] = {
    choice("unpackers", 0, "the bank that the unpacker is at"),
    choice("matrix", 1, "the bank that the matrix unit is at"),
};
inline constexpr ValueSpec bank_counts[] = {
    choice("one", 0, "one bank"),
    choice("both", 1, "both banks"),
};

inline constexpr ValueSpec directions[] = {
    choice("right", 2, "to the higher columns", "RIGHT_AWAY0"),
    choice("left", 3, "to the lower columns", "LEFT_TOWARD0"),
};
inline constexpr ValueSpec rotations[] = {
    choice("rotate", 0, "the first column moves to the last"),
    choice("shift", 1, "the last column becomes zero"),
};

inline constexpr ValueSpec broadcasts[] = {
    bits("col", 1, "column 0 of SrcB for all columns", "SRCB_BCAST_COL"),
    bits("row", 2, "one row of SrcB for all rows", "SRCB_BCAST_ROW"),
    choice("none", 0, "eight rows of SrcB, unchanged", "SRCB_NO_BCAST"),
    bits("SRCB_BCAST_ALL", 3, ""),
};
inline constexpr ValueSpec row_broadcasts[] = {
    choice("none", 0, "eight rows of SrcB"),
    choice("row", 1, "one row of SrcB for seven rows of Dst; every other row is skipped"),
};
inline constexpr ValueSpec accumulations[] = {
    choice("replace", 0, "Dst becomes the result", "DEST_ACCUM_DIS"),
    choice("add", 1, "the result is added to Dst", "DEST_ACCUM_EN"),
};
inline constexpr ValueSpec pool_dimensions[] = {
    choice("dim_1x16", 0, "the kernel library's name for 0"),
    choice("dim_16x16", 1, "the kernel library's name for 1"),
};
inline constexpr ValueSpec indices[] = {
    choice("values", 0, "the largest values", "INDEX_DIS"),
    choice("index", 1, "and which row each of them is of", "INDEX_EN"),
};

inline constexpr ValueSet clear_dvalid = {
    "banks given back", "Which banks the matrix unit gives to the unpackers, once it is done, and leaves: any of",
    sources};
inline constexpr ValueSet source_mask = {"source mask", "Any of", sources};
inline constexpr ValueSet cleardvalid_reset = {"modifiers of CLEARDVALID", "Any of", source_resets};
inline constexpr ValueSet counter_mask = {"counter mask", "Which counters are set: any of", counters};
inline constexpr ValueSet checkpoint_mask = {
    "checkpoint mask", "Which counters become checkpoint plus value: any of", checkpoints};
inline constexpr ValueSet increment_checkpoints = {
    "checkpoint mask of INCRWC", "Which counters become checkpoint plus value: any of",
    std::span(checkpoints).first(7)};
inline constexpr ValueSet counter_value = {"counter value", "The counter's new value, or the increment, in rows"};
inline constexpr ValueSet dst_half = {"half of Dst's datums", "The half of 32-bit Dst that is moved", dst_halves};
inline constexpr ValueSet mova2d_rows = {"rows of MOVA2D", "How many rows", rows_1_or_8};
inline constexpr ValueSet move_rows = {"rows of moves to a source", "How many rows", rows_1_or_4};
inline constexpr ValueSet movb2d_rows = {"rows of MOVB2D", "How many rows, and column0 or not", rows_of_b};
inline constexpr ValueSet src_row = {"row of a source", "Added to the source's counter; a block's row is aligned"};
inline constexpr ValueSet dst_row = {"row of Dst", "Added to Dst's counter and bases; a block's row is aligned"};
inline constexpr ValueSet addr_mode = {
    "ADDR_MOD",
    "Which sections of ADDR_MOD_AB, ADDR_MOD_DST and ADDR_MOD_BIAS move the counters on. Blackhole: 0 to 7; "
                "Wormhole: 0 to 3, and 4 more with ADDR_MOD_SET_Base"};
inline constexpr ValueSet pool_addr_mode = {"ADDR_MOD of pools", "As ADDR_MOD, 0 to 7"};
inline constexpr ValueSet clear_mode = {"mode of ZEROACC", "How much of Dst", clear_modes};
inline constexpr ValueSet clear_where = {
    "place of ZEROACC", "row: the row, added to the counters; rows16: the block; half: 0 or 1; all: nothing"};
inline constexpr ValueSet dst_view = {"view of Dst", "For rows16", dst_views};
inline constexpr ValueSet validity = {"validity", "The rows' new validity", validities};
inline constexpr ValueSet fill = {"value of ZEROSRC", "The value to write", fills};
inline constexpr ValueSet bank_user = {"bank of ZEROSRC", "The owner of the bank to write", bank_users};
inline constexpr ValueSet bank_count = {"banks of ZEROSRC", "How many banks are written", bank_counts};
inline constexpr ValueSet direction = {"direction of SHIFTXA", "0 and 1 have no meaning", directions};
inline constexpr ValueSet rotation = {"kind of SHIFTXB", "The new contents of the free column", rotations};
inline constexpr ValueSet broadcast = {"broadcast", "The part of SrcB", broadcasts};
inline constexpr ValueSet row_broadcast = {"broadcast of MVMUL", "The part of SrcB", row_broadcasts};
inline constexpr ValueSet accumulation = {"accumulation", "The effect on Dst", accumulations};
inline constexpr ValueSet always_accumulates = {.title = "accumulation of products",
                                                .about = "No effect: Dst is always added to",
                                                .values = accumulations,
                                                .ignored = true};
inline constexpr ValueSet pool_dimension = {"pool dimension", "No documented effect", pool_dimensions};
inline constexpr ValueSet pool_index = {"pool index", "The result of GMPOOL and MPOOL; no effect in other pools", indices};
inline constexpr ValueSet dotpv_modifiers = {"modifiers of DOTPV", "No documented effect"};
inline constexpr ValueSet gate = {"reset of a source's gating", "1: its gating cache is invalidated"};
inline constexpr ValueSet legacy = {"legacy operand", "No documented effect"};

inline constexpr OperandValues matrix[] = {
    {"", "clear_dvalid", &clear_dvalid},
    {"SETRWC", "clear_ab_vld", &clear_dvalid},
    {"CLEARDVALID", "cleardvalid", &source_mask},
    {"CLEARDVALID", "reset", &cleardvalid_reset},
    {"ZEROSRC", "src_mask", &source_mask},
    {"ZEROSRC", "zero_val", &fill},
    {"ZEROSRC", "write_mode", &bank_user},
    {"ZEROSRC", "bank_mask", &bank_count},
    {"SETRWC", "BitMask", &counter_mask},
    {"SETRWC", "rwc_cr", &checkpoint_mask},
    {"INCRWC", "rwc_cr", &increment_checkpoints},
    {"SETRWC INCRWC", "rwc_d", &counter_value},
    {"SETRWC INCRWC", "rwc_b", &counter_value},
    {"SETRWC INCRWC", "rwc_a", &counter_value},
    {"", "dest_32b_lo", &dst_half},
    {"MOVA2D MOVDBGA2D", "instr_mod", &mova2d_rows},
    {"MOVD2A MOVD2B MOVB2A", "instr_mod", &move_rows},
    {"MOVB2D MOVDBGB2D", "movb2d_instr_mod", &movb2d_rows},
    {"MOVB2D", "instr_mod", &movb2d_rows},
    {"", "src", &src_row},
    {"MOVB2A", "srca", &src_row},
    {"MOVB2A", "srcb", &src_row},
    {"SHIFTXB", "shift_row", &src_row},
    {"ZEROACC", "dst", &clear_where},
    {"ZEROACC", "where", &clear_where},
    {"ZEROACC", "clear_mode", &clear_mode},
    {"ZEROACC", "use_32_bit_mode", &dst_view},
    {"ZEROACC", "clear_zero_flags", &validity},
    {"ZEROACC", "AddrMode", &addr_mode},
    {"", "dst", &dst_row},
    {"", "addr_mode", &addr_mode},
    {"", "pool_addr_mode", &pool_addr_mode},
    {"SHIFTXA", "shift_mode", &direction},
    {"SHIFTXB", "rot_shift", &rotation},
    {"MVMUL", "instr_mod19", &row_broadcast},
    {"ELWADD ELWSUB ELWMUL", "instr_mod19", &broadcast},
    {"DOTPV", "instr_mod19", &dotpv_modifiers},
    {"GMPOOL GAPOOL", "instr_mod19", &pool_dimension},
    {"ELWADD ELWSUB", "dest_accum_en", &accumulation},
    {"ELWMUL DOTPV", "dest_accum_en", &always_accumulates},
    {"GMPOOL GAPOOL", "max_pool_index_en", &pool_index},
    {"MPOOL3S1 MPOOL3S2 APOOL3S1 APOOL3S2", "index_en", &pool_index},
    {"GATESRCRST", "reset srcb gate control", &gate},
    {"GATESRCRST", "reset srca gate control", &gate},
    {"CONV3S1 CONV3S2 MFCONV3S1", "rotate_weights", &legacy},
    {"SETASHRMH0 SETASHRMH1 SETASHRMH", "reg_mask", &legacy},
    {"SETASHRMH0 SETASHRMH1 SETASHRMH", "halo_mask", &legacy},
    {"SETASHRMV", "reg_mask2", &legacy},
    {"SETPKEDGOF", "y_end", &legacy},
    {"SETPKEDGOF", "y_start", &legacy},
    {"SETPKEDGOF", "x_end", &legacy},
    {"SETPKEDGOF", "x_start", &legacy},
    {"SETIBRWC", "rwc_cr", &legacy},
    {"SETIBRWC", "rwc_bias", &legacy},
    {"SETIBRWC", "set_inc_ctrl", &legacy},
};

}  // namespace tessera::isa::values

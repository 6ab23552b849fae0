// SPDX-License-Identifier: Apache-2.0
// T1: copies a tile to a half of Dst, and makes x there gelu(x) = x Phi(x) as x/2 + |x| h(min(|x|, 3.5)), with
// h(t) = t (P0 + P1 t^2 + ... + P4 t^8), about Phi(t) - 1/2. The largest error is 0.0013.
#include "copy_tile.hpp"
#include "mailbox.hpp"

namespace {

using namespace kernel;

/// LRegs. 9 is always 0; 12 and 13 can be written by SFPCONFIG alone, which takes LReg 0.
enum LReg : unsigned {
    x = 0,
    t = 1,
    square = 2,
    sum = 3,
    p4 = 4,
    p3 = 5,
    p2 = 6,
    p1 = 7,
    zero = 9,
    p0 = 12,
    one_half = 13
};

/// A number of FP32 to LReg 0 to 7.
template <LReg to, std::uint32_t number>
void load_constant() {
    constexpr std::uint32_t low = 10, high = 8;
    ttinsn<SFPLOADI({.lreg_ind = to, .instr_mod0 = low, .imm16 = number & 0xFFFF})>();
    ttinsn<SFPLOADI({.lreg_ind = to, .instr_mod0 = high, .imm16 = number >> 16})>();
}

void load_constants() {
    load_constant<x, 0x3EC9'5F57>();  // 0.39330551
    ttinsn<SFPCONFIG({.config_dest = p0})>();
    load_constant<x, 0x3F00'0000>();  // 0.5
    ttinsn<SFPCONFIG({.config_dest = one_half})>();
    load_constant<p1, 0xBD70'FC6B>();  // -0.058834475
    load_constant<p2, 0x3BD2'5E37>();  // 0.0064199227
    load_constant<p3, 0xB9C7'FD2D>();  // -0.00038144868
    load_constant<p4, 0x371B'085D>();  // 9.240667e-06
}

/// Rd = Ra * Rb + Rc, there after two cycles.
template <LReg a, LReg b, LReg c, LReg d>
void multiply_add() {
    ttinsn<SFPMAD({.lreg_src_a = a, .lreg_src_b = b, .lreg_src_c = c, .lreg_dest = d})>();
}

constexpr std::uint32_t length = 23;  // instructions for 32 datums

/// An SFPNOP waits for a result of two cycles.
void record_gelu() {
    constexpr std::uint32_t bf16_in_dst = 2, bf16_immediate = 0, three_and_a_half = 0x4060, absolute_float = 1,
                            min_max = 1, to_bf16 = 1;
    ttinsn<REPLAY({.start_idx = 0, .len = length, .load_mode = 1})>();
    ttinsn<SFPLOAD({.lreg_ind = x, .instr_mod0 = bf16_in_dst, .sfpu_addr_mode = 1})>();
    ttinsn<SFPLOADI({.lreg_ind = sum, .instr_mod0 = bf16_immediate, .imm16 = three_and_a_half})>();
    ttinsn<SFPABS({.lreg_c = x, .lreg_dest = t, .instr_mod1 = absolute_float})>();
    ttinsn<SFPSWAP({.lreg_src_c = sum, .lreg_dest = t, .instr_mod1 = min_max})>();
    ttinsn<SFPNOP()>();
    multiply_add<t, t, zero, square>();
    ttinsn<SFPNOP()>();
    multiply_add<square, p4, p3, sum>();
    ttinsn<SFPNOP()>();
    multiply_add<square, sum, p2, sum>();
    ttinsn<SFPNOP()>();
    multiply_add<square, sum, p1, sum>();
    ttinsn<SFPNOP()>();
    multiply_add<square, sum, p0, sum>();
    ttinsn<SFPNOP()>();
    multiply_add<t, sum, zero, sum>();
    ttinsn<SFPABS({.lreg_c = x, .lreg_dest = t, .instr_mod1 = absolute_float})>();
    multiply_add<t, sum, zero, t>();
    ttinsn<SFPNOP()>();
    multiply_add<x, one_half, t, x>();
    ttinsn<SFPNOP()>();
    ttinsn<SFP_STOCH_RND({.lreg_src_c = x, .lreg_dest = x, .instr_mod1 = to_bf16})>();
    // Address modifier 2: on to the other columns, or the next four rows.
    ttinsn<SFPSTORE({.lreg_ind = x, .instr_mod0 = bf16_in_dst, .sfpu_addr_mode = 2})>();
}

}  // namespace

void kernel_main() {
    const std::uint32_t tiles = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    configure_copying();
    configure<cfg::ADDR_MOD_DST_SEC1_DestIncr(0)>();
    configure<cfg::ADDR_MOD_DST_SEC2_DestIncr(2)>();
    load_constants();
    record_gelu();
    wait_math_configured();
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        wait_half_free(tile % 2);
        copy_tile();
        ttinsn<SETRWC({.BitMask = 0xF})>();
        // The tile is in Dst before the vector unit reads it.
        ttinsn<STALLWAIT({.stall_res = block::vector, .wait_res = condition::matrix})>();
        for (unsigned group = 0; group < 32; ++group) ttinsn<REPLAY({.start_idx = 0, .len = length})>();
        // The counters go back when the vector unit has used them.
        ttinsn<STALLWAIT({.stall_res = block::math, .wait_res = condition::vector})>();
        ttinsn<SETRWC({.BitMask = 0xF})>();
        half_filled<condition::vector>();
    }
    wait_coprocessor();
}

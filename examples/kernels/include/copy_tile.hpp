// SPDX-License-Identifier: Apache-2.0
// T1: a tile from SrcA to Dst, which goes on to the next tile.
#pragma once

#include "sync.hpp"

namespace kernel {

inline void configure_copying() {
    // Address modifier 0: on to the next eight rows.
    configure<cfg::ADDR_MOD_AB_SEC0_SrcAIncr(8), cfg::ADDR_MOD_DST_SEC0_DestIncr(8)>();
    ttinsn<SETRWC({.BitMask = 0xF})>();
    constexpr std::uint32_t eight_rows = 2, move = MOVA2D({.addr_mode = 0, .instr_mod = eight_rows});
    configure_mop({.inner = 8, .instruction = move, .last_of_inner = move, .last = move});
}

inline void copy_tile() {
    constexpr std::uint32_t src_a = 1;
    ttinsn<MOP({.mop_type = 1})>();
    ttinsn<SETRWC({.clear_ab_vld = src_a, .BitMask = src_a})>();
}

}  // namespace kernel

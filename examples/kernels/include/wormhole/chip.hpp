// SPDX-License-Identifier: Apache-2.0
// Wormhole's constants for the kernels. Blackhole has a header of the same name. Of the four packers, they use
// the first.
#pragma once

#include "words.hpp"

namespace kernel {

/// Conditions of STALLWAIT.
namespace condition {
inline constexpr std::uint32_t scalar = 1 << 0, unpackers = 1 << 1 | 1 << 2, packer = 1 << 3, matrix = 1 << 7,
                               stores = 1 << 13, vector = 1 << 14;
}

/// There is no cache of L1 here.
inline void forget_cached() { asm volatile("" ::: "memory"); }

namespace chip {

/// Registers of an overlay stream, which are used as counters here.
inline constexpr unsigned remote_dest_buf_start = 3, remote_dest_buf_size = 4;
constexpr std::uint32_t stream_register(unsigned stream, unsigned index) {
    return 0xFFB4'0000 + 0x1000 * stream + 4 * index;  // from NOC_OVERLAY_START_ADDR on
}

/// Neighbouring rows of Dst that a PACR takes.
inline constexpr unsigned rows_per_pacr = 1;
constexpr std::uint32_t pack_rows(unsigned addr_mode, bool last) {
    return PACR({.AddrMode = addr_mode, .PackSel = 1, .Last = last});
}

/// Of 16 rows of SrcA, to row `row` of Dst and the three behind it, by four rows of SrcB.
constexpr std::uint32_t add_columns(unsigned row, unsigned addr_mode) {
    return GAPOOL({.instr_mod19 = 1, .addr_mode = addr_mode, .dst = row});
}

constexpr std::uint32_t clear_half_of_dst(unsigned half) { return ZEROACC({.clear_mode = 2, .dst = half}); }

}  // namespace chip
}  // namespace kernel

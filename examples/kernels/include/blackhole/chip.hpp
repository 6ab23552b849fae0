// SPDX-License-Identifier: Apache-2.0
// Facts about Blackhole for the kernels; the other chip has a header of the same name.
#pragma once

#include "words.hpp"

namespace kernel {

/// Conditions of STALLWAIT.
namespace condition {
inline constexpr std::uint32_t scalar = 1 << 0, unpackers = 1 << 1 | 1 << 2, packer = 1 << 3, matrix = 1 << 4,
                               stores = 1 << 10, vector = 1 << 11;
}

/// Empties the core's cache of L1, so that the next load sees other cores' stores.
inline void forget_cached() { asm volatile("fence" ::: "memory"); }

namespace chip {

/// Registers of an overlay stream, which are used as counters here.
inline constexpr unsigned remote_dest_buf_start = 8, remote_dest_buf_size = 10;
constexpr std::uint32_t stream_register(unsigned stream, unsigned index) {
    return 0xFFB4'0000 + 0x1000 * stream + 4 * index;  // from NOC_OVERLAY_START_ADDR on
}

/// Neighbouring rows of Dst that a PACR takes.
inline constexpr unsigned rows_per_pacr = 4;
constexpr std::uint32_t pack_rows(unsigned addr_mode, bool last) { return PACR({.AddrMode = addr_mode, .Last = last}); }

/// Of 16 rows of SrcA, to row `row` of Dst and the three behind it, by four rows of SrcB.
constexpr std::uint32_t add_columns(unsigned row, unsigned addr_mode) {
    return GAPOOL({.instr_mod19 = 1, .pool_addr_mode = addr_mode, .dst = row});
}

constexpr std::uint32_t clear_half_of_dst(unsigned half) { return ZEROACC({.clear_mode = 2, .where = half}); }

}  // namespace chip
}  // namespace kernel

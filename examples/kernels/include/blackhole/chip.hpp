// SPDX-License-Identifier: Apache-2.0
// What of Blackhole the kernels have to know: the other chip has a header of the same name.
#pragma once

#include "words.hpp"

namespace kernel {

/// Conditions of STALLWAIT.
namespace condition {
inline constexpr std::uint32_t scalar = 1 << 0, unpackers = 1 << 1 | 1 << 2, packer = 1 << 3, matrix = 1 << 4,
                               stores = 1 << 10, vector = 1 << 11;
}

namespace chip {

/// Rows of Dst that a PACR takes; of that many neighbouring ones, it can take one.
inline constexpr unsigned rows_per_pacr = 4;

/// Takes one row, number `row` of those that a PACR can choose from.
constexpr std::uint32_t pack_one_row(unsigned row, unsigned addr_mode, bool last) {
    return PACR({.AddrMode = addr_mode, .ReadIntfSel = 1U << row % rows_per_pacr, .Last = last});
}

constexpr std::uint32_t clear_half_of_dst(unsigned half) { return ZEROACC({.clear_mode = 2, .where = half}); }

}  // namespace chip
}  // namespace kernel

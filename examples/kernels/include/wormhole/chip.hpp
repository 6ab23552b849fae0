// SPDX-License-Identifier: Apache-2.0
// What of Wormhole the kernels have to know: the other chip has a header of the same name. Of the four packers, they use
// the first.
#pragma once

#include "words.hpp"

namespace kernel {

/// Conditions of STALLWAIT.
namespace condition {
inline constexpr std::uint32_t scalar = 1 << 0, unpackers = 1 << 1 | 1 << 2, packer = 1 << 3, matrix = 1 << 7,
                               stores = 1 << 13, vector = 1 << 14;
}

namespace chip {

/// Rows of Dst that a PACR takes; of that many neighbouring ones, it can take one.
inline constexpr unsigned rows_per_pacr = 1;

/// Takes one row: there is nothing to choose from.
constexpr std::uint32_t pack_one_row(unsigned, unsigned addr_mode, bool last) {
    return PACR({.AddrMode = addr_mode, .PackSel = 1, .Last = last});
}

constexpr std::uint32_t clear_half_of_dst(unsigned half) { return ZEROACC({.clear_mode = 2, .dst = half}); }

}  // namespace chip
}  // namespace kernel

// SPDX-License-Identifier: Apache-2.0
// How a tile is unpacked from rows of an array: in strips of that many datums, each row of 16 datums of a strip behind the
// other. The other chip has a header of the same name.
#pragma once

#include "chip.hpp"

namespace kernel::chip {

/// Unpackers take 32 datums of a row: left and right faces have every other row of Dst.
inline constexpr unsigned strip_width = 32;

inline constexpr unsigned pacrs_per_face = 8;
constexpr unsigned first_row(unsigned face) { return face / 2 * 32; }
/// Rows 0 and 2 of four, or 1 and 3.
constexpr std::uint32_t pack_from_strips(unsigned face, bool last) {
    return PACR({.AddrMode = 0, .ReadIntfSel = face % 2 == 0 ? 0b0101U : 0b1010U, .Last = last});
}

}  // namespace kernel::chip

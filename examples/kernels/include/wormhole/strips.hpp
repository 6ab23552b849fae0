// SPDX-License-Identifier: Apache-2.0
// How a tile is unpacked from rows of an array: in strips of that many datums, each row of 16 datums of a strip behind the
// other. The other chip has a header of the same name.
#pragma once

#include "chip.hpp"

namespace kernel::chip {

/// Unpackers take 16 datums of a row: faces 0 and 2 are a strip, faces 1 and 3 another one.
inline constexpr unsigned strip_width = 16;

inline constexpr unsigned pacrs_per_face = 16;
constexpr unsigned first_row(unsigned face) { return face / 2 * 16 + face % 2 * 32; }
constexpr std::uint32_t pack_from_strips(unsigned, bool last) { return pack_rows(0, last); }

}  // namespace kernel::chip

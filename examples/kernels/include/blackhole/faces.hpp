// SPDX-License-Identifier: Apache-2.0
// How a row of neighbouring faces is packed. The other chip has a header of the same name.
#pragma once

#include "coprocessor.hpp"

namespace kernel::chip {

/// Neighbouring faces of which pack_row() takes the same row.
inline constexpr unsigned faces_per_pacr = 2;
constexpr std::uint32_t pack_row(unsigned addr_mode, bool last) {
    return PACR({.DstAccessMode = 1, .AddrMode = addr_mode, .ReadIntfSel = 3, .Last = last});
}
/// Rows that are 16 apart can be read at once when all units go to Dst in this way.
inline void configure_faces() {
    configure<cfg::DEST_ACCESS_CFG_remap_addrs(1), cfg::DEST_ACCESS_CFG_swizzle_32b(1)>();
}

}  // namespace kernel::chip

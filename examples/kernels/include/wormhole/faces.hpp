// SPDX-License-Identifier: Apache-2.0
// How a row of neighbouring faces is packed. The other chip has a header of the same name.
#pragma once

#include "chip.hpp"

namespace kernel::chip {

/// Neighbouring faces of which pack_row() takes the same row.
inline constexpr unsigned faces_per_pacr = 1;
constexpr std::uint32_t pack_row(unsigned addr_mode, bool last) { return pack_rows(addr_mode, last); }
inline void configure_faces() {}

}  // namespace kernel::chip

// SPDX-License-Identifier: Apache-2.0
// Rows of lanes, and the LRegs that hold their places in Dst. SFPLOAD and SFPSTORE exchange them with rows of Dst
// (SFPLOAD, SFPSWAP and SFPSHFT2 pages, Functional model).
#pragma once

#include "state/memories.hpp"

namespace tessera::units::vector {

inline constexpr unsigned row_lanes = 8;  ///< a row's even columns in Dst, or its odd ones
inline constexpr unsigned lane_rows = state::LRegs::lanes / row_lanes;

inline constexpr unsigned with_index = 4;  ///< LRegs 0 to 3 have their places in Dst in LRegs 4 to 7

/// The LReg with the places of `lreg`.
constexpr unsigned index_of(unsigned lreg) { return with_index + lreg % with_index; }

}  // namespace tessera::units::vector

// SPDX-License-Identifier: Apache-2.0
// The loop of SFPSWAP.
#pragma once

#include "plan/vector_work.hpp"

namespace tessera::units::vector {

inline constexpr unsigned with_index = 4;  ///< LRegs 0 to 3 have their places in the four behind them

/// The LReg that has the places of `lreg`.
constexpr unsigned index_of(unsigned lreg) { return with_index + lreg % with_index; }

/// VC and VD change places: in every lane if `always`, else in `immediate` lanes where VC is not the smaller one and in other
/// lanes where it is. In `marked` lanes their places in Dst do so, too.
plan::LaneWork::Loop swap_loop(bool always);

}  // namespace tessera::units::vector

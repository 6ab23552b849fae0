// SPDX-License-Identifier: Apache-2.0
// The loop of SFPSWAP.
#pragma once

#include "plan/vector_work.hpp"

namespace tessera::units::vector {

/// VC and VD change places: in every lane if `always`, else in `immediate` lanes where VC is not the smaller one and in other
/// lanes where it is. In `marked` lanes their places in Dst do so, too.
plan::LaneWork::Loop swap_loop(bool always);

}  // namespace tessera::units::vector

// SPDX-License-Identifier: Apache-2.0
// The loop of SFPSWAP.
#pragma once

#include "plan/vector_work.hpp"

namespace tessera::units::vector {

/// Exchanges VC and VD. With `always` in every lane; otherwise in `immediate` lanes if VC is not the smaller one, and
/// in other lanes if it is. In `marked` lanes their places in Dst are exchanged, too.
plan::LaneWork::Loop swap_loop(bool always);

}  // namespace tessera::units::vector

// SPDX-License-Identifier: Apache-2.0
// Vector unit (SFPU): its exchange with Dst, and immediates.
#pragma once

#include "units/resolve.hpp"

namespace tessera::units::vector {

void resolve_sfpload(const Look&, plan::Plan&);
void resolve_sfpstore(const Look&, plan::Plan&);
void resolve_sfploadi(const Look&, plan::Plan&);

/// The lanes that take part: all of them unless flags are in use (LaneEnabled), a bit per lane.
std::uint32_t enabled_lanes(const Look& look);

}  // namespace tessera::units::vector

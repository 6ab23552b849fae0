// SPDX-License-Identifier: Apache-2.0
// Coordinate translation of an NIU (NoC/Coordinates).
#pragma once

#include "reference/noc/checked.hpp"
#include "reference/noc/chip/niu.hpp"
#include "reference/noc/coordinates.hpp"

namespace tessera::reference::noc {

/// True if NIU_CFG_0 has translation on.
bool translates(const Niu& niu);

/// Coordinates on the NIU's NoC that its tables have for those that software writes.
Checked<Coordinates> translate(const Niu& niu, Coordinates c);

}  // namespace tessera::reference::noc

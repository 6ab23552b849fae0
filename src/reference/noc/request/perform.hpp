// SPDX-License-Identifier: Apache-2.0
// The effects of a store of 1 to NOC_CMD_CTRL.
#pragma once

#include <string>

#include "reference/noc/chip/chip.hpp"

namespace tessera::reference::noc {

/// Performs the request of a tile's initiator on a NoC. Not empty: why it has no defined result. A refused request
/// changes nothing.
std::string perform(Chip& chip, Tile& tile, unsigned noc, unsigned initiator);

}  // namespace tessera::reference::noc

// SPDX-License-Identifier: Apache-2.0
// Which tile is where on a chip without harvested parts.
#pragma once

#include <vector>

#include "reference/noc/chip/tile.hpp"
#include "tessera/arch.hpp"

namespace tessera::reference::noc {

/// All tiles row by row, in the order of NoC 0. Their NIUs have nothing in their registers.
std::vector<Tile> place_tiles(Arch arch);

}  // namespace tessera::reference::noc

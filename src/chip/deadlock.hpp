// SPDX-License-Identifier: Apache-2.0
// Waits between tiles when no tile can go on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "chip/grid.hpp"
#include "tessera/chip.hpp"

namespace tessera::chip {

class TensixNode;

/// Of the tiles that sleep and are not done, by number in the grid; null: nothing has used the tile.
std::vector<TileWait> find_waits(const Grid& grid, std::span<TensixNode* const> tiles);

/// "tile (0, 0) waits for tile (1, 0), which waits for tile (0, 0)": from the first tile on; empty if nothing is known of it.
std::string chain_of(std::span<const TileWait> waits);

}  // namespace tessera::chip

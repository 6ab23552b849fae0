// SPDX-License-Identifier: Apache-2.0
// Configuration of NIUs as firmware leaves it (NoC/MemoryMap, NoC/Coordinates).
#pragma once

#include "reference/noc/chip/tile.hpp"

namespace tessera::reference::noc {

/// Configures both NIUs of a tile as firmware does: translation is on, broadcasts are for Tensix tiles.
void configure(Tile& tile);

}  // namespace tessera::reference::noc

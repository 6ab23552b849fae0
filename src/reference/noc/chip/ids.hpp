// SPDX-License-Identifier: Apache-2.0
// The registers in which an NIU says where it is and to which tile it belongs (NoC/MemoryMap).
#pragma once

#include <cstdint>

#include "reference/noc/chip/tile.hpp"

namespace tessera::reference::noc {

/// NOC_NODE_ID of a tile's NIU on a NoC.
std::uint32_t node_id(const Tile& tile, unsigned noc);
/// NOC_ENDPOINT_ID.
std::uint32_t endpoint_id(const Tile& tile, unsigned noc);

}  // namespace tessera::reference::noc

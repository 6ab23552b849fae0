// SPDX-License-Identifier: Apache-2.0
// Bits 10 to 12 of NOC_CTRL: the ports that the first router sends the packet to.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/noc/request/request.hpp"

namespace tessera::reference::noc {

/// NIU, Y and X as bits 0 to 2. `to` has the tiles that get the request: one, or those of a broadcast.
std::uint32_t first_ports(const Request& request, const std::vector<Tile*>& to);

}  // namespace tessera::reference::noc

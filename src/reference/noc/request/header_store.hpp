// SPDX-License-Identifier: Apache-2.0
// NOC_PACKET_TAG_HEADER_STORE: a write whose packets also put their first 16 bytes elsewhere.
#pragma once

#include <vector>

#include "reference/noc/request/write_ends.hpp"

namespace tessera::reference::noc {

/// The destination of each tile's header. An empty end: the tile ignores the flag.
Checked<std::vector<End>> ends_of_headers(const Request& request, const std::vector<Tile*>& tiles,
                                          const WriteEnds& ends);

}  // namespace tessera::reference::noc

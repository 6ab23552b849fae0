// SPDX-License-Identifier: Apache-2.0
// The source and the destinations of a write from memory.
#pragma once

#include <vector>

#include "reference/noc/request/memory.hpp"
#include "reference/noc/request/request.hpp"

namespace tessera::reference::noc {

/// `to` has one end for each tile that the write goes to.
struct WriteEnds {
    End from;
    std::vector<End> to;
};

/// Those of a write with a length.
Checked<WriteEnds> ends_of_range(const Request& request, const std::vector<Tile*>& tiles);
/// Those of a write with byte enables (NOC_CMD_WR_BE).
Checked<WriteEnds> ends_of_bytes(const Request& request, const std::vector<Tile*>& tiles);

}  // namespace tessera::reference::noc

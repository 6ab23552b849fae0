// SPDX-License-Identifier: Apache-2.0
// The tiles that a request and its response go to.
#pragma once

#include <vector>

#include "reference/noc/request/request.hpp"

namespace tessera::reference::noc {

/// The tile at the coordinates of a request that is no broadcast.
Checked<Tile*> one_tile(const Request& request, const Fields& fields);
/// The tile whose NIU gets the response.
Checked<Tile*> responding_tile(const Request& request, const Fields& fields);
/// One tile, or those of a broadcast's rectangle, perhaps none.
Checked<std::vector<Tile*>> recipients(const Request& request, const Fields& fields);

}  // namespace tessera::reference::noc

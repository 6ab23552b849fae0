// SPDX-License-Identifier: Apache-2.0
// How reports name who asked for an access over the NoC.
#pragma once

#include <string>

#include "noc/packet.hpp"
#include "tile/machine.hpp"

namespace tessera::tile {

/// "brisc at (1, 2)", or "a host".
std::string asker(const noc::Origin& origin);
/// For reports in the tile at `here`. What no core of this tile asked for has no place in it: `core` is then riscv_cores or more, and
/// another one for each asker.
By reported(const noc::Origin& origin, noc::Place here);

}  // namespace tessera::tile

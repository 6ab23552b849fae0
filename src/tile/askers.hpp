// SPDX-License-Identifier: Apache-2.0
// How reports name who asked for an access over the NoC.
#pragma once

#include <string>

#include "findings/catalogue.hpp"
#include "noc/niu.hpp"
#include "tile/port.hpp"

namespace tessera::tile {

/// "brisc at (1, 2)", or "a host".
std::string asker(const noc::Origin& origin);
/// "a request of brisc at (1, 2) to the tile at (3, 4): …", of an access to the tile at `here`.
std::string text_of(const noc::Niu::Failure& failure, noc::Place here);
/// The fault that it is.
findings::Id code_of(const noc::Refusal& refusal);
/// For reports in the tile at `here`. An access that no core of this tile asked for has no place in it: `core` is
/// then riscv_cores or more, and differs for each asker.
By reported(const noc::Origin& origin, noc::Place here);

}  // namespace tessera::tile

// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/chip/tile.hpp"

#include "reference/noc/registers.hpp"

namespace tessera::reference::noc {

std::uint32_t Tile::l1_size() const {
    const Map& map = map_of(niu[0].arch);
    return kind == Kind::tensix ? map.tensix_l1 : kind == Kind::ethernet ? map.ethernet_l1 : 0;
}

std::vector<std::uint8_t>& Tile::l1() {
    if (has_l1()) bytes.resize(l1_size());
    return bytes;
}

std::string Tile::name() const { return "tile (" + std::to_string(x) + ", " + std::to_string(y) + ")"; }

}  // namespace tessera::reference::noc

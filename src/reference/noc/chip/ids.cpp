// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/chip/ids.hpp"

#include <cstddef>

#include "reference/noc/coordinates.hpp"

namespace tessera::reference::noc {

std::uint32_t node_id(const Tile& tile, unsigned noc) {
    const Size size = size_of(tile.niu[noc].arch);
    const Coordinates here = on_noc(noc, size, {tile.x, tile.y});
    return here.x | here.y << 6 | size.width << 12 | size.height << 19 | (noc == 0 ? 1u << 28 : 0);
}

std::uint32_t endpoint_id(const Tile& tile, unsigned noc) {
    // By Kind; an empty tile's type is that of the PCI Express tile.
    constexpr std::uint32_t blackhole_types[] = {0x0100, 0x0200, 0x0800, 0x0300, 0x0500, 0x0901, 0x0A00, 0x0300};
    constexpr std::uint32_t wormhole_types[] = {0, 2, 8, 3, 5, 0, 0, 3};
    const auto kind = static_cast<std::size_t>(tile.kind);
    if (tile.niu[noc].arch == Arch::blackhole) return tile.index | blackhole_types[kind] << 8 | noc << 24;
    return tile.index | tile.group << 8 | wormhole_types[kind] << 16 | noc << 24;
}

}  // namespace tessera::reference::noc

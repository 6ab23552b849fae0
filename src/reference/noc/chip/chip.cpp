// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/chip/chip.hpp"

#include "reference/noc/chip/firmware.hpp"
#include "reference/noc/chip/ids.hpp"
#include "reference/noc/chip/layout.hpp"

namespace tessera::reference::noc {

Chip::Chip(Arch which) : arch(which), size(size_of(which)), tiles(place_tiles(which)) {
    for (Tile& each : tiles) {
        for (unsigned noc = 0; noc < 2; ++noc) {
            each.niu[noc].node_id = node_id(each, noc);
            each.niu[noc].endpoint_id = endpoint_id(each, noc);
        }
        configure(each);
    }
}

Tile* Chip::tile(unsigned x, unsigned y) {
    return x < size.width && y < size.height ? &tiles[y * size.width + x] : nullptr;
}
const Tile* Chip::tile(unsigned x, unsigned y) const {
    return x < size.width && y < size.height ? &tiles[y * size.width + x] : nullptr;
}

Tile* Chip::at(unsigned noc, Coordinates c) {
    if (c.x >= size.width || c.y >= size.height) return nullptr;
    const Coordinates on_0 = on_noc(noc, size, c);
    return tile(on_0.x, on_0.y);
}

}  // namespace tessera::reference::noc

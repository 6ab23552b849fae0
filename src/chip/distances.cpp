// SPDX-License-Identifier: Apache-2.0
#include "chip/distances.hpp"

#include <algorithm>

#include "noc/routes.hpp"

namespace tessera::chip {

Distances::Distances(const noc::Layout& chip, const noc::Costs& costs) : chip_(chip), costs_(costs) {
    const unsigned tiles = chip.tiles();
    cycles_.resize(std::size_t{tiles} * tiles);
    for (unsigned from = 0; from < tiles; ++from)
        for (unsigned to = 0; to < tiles; ++to) {
            const noc::Place a = chip.place(from), b = chip.place(to);
            const unsigned hops = std::min(noc::hops(chip, 0, a, b), noc::hops(chip, 1, a, b));
            cycles_[std::size_t{from} * tiles + to] = costs.to_router + noc::Cycle{costs.hop} * hops + costs.from_router;
        }
}

noc::Cycle Distances::back(const noc::Packet& packet) const {
    if (packet.broadcast || packet.to == packet.source) return costs_.from_router;
    return noc::Cycle{costs_.hop} * noc::hops(chip_, packet.noc, packet.source, packet.to) + costs_.from_router +
           between(packet.to, packet.source);
}

}  // namespace tessera::chip

// SPDX-License-Identifier: Apache-2.0
#include "chip/distances.hpp"

#include <algorithm>

namespace tessera::chip {

namespace {

// A tile at the corner may send on the other NoC what it has received: right by NoC 0 and then up by NoC 1 is often nearer than either.
noc::Cycle nearest(const noc::Layout& chip, const noc::Costs& costs, noc::Place from, noc::Place to) {
    noc::Cycle least = noc::never;
    for (unsigned x_noc = 0; x_noc < noc::nocs; ++x_noc)
        for (unsigned y_noc = 0; y_noc < noc::nocs; ++y_noc) {
            const noc::Cycle hops = noc::distance(chip, x_noc, noc::Axis::x, from, to) + noc::distance(chip, y_noc, noc::Axis::y, from, to);
            const unsigned packets = x_noc == y_noc ? 1 : 2;
            least = std::min(least, costs.hop * hops + packets * (noc::Cycle{costs.to_router} + costs.from_router));
        }
    return least;
}

}  // namespace

Distances::Distances(const noc::Layout& chip, const noc::Costs& costs) : chip_(chip), costs_(costs) {
    cycles_.reserve(chip.tiles());
    for (unsigned to = 0; to < chip.tiles(); ++to) cycles_.push_back(nearest(chip, costs, {}, chip.place(to)));
}

noc::Cycle Distances::back(const noc::Packet& packet) const {
    if (packet.broadcast || packet.to == packet.source) return costs_.from_router;
    return noc::Cycle{costs_.hop} * noc::hops(chip_, packet.noc, packet.source, packet.to) + costs_.from_router +
           between(packet.to, packet.source);
}

}  // namespace tessera::chip

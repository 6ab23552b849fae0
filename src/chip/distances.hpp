// SPDX-License-Identifier: Apache-2.0
// How soon something can come from place to place.
#pragma once

#include <vector>

#include "noc/packet.hpp"

namespace tessera::chip {

class Distances {
public:
    Distances(const noc::Layout& chip, const noc::Costs& costs);
    /// The fewest cycles from an act of one tile until something that it causes is in the other: of a packet of one flit without others, or
    /// of two, if a tile between them sends the second on the other NoC. The same in both directions.
    noc::Cycle between(noc::Place from, noc::Place to) const {
        const auto apart = [](unsigned a, unsigned b, unsigned size) { return b >= a ? b - a : b + size - a; };
        return cycles_[apart(from.y, to.y, chip_.height) * chip_.width + apart(from.x, to.x, chip_.width)];
    }
    /// From the packet's arrival at its source's router until something that it causes can reach the source.
    noc::Cycle back(const noc::Packet& packet) const;

private:
    const noc::Layout& chip_;
    const noc::Costs& costs_;
    /// From a corner to each tile: how far tiles are from each other along x and y decides, since edges are joined.
    std::vector<noc::Cycle> cycles_;
};

}  // namespace tessera::chip

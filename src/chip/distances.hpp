// SPDX-License-Identifier: Apache-2.0
// How soon something can come from place to place.
#pragma once

#include <vector>

#include "noc/packet.hpp"
#include "noc/routes.hpp"

namespace tessera::chip {

class Distances {
public:
    Distances(const noc::Layout& chip, const noc::Costs& costs);
    /// The fewest cycles from an act of one tile until something that it causes is in the other: of a packet of one flit without others, or
    /// of two, if a tile between them sends the second on the other NoC. The same in both directions.
    noc::Cycle between(noc::Place from, noc::Place to) const {
        return cycles_[noc::distance(chip_, 0, noc::Axis::y, from, to) * chip_.width + noc::distance(chip_, 0, noc::Axis::x, from, to)];
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

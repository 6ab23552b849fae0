// SPDX-License-Identifier: Apache-2.0
// Packets of a run, one row each, in the order in which they left.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "trace/chip_places.hpp"
#include "trace/tile_jobs.hpp"
#include "viewer/packing.hpp"

namespace tessera::viewer {

class PacketTable {
public:
    PacketTable(const trace::ChipPlaces& places, const trace::TileJobs& jobs) : places_(places), jobs_(jobs) {}

    void add(const PacketEvent& packet) { packets_.push_back(packet); }
    /// Columns. "from", "to" and "asked_by" are numbers of ChipPlaces.
    Json json(Packer& packer);

private:
    /// Of the core's instruction that asked for it.
    const std::string& place_of(const PacketEvent& packet, unsigned asked);

    const trace::ChipPlaces& places_;
    const trace::TileJobs& jobs_;
    std::vector<PacketEvent> packets_;
    std::map<std::tuple<unsigned, unsigned, std::uint32_t>, std::string> known_places_;  ///< by tile, core and pc
};

}  // namespace tessera::viewer

// SPDX-License-Identifier: Apache-2.0
// The observers of all tiles of a chip's run: collects their texts while tiles run, and gives them on while packets move.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "trace/chip_form.hpp"
#include "trace/observers.hpp"
#include "trace/tile_jobs.hpp"

namespace tessera::trace {

class ChipTracer {
public:
    using CoreOf = std::function<const Core&(unsigned column, unsigned row)>;
    /// `job`, `tile` (the options of the tiles) and what sinks refer to outlive this; `core_of` is for tiles that are watched.
    ChipTracer(const ChipJob& job, const Chip& chip, const RunOptions& tile, const ChipTraceForms& wanted, CoreOf core_of);
    ~ChipTracer();

    /// Adds the observers to those of a tile that begins; it may begin anew.
    void watch(unsigned column, unsigned row, RunOptions& own);
    bool wants_packets() const { return !forms_.empty(); }
    void packet(const PacketEvent& packet);
    /// Gives on what tiles have told. No tile runs meanwhile.
    void give_texts();
    void finish(const ChipRun& run);

private:
    struct TracedTile;
    const Job& job_of(unsigned number) const { return jobs_.of(number % places_.columns(), number / places_.columns()); }

    const ChipTraceForms wanted_;
    const ChipPlaces places_;
    const TileJobs jobs_;
    const CoreOf core_of_;
    std::vector<std::unique_ptr<TracedTile>> tiles_;
    const ChipSubject subject_;
    std::vector<std::unique_ptr<ChipForm>> forms_;
};

}  // namespace tessera::trace

// SPDX-License-Identifier: Apache-2.0
/// @file
/// Compares two runs of a grid, or one under many schedules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/chip_job.hpp"
#include "tessera/diff.hpp"
#include "tessera/race.hpp"

namespace tessera {

/// The difference between A and B in the memory or the state of a tile, or of a channel of DRAM.
struct PlaceDifference {
    std::string place;      ///< "tile (1, 0)", "DRAM channel 2"
    StateDifference first;  ///< the first different element, without writers
    std::uint64_t count = 0;  ///< different elements, or bytes of DRAM
};

/// The places where two chips differ: tiles row by row, as diff_runs() compares cores, then channels of DRAM. L1 of
/// Ethernet tiles is not compared.
/// Clears packers' data of streams that have ended. Errors "diff.arch", "diff.grid".
Result<std::vector<PlaceDifference>> diff_chips(Chip& a, Chip& b);

/// A request of a tile's core that only one run has, or that differs between them.
struct RequestDifference {
    std::optional<PacketEvent> a;  ///< its first packet in A; empty if A has none
    std::optional<PacketEvent> b;  ///< the same of B
};

/// The differences between two runs of a grid.
struct ChipRunDifference {
    ChipRun a;                                 ///< the run of A
    ChipRun b;                                 ///< the run of B
    std::vector<PlaceDifference> before;       ///< what differed before anything ran
    std::optional<RequestDifference> request;  ///< of different requests the first that left, in A if A has one
    std::vector<PlaceDifference> state;        ///< what differs between the end states
    bool same_end = true;                      ///< both ended well, or with the same fault

    /// Whether requests, end states and ends are equal. Cycles may differ.
    bool same() const { return !request && state.empty() && same_end; }
    /// Several lines for people.
    std::string describe() const;
};

/// Runs two jobs with grids of the same size, each with its own options, and compares them.
///
/// Requests are compared one by one for each tile and NoC, in the order in which the tile made them: kind, destination, address, length,
/// and the core. `threads`: of the host. Errors: "diff.arch", "diff.grid"; "diff.interrupted" if a run was cut off; those of prepare() and
/// Chip::run().
Result<ChipRunDifference> diff_runs(const ChipJob& a, const ChipJob& b, unsigned threads = 1);

/// The end that some schedules of a grid have in common.
struct ChipRaceOutcome {
    std::vector<std::uint64_t> seeds;      ///< of those schedules, without the one without delays
    bool without_delays = false;           ///< the schedule without delays is one of them
    std::string end;                       ///< code of the fault; empty: it ended well
    std::optional<PlaceDifference> state;  ///< the first difference from the first outcome
    std::string output;                    ///< path of the output that holds `state`; empty if the job has none
    std::uint64_t count = 0;               ///< different bytes or elements in all
};

/// A finding of a tile.
struct TileFinding {
    unsigned column = 0;  ///< of the grid
    unsigned row = 0;     ///< of the grid
    Finding finding;      ///< its count is that of all tiles and schedules
};

/// The outcomes of a grid under delays that hardware may have.
struct ChipRaceReport {
    std::uint32_t schedules = 0;            ///< that ended
    std::string compared;                   ///< "outputs"; for a job without outputs "memory": L1 of all tiles, and DRAM
    std::vector<ChipRaceOutcome> outcomes;  ///< the first contains the schedule without delays
    std::uint32_t others = 0;               ///< schedules with outcomes beyond RaceOptions::most
    std::vector<TileFinding> findings;      ///< hazards of all schedules, each pair of places once, with the first tile that has it
    bool interrupted = false;               ///< schedules that had not ended are neither counted nor compared

    /// Whether all schedules ended equally.
    bool same() const { return outcomes.size() <= 1 && others == 0; }
    /// Several lines for people.
    std::string describe() const;
};

/// Runs a grid without delays and then under the seeds, and compares the ends. Each tile is delayed in its own way (ChipRunOptions::tile).
/// Errors: those of prepare() and Chip::run().
Result<ChipRaceReport> find_races(const ChipJob& job, const RaceOptions& options = {});

}  // namespace tessera

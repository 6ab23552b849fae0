// SPDX-License-Identifier: Apache-2.0
/// @file
/// A run of a grid as JSON lines, as a timeline for Perfetto, or as a report for each tile.
#pragma once

#include <string_view>
#include <vector>

#include "tessera/chip_job.hpp"
#include "tessera/trace.hpp"

namespace tessera {

/// Name and version of the format of ChipTraceForms::lines: "tessera-chip-trace-1" (docs/reference/trace-lines.md).
std::string_view chip_trace_format();

/// An account of the cycles of a tile. Its critical path ends at the tile: it does not follow packets to others.
struct TileTraceReport {
    unsigned column = 0;  ///< of the grid
    unsigned row = 0;     ///< of the grid
    TraceReport report;   ///< as of a tile alone
};

/// The products of trace_job(). An empty member is not made and costs nothing.
struct ChipTraceForms {
    TraceSink lines{};      ///< JSON lines of all tiles, and of packets (docs/reference/trace-lines.md)
    bool writes = false;    ///< adds lines of kind "write"
    TraceSink perfetto{};   ///< a JSON object in the Trace Event Format: a process for each tile, packets as arrows
    std::vector<TileTraceReport>* reports = nullptr;  ///< filled at the end of the run, row by row
};

/// Chip::run() with traces. State and cycles are those of Chip::run(), and texts are the same with any number of host threads.
/// The observers of `options` are called as well.
///
/// `chip` is that of prepare(). Sinks are called by the calling thread, whenever a packet has arrived; text of the time between two
/// packets is kept. If the run is refused, no sink has received anything. Errors: those of Chip::run().
Result<ChipRun> trace_job(const ChipJob& job, Chip& chip, const ChipRunOptions& options, const ChipTraceForms& forms);

}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
/// @file
/// Cases of a grid: a job with tiles and kernels, together with the bytes of L1 and DRAM that its end is compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/chip_job.hpp"

namespace tessera {

/// A range of bytes in L1 of a tile, or in a channel of DRAM.
struct ChipRange {
    std::optional<unsigned> channel;  ///< of DRAM; empty: L1 of a tile
    unsigned column = 0;              ///< of the tile
    unsigned row = 0;                 ///< of the tile
    std::uint64_t address = 0;        ///< of the first byte
    std::uint64_t length = 0;         ///< in bytes
    friend bool operator==(const ChipRange&, const ChipRange&) = default;  ///< equal in every member
};

/// A job with a grid and the expected bytes at its end (format "tessera-chip-case-1", docs/chip-cases.md).
struct ChipCase {
    /// Bytes at the end of the run.
    struct Expected {
        ChipRange where;               ///< its length is that of `bytes`
        std::vector<std::byte> bytes;  ///< the contents
    };
    ChipJob job;                   ///< kernels, the memory before they run, and the options
    std::string name;              ///< for reports
    std::string note;              ///< what the case is for
    std::vector<Expected> expect;  ///< empty: nothing is expected
};

/// Reads a case of a grid. Kernels of a case have no source lines, and only the symbols of its arguments.
///
/// Errors: "case.open", "case.syntax", "case.format", "case.arch", "case.timing", "case.reset", "case.value", "case.hex", "l1.range".
Result<ChipCase> load_chip_case(const std::string& path);

/// Reads a case of a grid or any other job with a grid, which becomes a case that expects nothing. `changes` are for jobs only. Errors:
/// those of load_chip_case() and load_chip_job().
Result<ChipCase> load_chip_job_or_case(const std::string& path, const JobChanges& changes = {});
/// load_chip_job_or_case() of a text. Paths and `name` are those of parse_chip_job().
Result<ChipCase> parse_chip_job_or_case(std::string_view text, const std::string& name, const JobChanges& changes = {});

/// A case as text. Equal cases give equal text.
std::string format_chip_case(const ChipCase& what);

/// Writes format_chip_case() to a file, whole or not at all. Error "case.write".
Result<void> write_chip_case(const ChipCase& what, const std::string& path);

/// A run of a grid and the case that was made of it.
struct ChipRecording {
    ChipRun run;                       ///< as Chip::run() returned it
    std::optional<ChipCase> recorded;  ///< the job with its end; empty if the run has a fault or a finding at level error
};

/// Runs a job with a grid and makes a case of it that passes. Outputs of the job are not written, and the case has none.
///
/// `dump` lists what is expected. If it is empty, the ranges that the case itself expects apply. A job without them gets its outputs, and
/// all lines of 16 bytes that the run has changed. Errors: "l1.range", "dram.range", "chip.tile", "chip.dram"; those of prepare() and
/// Chip::run().
Result<ChipRecording> record(const ChipCase& what, std::span<const ChipRange> dump = {});

}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
/// @file
/// Jobs for a chip: a grid of tiles with kernels, DRAM, and outputs, in one file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tessera/chip.hpp"
#include "tessera/job.hpp"
#include "tessera/outputs.hpp"

namespace tessera {

/// A job with a grid of tiles (docs/chip-jobs.md). All files that it names have been read and checked.
struct ChipJob {
    /// Bytes of DRAM before the run.
    struct Dram {
        unsigned channel = 0;  ///< of DRAM
        Job::Region region;    ///< the address in the channel, and the contents
    };
    /// A rectangle of tiles with the same kernels and contents of L1.
    struct Tiles {
        /// Words for a variable that are different in each tile.
        struct Argument {
            RiscvCore core{};                               ///< whose kernel has the variable
            std::string symbol;                             ///< the variable
            std::vector<std::vector<std::uint32_t>> words;  ///< by tile, row by row
        };
        unsigned first_column = 0;        ///< of the grid
        unsigned last_column = 0;         ///< included
        unsigned first_row = 0;           ///< of the grid
        unsigned last_row = 0;            ///< included
        std::optional<Kernels> kernels;   ///< with all arguments that are the same in each tile; empty: only memory
        std::vector<Argument> arguments;  ///< set after those of `kernels`
        std::vector<Job::Region> l1;      ///< overwrites bytes of the kernels
    };
    /// A part of memory that is written to a file.
    struct Output {
        std::optional<unsigned> channel;  ///< of DRAM; empty: L1 of a tile
        unsigned column = 0;              ///< of the tile
        unsigned row = 0;                 ///< of the tile
        Job::Output what;                 ///< address, form and path
    };

    std::string file;                 ///< path of the job file
    std::vector<std::string> inputs;  ///< all files that were read, the job file included
    Arch arch = Arch::blackhole;      ///< the chip
    ChipOptions chip;                 ///< the grid
    RunOptions options;               ///< of each tile
    std::vector<Dram> dram;           ///< contents of DRAM
    std::vector<Tiles> tiles;         ///< no tile is in two of them
    std::vector<Output> outputs;      ///< written after the run
};

/// Reads a job with a grid from a TOML (`.toml`) or JSON (`.json`) file, as load_job() reads one of one tile. `changes` has keys only.
///
/// Errors: those of load_job(), without those about assembly and host steps; "chip.grid", "chip.harvested", "chip.tile" and
/// "chip.dram" with their place in the file; "job.missing-key" for a job without a grid.
Result<ChipJob> load_chip_job(const std::string& path, const JobChanges& changes = {});
/// Reads a job with a grid from text, as parse_job() does.
Result<ChipJob> parse_chip_job(std::string_view text, const std::string& name, const JobChanges& changes = {});

/// A job of one tile or of a grid.
using AnyJob = std::variant<Job, ChipJob>;
/// Reads either from a file. Errors: those of load_job() and load_chip_job().
Result<AnyJob> load_any_job(const std::string& path, const JobChanges& changes = {});
/// Reads either from text. Errors: those of parse_job() and parse_chip_job().
Result<AnyJob> parse_any_job(std::string_view text, const std::string& name, const JobChanges& changes = {});

/// A chip with the job's memory and kernels in place, ready for Chip::run().
///
/// Errors: those of Chip::make(), Chip::write_dram(), Chip::load(), KernelImage::set_words() and Core::write_l1(); "chip.tile" for tiles
/// that the grid lacks; "job.value" for a tile in two entries, and for an argument without words for each tile, without such a core, or
/// for a core without a kernel.
Result<Chip> prepare(const ChipJob& job);

/// All outputs after a run, in the order of ChipJob::outputs.
///
/// Errors: "run.arch" for a chip of another architecture, "chip.grid" for one with fewer columns or rows than the job; those of
/// Chip::read_dram(), Core::read_l1() and from_bytes().
Result<std::vector<OutputValue>> read_outputs(const ChipJob& job, Chip& chip);
/// Writes all outputs after a run, or none. Errors: those of read_outputs(); "output.input" and "output.twice" of check_output();
/// those of write_npy().
Result<void> write_outputs(const ChipJob& job, Chip& chip);

}  // namespace tessera

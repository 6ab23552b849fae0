// SPDX-License-Identifier: Apache-2.0
// The `tile` entries of a job with a grid.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "program/documents/schema_reader.hpp"
#include "tessera/chip_job.hpp"

namespace tessera::program {

/// The place of a tile in the grid: [column, row]. Errors of jobs, "chip.tile".
Result<std::pair<unsigned, unsigned>> read_tile_place(const Node& node, const SchemaReader& schema, const Chip& chip);

/// The tiles of an entry by column and row, row by row.
std::vector<std::pair<unsigned, unsigned>> places_of(const ChipJob::Tiles& tiles);

/// Which entry has each tile of the grid.
class TileOwners {
public:
    struct Taken {
        unsigned column{};
        unsigned row{};
        std::size_t owner{};
    };
    /// Gives the entry's tiles to `owner`. The result is the first tile that has an owner already.
    std::optional<Taken> add(const ChipJob::Tiles& tiles, std::size_t owner);

private:
    std::map<std::pair<unsigned, unsigned>, std::size_t> owners_;
};

/// Checks entries that a caller may have filled in. Errors "chip.tile", "job.value".
Result<void> check_tiles(std::span<const ChipJob::Tiles> all, const Chip& chip);

/// All entries. Errors of jobs, "chip.tile"; those of load_kernel() and KernelImage::set_words().
Result<std::vector<ChipJob::Tiles>> read_tiles(const Node& node, const SchemaReader& schema, const Chip& chip);

}  // namespace tessera::program

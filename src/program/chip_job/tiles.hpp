// SPDX-License-Identifier: Apache-2.0
// The `tile` entries of a job with a grid.
#pragma once

#include <vector>

#include "program/documents/schema_reader.hpp"
#include "tessera/chip_job.hpp"

namespace tessera::program {

/// The place of a tile in the grid: [column, row]. Errors of jobs, "chip.tile".
Result<std::pair<unsigned, unsigned>> read_tile_place(const Node& node, const SchemaReader& schema, const Chip& chip);

/// All entries. Errors of jobs, "chip.tile"; those of load_kernel() and KernelImage::set_words().
Result<std::vector<ChipJob::Tiles>> read_tiles(const Node& node, const SchemaReader& schema, const Chip& chip);

}  // namespace tessera::program

// SPDX-License-Identifier: Apache-2.0
// Names in arguments that stand for facts of the chip.
#pragma once

#include "program/job/kernels.hpp"
#include "tessera/chip.hpp"

namespace tessera::program {

class GridNames final : public ArgumentNames {
public:
    /// For kernels of one tile of the grid.
    GridNames(const Chip& chip, unsigned column, unsigned row) : chip_(chip), column_(column), row_(row) {}

    /// Errors "job.value", and "chip.tile" and "chip.dram" for a place that the chip lacks.
    Result<std::vector<std::uint32_t>> words(const Node& name, const SchemaReader& schema) const override;

    /// Whether the value of an argument has a name that stands for something else in each tile.
    static bool differ_by_tile(const Node& value);

private:
    const Chip& chip_;
    unsigned column_, row_;
};

}  // namespace tessera::program

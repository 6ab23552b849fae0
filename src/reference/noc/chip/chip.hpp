// SPDX-License-Identifier: Apache-2.0
// All tiles of a chip without harvested parts, as firmware leaves it.
#pragma once

#include <vector>

#include "reference/noc/chip/dram.hpp"
#include "reference/noc/chip/tile.hpp"
#include "reference/noc/coordinates.hpp"
#include "tessera/arch.hpp"

namespace tessera::reference::noc {

struct Chip {
    Arch arch;
    Size size;
    std::vector<Tile> tiles;  ///< row by row, in the order of NoC 0
    Dram dram{};

    explicit Chip(Arch which);

    /// The tile at coordinates on NoC 0; null if there is none.
    Tile* tile(unsigned x, unsigned y);
    const Tile* tile(unsigned x, unsigned y) const;
    /// The tile at coordinates on a NoC; null if there is none.
    Tile* at(unsigned noc, Coordinates c);
    /// A tile's coordinates on a NoC.
    Coordinates place(unsigned noc, const Tile& of) const { return on_noc(noc, size, {of.x, of.y}); }
};

}  // namespace tessera::reference::noc

// SPDX-License-Identifier: Apache-2.0
// The places of a chip that packets go between, as a reader of a trace counts and names them.
#pragma once

#include <string>
#include <vector>

#include "noc/layout.hpp"
#include "tessera/chip.hpp"

namespace tessera::trace {

class ChipPlaces {
public:
    explicit ChipPlaces(const Chip& chip);

    unsigned columns() const { return columns_; }
    unsigned rows() const { return rows_; }
    unsigned tiles() const { return columns_ * rows_; }
    /// Of a tile of the grid: 0 to tiles() - 1, row by row.
    unsigned number(unsigned column, unsigned row) const { return row * columns_ + column; }
    /// After the tiles come the channels of DRAM, each with all of its places, then all other places.
    unsigned number(NocPlace place) const { return numbers_[place.y * layout_.width + place.x]; }
    unsigned count() const { return static_cast<unsigned>(names_.size()); }
    /// "tile (1, 0) at (2, 2)", "DRAM channel 3", "Ethernet tile at (1, 1)".
    const std::string& name(unsigned number) const { return names_[number]; }
    /// "tile (1, 0)", "DRAM channel 3".
    std::string short_name(unsigned number) const { return names_[number].substr(0, names_[number].find(" at")); }

private:
    const noc::Layout& layout_;
    unsigned columns_, rows_;
    std::vector<unsigned> numbers_;  ///< by place
    std::vector<std::string> names_;
};

}  // namespace tessera::trace

// SPDX-License-Identifier: Apache-2.0
// The tiles of a chip that a program sees: columns and rows of Tensix tiles without those that are switched off.
#pragma once

#include <optional>
#include <vector>

#include "noc/request.hpp"
#include "tessera/chip.hpp"

namespace tessera::chip {

class Grid final : public noc::Neighbourhood {
public:
    /// Errors "chip.grid", "chip.harvested".
    static Result<Grid> make(Arch arch, const ChipOptions& options);

    const noc::Layout& layout() const { return *layout_; }
    unsigned columns() const { return static_cast<unsigned>(xs_.size()); }
    unsigned rows() const { return static_cast<unsigned>(ys_.size()); }
    /// The place of a column and a row, which must be in the grid.
    noc::Place place(unsigned column, unsigned row) const { return {xs_[column], ys_[row]}; }
    noc::Place place(unsigned number) const { return place(at(number).column, at(number).row); }
    struct At {
        unsigned column = 0, row = 0;
    };
    At at(unsigned number) const { return {number % columns(), number / columns()}; }
    /// Number of the Tensix tile there, row by row. Empty: no tile of the grid.
    std::optional<unsigned> number(noc::Place place) const;
    /// From now on requests reach the host's memory.
    void open_host() { has_host_ = true; }
    noc::Refusal unreachable(noc::Place place) const override;
    bool is_off(noc::Place place) const override;
    /// Bits of the columns (Blackhole) or rows (Wormhole) that are switched off, in coordinates of NoC 0.
    std::uint32_t harvested() const { return harvested_; }

private:
    const noc::Layout* layout_ = nullptr;
    std::vector<std::uint8_t> xs_, ys_;
    std::uint32_t harvested_ = 0;
    bool has_host_ = false;
};

}  // namespace tessera::chip

// SPDX-License-Identifier: Apache-2.0
#include "trace/chip_places.hpp"

#include <fmt/format.h>

namespace tessera::trace {

ChipPlaces::ChipPlaces(const Chip& chip) : layout_(noc::layout(chip.arch())), columns_(chip.columns()), rows_(chip.rows()) {
    constexpr unsigned none = ~0u;
    numbers_.assign(layout_.tiles(), none);
    for (unsigned row = 0; row < rows_; ++row)
        for (unsigned column = 0; column < columns_; ++column) {
            const NocPlace at = chip.place(column, row).value();
            numbers_[at.y * layout_.width + at.x] = number(column, row);
            names_.push_back(fmt::format("tile ({}, {}) at ({}, {})", column, row, at.x, at.y));
        }
    for (unsigned channel = 0; channel < layout_.dram_channels; ++channel) {
        for (const noc::Place at : layout_.dram_tiles(channel)) numbers_[layout_.index(at)] = count();
        names_.push_back(fmt::format("DRAM channel {}", channel));
    }
    for (unsigned i = 0; i < layout_.tiles(); ++i) {
        if (numbers_[i] != none) continue;
        numbers_[i] = count();
        const noc::Place at = layout_.place(i);
        names_.push_back(fmt::format("{} tile at {}", noc::name(layout_.kind(at)), noc::describe(at)));
    }
}

}  // namespace tessera::trace

// SPDX-License-Identifier: Apache-2.0
#include "chip/grid.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::chip {

Result<Grid> Grid::make(Arch arch, const ChipOptions& options) {
    Grid grid;
    grid.layout_ = &noc::layout(arch);
    for (noc::Place place : noc::tensix_tiles(arch)) {
        if (std::find(grid.xs_.begin(), grid.xs_.end(), place.x) == grid.xs_.end()) grid.xs_.push_back(place.x);
        if (std::find(grid.ys_.begin(), grid.ys_.end(), place.y) == grid.ys_.end()) grid.ys_.push_back(place.y);
    }
    const bool by_column = arch == Arch::blackhole;
    const std::string_view kind = by_column ? "column" : "row";
    auto& lines = by_column ? grid.xs_ : grid.ys_;
    const auto all_lines = lines;
    for (unsigned line : options.harvested) {
        if (std::find(all_lines.begin(), all_lines.end(), line) == all_lines.end())
            return fail("chip.harvested",
                        fmt::format("{0} {1} of a {2} is no {0} of Tensix tiles that could be switched off", kind, line, name(arch)));
        const auto at = std::find(lines.begin(), lines.end(), line);
        if (at == lines.end()) return fail("chip.harvested", fmt::format("{} {} is switched off twice: name it once", kind, line));
        lines.erase(at);
        grid.harvested_ |= 1u << line;
    }
    if (lines.empty())
        return fail("chip.harvested", fmt::format("all {}s of this {} are switched off: leave one with Tensix tiles", kind, name(arch)));
    const ChipOptions::Size whole{grid.columns(), grid.rows()}, size = options.grid.value_or(whole);
    if (size.columns == 0 || size.rows == 0 || size.columns > whole.columns || size.rows > whole.rows)
        return fail("chip.grid", fmt::format("a grid of {} × {} tiles: this {} has 1 × 1 to {} × {}", size.columns, size.rows, name(arch),
                                             whole.columns, whole.rows));
    grid.xs_.resize(size.columns);
    grid.ys_.resize(size.rows);
    return grid;
}

std::optional<unsigned> Grid::number(noc::Place place) const {
    const auto x = std::find(xs_.begin(), xs_.end(), place.x), y = std::find(ys_.begin(), ys_.end(), place.y);
    if (x == xs_.end() || y == ys_.end()) return std::nullopt;
    return static_cast<unsigned>(y - ys_.begin()) * columns() + static_cast<unsigned>(x - xs_.begin());
}

bool Grid::is_off(noc::Place place) const {
    return layout_->kind(place) == noc::TileKind::tensix && harvested_ >> (layout_->arch == Arch::blackhole ? place.x : place.y) & 1;
}

noc::Refusal Grid::unreachable(noc::Place place) const {
    using noc::TileKind;
    switch (layout_->kind(place)) {
        case TileKind::dram:
        case TileKind::ethernet: return {};
        case TileKind::tensix: {
            if (number(place)) return {};
            return fmt::format("the Tensix tile at {} is {}", noc::describe(place),
                               is_off(place) ? "switched off (harvested)" : fmt::format("outside of the grid of {} × {} tiles", columns(), rows()));
        }
        case TileKind::pcie:
            if (has_host_ && place == layout_->host_tile) return {};
            [[fallthrough]];
        default:
            return noc::Refusal::not_modelled(
                fmt::format("Tessera does not model the {} tile at {}", noc::name(layout_->kind(place)), noc::describe(place)));
    }
}

}  // namespace tessera::chip

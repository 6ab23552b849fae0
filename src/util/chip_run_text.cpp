// SPDX-License-Identifier: Apache-2.0
// A chip's run as text.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "tessera/chip.hpp"

namespace tessera {

std::string describe_tiles(const std::vector<const TileRun*>& tiles) {
    constexpr std::size_t most = 6;
    std::string text = tiles.size() == 1 ? "tile" : "tiles";
    for (std::size_t i = 0; i < std::min(most, tiles.size()); ++i)
        text += fmt::format("{} ({}, {})", i == 0 ? "" : ",", tiles[i]->column, tiles[i]->row);
    if (tiles.size() > most) text += fmt::format(" and {} more", tiles.size() - most);
    return text;
}

bool ChipRun::cut_short() const {
    return std::ranges::any_of(tiles, [](const TileRun& tile) { return tile.run.cut_short(); });
}

std::string ChipRun::describe_blocked() const {
    const auto same = [](const Blocked& a, const Blocked& b) {
        return std::tie(a.who, a.finished, a.in_reset, a.place) == std::tie(b.who, b.finished, b.in_reset, b.place);
    };
    std::vector<std::vector<const TileRun*>> groups;
    for (const TileRun& tile : tiles) {
        if (tile.run.blocked.empty()) continue;
        const auto known = std::ranges::find_if(groups, [&](const auto& group) {
            return std::ranges::equal(group.front()->run.blocked, tile.run.blocked, same);
        });
        if (known == groups.end())
            groups.push_back({&tile});
        else
            known->push_back(&tile);
    }
    std::string text;
    for (const auto& group : groups) text += describe_tiles(group) + "\n" + group.front()->run.describe_blocked();
    return text;
}

}  // namespace tessera

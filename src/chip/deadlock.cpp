// SPDX-License-Identifier: Apache-2.0
#include "chip/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "chip/tensix_node.hpp"

namespace tessera::chip {

namespace {

using Tile = std::pair<unsigned, unsigned>;

Tile tile_of(const TileWait& wait) { return {wait.column, wait.row}; }
std::string tile_text(Tile tile) { return fmt::format("tile ({}, {})", tile.first, tile.second); }

/// The tile's first wait for a known tile, or else its first one.
const TileWait* wait_of(std::span<const TileWait> waits, Tile tile) {
    const TileWait* first = nullptr;
    for (const TileWait& wait : waits)
        if (tile_of(wait) == tile) {
            if (wait.writer) return &wait;
            if (!first) first = &wait;
        }
    return first;
}

}  // namespace

std::vector<TileWait> find_waits(const Grid& grid, std::span<TensixNode* const> tiles) {
    std::vector<TileWait> waits;
    for (unsigned i = 0; i < tiles.size(); ++i) {
        if (!tiles[i] || tiles[i]->done()) continue;
        std::vector<TileWait> known, unknown;
        auto all = tiles[i]->polled();
        // Other tiles write words of L1, rather than registers, by which cores of a tile agree.
        std::stable_partition(all.begin(), all.end(),
                              [](const auto& polled) { return polled.in_l1 || polled.counts_packets; });
        for (const auto& polled : all) {
            TileWait wait{
                grid.at(i).column,    grid.at(i).row, RiscvCore(polled.core), polled.pc, polled.text, polled.value, {},
                polled.counts_packets};
            if (polled.writer) {
                const auto& [by, at, times] = *polled.writer;
                if (const auto from = grid.number(by.tile); from && *from != i)
                    wait.writer =
                        TileWait::Writer{grid.at(*from).column,
                                         grid.at(*from).row,
                                         RiscvCore(by.core),
                                         by.pc,
                                         tiles[*from] ? tiles[*from]->place_text(by.core, by.pc) : std::string(),
                                         at,
                                         times};
            }
            (wait.writer ? known : unknown).push_back(std::move(wait));
        }
        // Cores that wait for others of their tile poll words, too.
        auto& told = known.empty() ? unknown : known;
        waits.insert(waits.end(), told.begin(), told.end());
    }
    return waits;
}

std::string chain_of(std::span<const TileWait> waits) {
    if (waits.empty()) return {};
    std::string text = tile_text(tile_of(waits[0]));
    std::set<Tile> seen;
    for (const TileWait* wait = &waits[0]; wait;) {
        text += seen.empty() ? " waits for " : ", which waits for ";
        seen.insert(tile_of(*wait));
        if (!wait->writer)
            return text + wait->polls +
                   (wait->counts_packets ? ", which counts packets, and none is on its way"
                                         : ", which no other tile has written");
        const Tile next{wait->writer->column, wait->writer->row};
        text += tile_text(next);
        if (seen.contains(next)) return text;
        wait = wait_of(waits, next);
    }
    return text;
}

}  // namespace tessera::chip

namespace tessera {

std::string ChipRun::describe_waits() const {
    constexpr std::size_t most = 16;
    const bool is_deadlock = fault && fault->code == "deadlock";
    std::string text = waits.empty() ? "" : "between tiles\n";
    for (std::size_t i = 0; i < std::min(most, waits.size()); ++i) {
        const TileWait& wait = waits[i];
        const std::string at = fmt::format("{} polls {}, which {} 0x{:X}", name(wait.core), wait.polls,
                                           is_deadlock ? "stays" : "is still", wait.value);
        if (const auto& by = wait.writer)
            text += fmt::format("  tile ({}, {}) waits for tile ({}, {}): {}; written {} by {} there at 0x{:x}{}, cycle {}\n", wait.column,
                                wait.row, by->column, by->row, at, by->times == 1 ? "once" : fmt::format("{} times, last", by->times),
                                name(by->core), by->pc, by->place.empty() ? "" : fmt::format(" ({})", by->place), by->cycle);
        else
            text += fmt::format("  tile ({}, {}) waits: {}; {}\n", wait.column, wait.row, at,
                                !wait.counts_packets
                                    ? is_deadlock ? "no other tile has written it" : "no other tile has written it yet"
                                : is_deadlock ? "it counts packets, and none is on its way"
                                              : "it counts packets");
    }
    if (waits.size() > most) text += fmt::format("  and {} more\n", waits.size() - most);
    return text;
}

}  // namespace tessera

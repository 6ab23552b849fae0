// SPDX-License-Identifier: Apache-2.0
// One page of each tile goes once around the ring; every tile stores all of them in its own copy of the array.
#pragma once

#include "ring.hpp"

extern "C" {
// Arguments: the job sets them.
[[gnu::section(".arguments")]] volatile std::uint32_t array[3] = {};   // x and y of a DRAM tile, and where the pages of all tiles begin
[[gnu::section(".arguments")]] volatile std::uint32_t copies[3] = {};  // the same, of a copy for each tile
}

namespace kernel {

inline constexpr std::uint32_t page_bytes = 2048;

/// One of two directions: page n of a tile is the one of n tiles before it.
struct Direction {
    RingWords words;
    std::uint32_t slots;   ///< two pages of L1, at the same address in every tile
    Place after, before;   ///< where pages go, where they come from
    std::uint32_t column;  ///< of the array, which has two pages for each tile
};

/// `origin(n)`: the number of the tile that page n is of.
template <class Noc, class Origin>
void pass_around(Noc& noc, const InRing& ring, const Direction& way, Origin origin) {
    const auto slot = [&](std::uint32_t n) { return way.slots + n % 2 * page_bytes; };
    const auto page_of = [&](std::uint32_t tile) { return (2 * tile + way.column) * page_bytes; };
    const std::uint32_t copy = copies[2] + ring.number * 2 * ring.tiles * page_bytes;

    noc.read({array[0], array[1]}, array[2] + page_of(ring.number), slot(0), page_bytes);
    if (ring.tiles > 1) noc.increment(way.before, way.words.room, 1);  // for page 1
    noc.wait_reads();
    for (std::uint32_t n = 0; n < ring.tiles; ++n) {
        wait_for_word(way.words.arrived, n);
        const bool goes_on = n + 1 < ring.tiles;
        if (goes_on) {
            // Not into a slot whose page has not gone on from there. With one slot each tile would wait for its neighbour forever.
            wait_for_word(way.words.room, n + 1);
            noc.write(slot(n), way.after, slot(n + 1), page_bytes);
        }
        noc.write(slot(n), {copies[0], copies[1]}, copy + page_of(origin(n)), page_bytes);
        // Acknowledged: the page is there before the neighbour is told, and this slot may be overwritten.
        noc.wait_written();
        if (goes_on) noc.increment(way.after, way.words.arrived, 1);
        if (n + 2 < ring.tiles) noc.increment(way.before, way.words.room, 1);
    }
    noc.wait_increments();
}

}  // namespace kernel

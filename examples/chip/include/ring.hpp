// SPDX-License-Identifier: Apache-2.0
// The tiles of the grid as a ring, row after row. NoC 0 flows to the right and down, NoC 1 to the left and up: with this order a neighbour
// is one router away, but at the end of a row.
#pragma once

#include "grid.hpp"

namespace kernel {

/// The words of L1 by which two neighbours agree. The host has set them to 0 before any kernel begins: a neighbour may be first.
struct RingWords {
    std::uint32_t room;     ///< in the tile that sends: how many pages the other one has had room for, in all
    std::uint32_t arrived;  ///< in the tile that receives: how many pages have come
};

/// Of this tile.
struct InRing {
    std::uint32_t tiles, number;  ///< of the ring; of this tile in it
    Place next, previous;

    explicit InRing(Place here) : tiles(columns * rows) {
        const InGrid grid(here);
        number = grid.row * columns + grid.column;
        next = at_number(number + 1 == tiles ? 0 : number + 1);
        previous = at_number(number == 0 ? tiles - 1 : number - 1);
    }
    /// The number of the tile that is `steps` before this one, at most once around.
    std::uint32_t before(std::uint32_t steps) const { return number >= steps ? number - steps : number + tiles - steps; }
    std::uint32_t behind(std::uint32_t steps) const { return before(tiles - steps); }

private:
    static Place at_number(std::uint32_t number) { return {xs[number % columns], ys[number / columns]}; }
};

/// Waits until neighbours have made a word at least so large. Its line may be cached since the wait for another word.
inline void wait_for_word(std::uint32_t address, std::uint32_t least) {
    do forget_cached();
    while (at(address) < least);
}

}  // namespace kernel

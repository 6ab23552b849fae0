// SPDX-License-Identifier: Apache-2.0
// All-reduce on a ring, in rounds. In a round each tile has one page of each part of the array; there are as many parts as tiles.
//
// Part p begins at tile p. Each tile adds its own page of it and sends the sum on; behind the last one the sum is whole, and goes around once
// more as it is. Page m that a tile gets in a round (from 0) is a partial sum for all m below `tiles - 1`, a whole one behind.
#pragma once

#include "ring.hpp"

namespace kernel {

inline constexpr std::uint32_t page_bytes = 2048;
inline constexpr RingWords words{0x16300, 0x16304};

/// Circular buffers: partial sums of the tile before, own pages, their sums, and pages that go on as they are.
inline constexpr unsigned partial = 0, own = 1, sum = 2, unchanged = 3, buffers = 4, capacity = 2;
constexpr std::uint32_t buffer_begin(unsigned buffer) { return layout::pages + buffer * layout::pages_bytes; }

/// Where a page is in an array of all tiles: each has `rounds` rows of pages.
inline std::uint32_t page_offset(const InRing& ring, std::uint32_t rounds, std::uint32_t round, std::uint32_t part) {
    return ((ring.number * rounds + round) * ring.tiles + part) * page_bytes;
}

}  // namespace kernel

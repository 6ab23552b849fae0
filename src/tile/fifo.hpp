// SPDX-License-Identifier: Apache-2.0
// FIFOs among the words of a tile.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "state/tile.hpp"

namespace tessera::tile {

/// Takes the oldest word out of a FIFO with `entries` words from `first` on. It must hold at least one; `count` is how many it holds.
inline std::uint32_t take_oldest(state::Tile& tile, unsigned first, unsigned entries, std::uint32_t& count) {
    const auto words = std::span(tile.words).subspan(first, entries);
    const std::uint32_t oldest = std::exchange(words.front(), 0);
    std::rotate(words.begin(), words.begin() + 1, words.end());
    --count;
    return oldest;
}

}  // namespace tessera::tile

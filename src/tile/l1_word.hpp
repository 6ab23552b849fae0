// SPDX-License-Identifier: Apache-2.0
// A word of L1, for those who look at it from outside of the cores.
#pragma once

#include <cstring>

#include "state/l1.hpp"

namespace tessera::tile {

/// The word at an address; 0 outside of L1.
inline std::uint32_t l1_word(const state::L1& l1, std::uint32_t address) {
    std::uint32_t word = 0;
    if (l1.contains(address, sizeof word)) std::memcpy(&word, &l1.bytes[address], sizeof word);
    return word;
}

}  // namespace tessera::tile

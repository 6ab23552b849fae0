// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tessera::state {

/// An access of a RISC-V core to L1, within a word.
struct L1Access {
    std::uint64_t at = 0;       ///< cycle
    std::uint32_t address = 0;  ///< a multiple of `bytes`
    std::uint32_t pc = 0;       ///< of the instruction
    std::uint32_t before = 0;   ///< the bytes' value before a store, or what a load got
    std::uint8_t bytes = 4;     ///< 1, 2 or 4
    bool is_store = false;
    bool has_changed = false;  ///< the store has changed the bytes
    bool has_marked = false;   ///< the store is the first in its line since the last snapshot
};

}  // namespace tessera::state

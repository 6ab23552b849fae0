// SPDX-License-Identifier: Apache-2.0
// The log of a hart that acts apart from all others: its accesses to L1, which nobody has heard of yet, and its state before.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "riscv/hart.hpp"
#include "state/l1_access.hpp"

namespace tessera::riscv {

struct Apart {
    Apart() = default;
    Apart(Apart&&) = default;  // a copy's next_ would point to the other's accesses_
    Apart& operator=(Apart&&) = default;

    /// The hart executes at most so many instructions.
    static constexpr std::uint32_t most_instructions = 1024;

    /// Bytes on the way to L1, which harts share (L1Ports): a store, and those that merged with it.
    struct Block {
        Cycle at = 0;               ///< when its first store entered the queue
        std::uint32_t address = 0;  ///< of that store
        bool fills_last = false;    ///< meanwhile the block before has become full
    };
    /// A word of local memory, before a store.
    struct LocalWord {
        std::uint32_t offset = 0, before = 0;
    };

    std::vector<Block> blocks;     ///< in order
    bool fills_last = false;       ///< behind the last block: it has become full
    std::vector<LocalWord> local;  ///< in order of the stores
    std::uint64_t l1_changes = 0;  ///< how many stores have changed L1
    bool has_news = false;         ///< the hart has something to report beside accesses
    bool is_cut = false;           ///< the hart stopped where it would have gone on in a turn

    // Of the blocks that have been served.
    std::size_t served = 0;
    Cycle drained = 0;  ///< when the queue of stores becomes empty

    // Before.
    HartMemory hart;
    std::array<std::uint32_t, 32> x{};
    std::uint32_t pc = 0;
    std::uint64_t cycles = 0, retired = 0;
    state::L0 l0;

    /// In order.
    std::span<const state::L1Access> accesses() const { return {accesses_.data(), next_}; }
    void clear() {
        next_ = accesses_.data();
        served = 0;
        blocks.clear();
        local.clear();
        has_news = is_cut = false;
    }
    [[gnu::always_inline]] void loaded(const Access& access, std::uint32_t value) {
        *next_++ = {access.at, access.address, access.pc, value, access.bytes, false, false, false};
    }
    [[gnu::always_inline]] void stored(const Access& access, std::uint32_t before, bool has_changed, bool has_marked) {
        *next_++ = {access.at, access.address, access.pc, before, access.bytes, true, has_changed, has_marked};
    }

private:
    std::vector<state::L1Access> accesses_ = std::vector<state::L1Access>(most_instructions);
    state::L1Access* next_ = accesses_.data();
};

}  // namespace tessera::riscv

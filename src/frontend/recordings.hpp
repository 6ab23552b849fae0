// SPDX-License-Identifier: Apache-2.0
// The recordings that filled the slots of a thread's replay buffer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "state/cells.hpp"

namespace tessera::frontend {

class Recordings {
public:
    static constexpr unsigned slots = state::cells::replay_words;

    /// Notes that a REPLAY (its op and position in an expansion) records `count` words from slot `first` on.
    void record(unsigned first, unsigned count, std::int64_t index, std::int64_t position) {
        checked_ = 0;
        for (unsigned i = 0; i < count; ++i) slots_[(first + i) % slots] = {index, position, first, count};
    }

    /// Slots played from several recordings are fine, unless a later recording overwrote the middle of an earlier one.
    /// Returns then a slot of the earlier recording and a slot that it lost.
    std::optional<std::pair<unsigned, unsigned>> overwritten(unsigned first, unsigned count) {
        const std::uint64_t which = first << 8 | count;
        if (checked_ == which) return std::nullopt;
        const auto holds = [](const Recording& one, unsigned slot) {
            return (slot + slots - one.first) % slots < one.count;
        };
        const Recording* before = nullptr;
        for (unsigned i = 0; i < count; ++i) {
            const unsigned slot = (first + i) % slots;
            if (before && slots_[slot] == *before) continue;
            before = &slots_[slot];
            for (unsigned k = 0; k < count; ++k)
                if (const unsigned other = (first + k) % slots; slots_[other] != *before && holds(*before, other))
                    return std::pair(slot, other);
        }
        checked_ = which;
        return std::nullopt;
    }

private:
    struct Recording {
        std::int64_t index = -1, position = -1;
        unsigned first = 0, count = 0;
        friend bool operator==(const Recording&, const Recording&) = default;
    };
    std::array<Recording, slots> slots_{};
    std::uint64_t checked_ = 0;  ///< slots played last and found in order; 0: none
};

}  // namespace tessera::frontend

// SPDX-License-Identifier: Apache-2.0
// Which recordings the slots of a thread's replay buffer come from.
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

    /// A REPLAY, by its op and its place in an expansion, records `count` words from slot `first` on.
    void record(unsigned first, unsigned count, std::int64_t index, std::int64_t position) {
        checked_ = 0;
        for (unsigned i = 0; i < count; ++i) slots_[(first + i) % slots] = {index, position, first, count};
    }

    /// What is played may come from more than one recording, but not from one that another has taken the middle out of: then, a slot of it,
    /// and one that it does not have any more. Told once per recording.
    std::optional<std::pair<unsigned, unsigned>> overwritten(unsigned first, unsigned count) {
        const std::uint64_t which = first << 8 | count;
        if (checked_ == which) return std::nullopt;
        const auto holds = [](const Recording& one, unsigned slot) {
            return (slot + slots - one.first) % slots < one.count;
        };
        for (unsigned i = 0; i < count; ++i)
            for (unsigned k = 0; k < count; ++k) {
                const unsigned slot = (first + i) % slots, other = (first + k) % slots;
                if (slots_[slot] != slots_[other] && holds(slots_[slot], other)) return std::pair(slot, other);
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
    std::uint64_t checked_ = 0;  ///< the slots played last that are in order; 0: none
};

}  // namespace tessera::frontend

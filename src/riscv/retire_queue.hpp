// SPDX-License-Identifier: Apache-2.0
// Instructions retire in order from a short queue: what waits long for its result holds up the instruction that finds no room.
// Shorter waits never do, so only long ones are kept.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "riscv/bus.hpp"

namespace tessera::riscv {

class RetireQueue {
public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    static constexpr unsigned room = 8;

    /// The instruction with that number has its result at `ready`.
    void add(std::uint64_t number, Cycle ready) { entries_[(first_ + count_++) % room] = {number + room, ready}; }
    /// Number of the instruction that has to wait next.
    std::uint64_t next() const { return count_ ? entries_[first_].number : never; }
    /// Until when. It is then forgotten.
    Cycle take() {
        const Cycle ready = entries_[first_].ready;
        first_ = (first_ + 1) % room;
        --count_;
        return ready;
    }

private:
    struct Entry {
        std::uint64_t number = 0;
        Cycle ready = 0;
    };
    std::array<Entry, room> entries_{};
    unsigned first_ = 0, count_ = 0;
};

}  // namespace tessera::riscv

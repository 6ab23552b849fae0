// SPDX-License-Identifier: Apache-2.0
// Instructions retire in order from a short queue. A long-latency instruction stalls the instruction that finds the
// queue full. Short latencies never do, so only long ones are kept.
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

    /// Adds instruction `number`, whose result is ready at `ready`.
    void add(std::uint64_t number, Cycle ready) { entries_[(first_ + count_++) % room] = {number + room, ready}; }
    /// Number of the next instruction that stalls on a full queue.
    std::uint64_t next() const { return count_ ? entries_[first_].number : never; }
    /// Removes the entry and returns the end of the stall.
    Cycle take() {
        const Cycle ready = entries_[first_].ready;
        first_ = (first_ + 1) % room;
        --count_;
        return ready;
    }

    /// Instructions and cycles pass in which nothing else happens.
    void pass(std::uint64_t instructions, Cycle cycles) {
        for (Entry& entry : entries_) entry.number += instructions, entry.ready += cycles;
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

// SPDX-License-Identifier: Apache-2.0
// Timing of the store queue to L1. Memory itself is updated at once.
#pragma once

#include <algorithm>
#include <cstdint>

#include "riscv/bus.hpp"
#include "riscv/costs.hpp"
#include "riscv/l1_ports.hpp"

namespace tessera::riscv {

class StorePort {
public:
    /// Cycles within which a store may merge with the previous one; 0: never.
    void merge_within(std::uint32_t cycles) { window_ = cycles ? Cycle{cycles} + 1 : 0; }

    /// When a store enters the queue, and whether it merges with the previous one.
    struct Entry {
        Cycle at = 0;
        bool joins = false;
    };
    /// For a store that is ready at `now`: the first cycle with room.
    Entry earliest(const Costs& cost, std::uint32_t address, Cycle now) const {
        if (joins(address, now)) return {now, true};
        return {std::max(now, room_from(cost, drained_)), false};
    }

    /// The way to L1 that the store shares with those of other cores; null: with nobody's.
    struct Way {
        L1Ports* ports = nullptr;
        unsigned port = 0;
    };
    void accept(const Costs& cost, std::uint32_t address, unsigned bytes, const Entry& entry, const Way& way) {
        const std::uint32_t mask = ((1u << bytes) - 1) << address % block;
        if (entry.joins) {
            filled_ |= mask;
            if (is_full()) {
                drained_ -= saved_by_full(cost);
                open_ = none;
            }
        } else {
            filled_ = mask;
            open_ = address / block;
            const Cycle ready = std::max(drained_, entry.at);
            drained_ = way.ports ? way.ports->hold(way.port, address, ready, cost.l1_store.cycles)
                                 : ready + cost.l1_store.cycles;
        }
        address_ = address;
        at_ = entry.at;
    }

    /// When a queue that becomes empty at `drained` has room for an entry, if that is later than now.
    static Cycle room_from(const Costs& cost, Cycle drained) {
        const Cycle waiting = Cycle{cost.l1_store.cycles} * cost.store_queue.cycles;
        return drained > waiting ? drained - waiting : 0;
    }
    /// The last block is full.
    bool is_full() const { return filled_ == 0xFFFF; }
    /// A full block drains in one cycle: how much sooner.
    static Cycle saved_by_full(const Costs& cost) { return cost.l1_store.cycles - 1; }
    void set_drained(Cycle at) { drained_ = at; }
    /// The cycle in which the queue becomes empty.
    Cycle drained() const { return drained_; }

    /// Cycles pass with stores like those since `from`.
    void pass(Cycle from, Cycle cycles) {
        if (at_ < from) return;
        at_ += cycles;
        drained_ += cycles;
    }

private:
    static constexpr std::uint32_t block = 16, none = ~std::uint32_t{0};

    bool joins(std::uint32_t address, Cycle now) const {
        return address / block == open_ && now - at_ < window_ && address - address_ + 4 <= 8;
    }

    Cycle window_ = 0;           ///< a store merges with one of less than so many cycles before
    std::uint32_t open_ = none;  ///< the number of the block with which it may merge
    std::uint32_t address_ = 0;  ///< of the previous store
    std::uint32_t filled_ = 0;   ///< bytes written in its block
    Cycle at_ = 0, drained_ = 0;
};

}  // namespace tessera::riscv

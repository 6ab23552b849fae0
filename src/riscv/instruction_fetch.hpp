// SPDX-License-Identifier: Apache-2.0
// Time of instruction fetches: a cache of two ways in front of L1, and a prefetcher that follows the predicted path. The cache
// keeps only addresses; the instructions themselves come from L1.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "riscv/bus.hpp"
#include "riscv/costs.hpp"

namespace tessera::riscv {

class InstructionFetch {
public:
    static constexpr std::uint32_t line_bytes = 16;

    /// Empties the cache.
    void reset(const FetchCost& cost) {
        *this = {};
        sets_ = cost.cache_bytes / (line_bytes * ways);
        part_ = cost.lines;
        interval_ = cost.cycles;
    }

    /// The prefetcher was on a wrong path until this cycle: a branch was mispredicted.
    void redirect(Cycle now) { redirected_ = now; }

    /// The core goes on to the instruction at `pc`, in cycle `now` at the earliest. Returns the cycle in which it has the
    /// instruction.
    Cycle enter(std::uint32_t pc, Cycle now) {
        const std::uint32_t line = pc / line_bytes + 1;
        if (line == line_) return now;
        line_ = line;
        const Cycle redirected = std::exchange(redirected_, never);
        auto& [recent, other] = cached_[line & (sets_ - 1)];
        if (recent == line) return now;
        std::swap(recent, other);
        if (recent == line) return now;
        recent = line;
        ++misses_;
        // The prefetcher is at most one line ahead of the core. The cycle less is what the core lost by rounding.
        const std::uint64_t begin = now * part_, earliest = begin - std::min(begin, part_);
        arrival_ = redirected != never ? redirected * part_ + interval_ : std::max(arrival_ + interval_, earliest);
        return std::max(now, (arrival_ + part_ - 1) / part_);
    }

    /// Rounds of a loop pass in which no line is missing. What has happened since `from`, when the last one began, happens in each.
    void pass(Cycle from, Cycle cycles) {
        if (redirected_ != never && redirected_ > from) redirected_ += cycles;
    }

    /// How many lines were not in the cache.
    std::uint64_t misses() const { return misses_; }

private:
    static constexpr std::uint32_t ways = 2, most_sets = 128;
    static constexpr Cycle never = std::numeric_limits<Cycle>::max();

    std::uint32_t sets_ = 0;
    std::uint32_t line_ = 0;  ///< that the core executes
    Cycle redirected_ = never;  ///< at its next line
    /// Lines that are not in the cache arrive `interval_` apart, in parts of a cycle: 1 / `part_`.
    std::uint64_t interval_ = 0, part_ = 1;
    std::uint64_t arrival_ = 0;  ///< of the last line, in parts of a cycle
    std::uint64_t misses_ = 0;
    /// By set: numbers of its lines plus one, the recent one first.
    std::array<std::pair<std::uint32_t, std::uint32_t>, most_sets> cached_{};
};

}  // namespace tessera::riscv

// SPDX-License-Identifier: Apache-2.0
// The guard of a memoised plan: the bits that its resolve read.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "plan/seen.hpp"
#include "state/generations.hpp"

namespace tessera::units {

/// The bits that decide whether a memoised plan is valid. Bits of configuration have counters that rise when they are
/// written, so they are compared only then.
class PlanGuard {
public:
    /// Bits of two adjacent cells, compared at once.
    struct CellPair {
        std::uint16_t first = 0;
        std::uint64_t mask = 0;

        std::uint64_t of(const std::uint32_t* cells) const {
            std::uint64_t both;
            std::memcpy(&both, cells + first, sizeof both);
            return both & mask;
        }
    };

    /// `bits`: each cell once, in order.
    PlanGuard(std::vector<plan::CellBits> bits, const state::CellGroups& groups);
    /// Covers both.
    PlanGuard(const PlanGuard& a, const PlanGuard& b, const state::CellGroups& groups);

    /// Whether this guard has all bits of the other.
    bool covers(const PlanGuard& other) const;

    /// Bits that are compared each time.
    const std::vector<CellPair>& changing() const { return changing_; }
    /// Bits that are compared when one of counters() has changed.
    const std::vector<plan::CellBits>& config() const { return config_; }
    /// Indices of State::generations.
    const std::vector<std::uint8_t>& counters() const { return counters_; }

private:
    void add_changing(const plan::CellBits& bits);

    std::vector<plan::CellBits> deciding_;  ///< all bits, by cell
    std::vector<CellPair> changing_;
    std::vector<plan::CellBits> config_;
    std::vector<std::uint8_t> counters_;
};

}  // namespace tessera::units

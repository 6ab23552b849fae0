// SPDX-License-Identifier: Apache-2.0
// The captures and guards of resolves. Many words read the same bits and share them.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "plan/seen.hpp"
#include "state/state.hpp"
#include "units/plan_guard.hpp"
#include "units/reads.hpp"
#include "units/resolved.hpp"

namespace tessera::units {

/// The results of the reads of a resolve: its captures, and the guard of its plan.
struct ReadSet {
    /// Of summed-up reads; never 0.
    static std::uint64_t id_of(const Reads& reads) { return reads.sum | 1; }
    bool is_of(const Reads& reads) const { return captures->id == id_of(reads); }

    std::shared_ptr<const Captures> captures;
    PlanGuard guard;
};

/// The read sets met so far, by the hash of the reads.
class ReadSets {
public:
    /// The set of these reads, known or listed now. Call Reads::sum_up() before. Valid until clear().
    const ReadSet& of(const Reads& reads, const state::State& state);
    std::size_t size() const { return known_.size(); }
    void clear() { known_.clear(); }

private:
    /// Of list(), by cell; all 0 between its calls.
    struct Masks {
        std::uint32_t captured = 0, used = 0, deciding = 0;
    };
    using Bits = std::vector<plan::CellBits>;

    ReadSet list(const Reads& reads, const state::State& state);
    void collect(const Reads& reads, Captures& captures, Bits& deciding);
    void take_masks(Captures& captures, Bits& deciding);

    std::unordered_map<std::uint64_t, std::unique_ptr<ReadSet>> known_;
    std::vector<Masks> masks_;
};

}  // namespace tessera::units

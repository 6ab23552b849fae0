// SPDX-License-Identifier: Apache-2.0
// The captures and guards of resolves. Many words read the same bits and share them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plan/seen.hpp"
#include "state/state.hpp"
#include "units/plan_guard.hpp"
#include "units/reads.hpp"
#include "units/resolved.hpp"

namespace tessera::units {

/// The results of the reads of a resolve: its captures, and the guard of its plan.
class ReadSet {
public:
    const Captures& captures() const { return captures_; }
    /// Whether the set is of these reads, which must be summed up.
    bool is_of(const Reads& reads) const { return captures_.id == id_of(reads); }
    /// Valid as long as the set. Made when it is first asked for: most words are met once and have no memoised plan.
    const PlanGuard& guard(const state::State& state) const;

    /// Of summed-up reads; never 0.
    static std::uint64_t id_of(const Reads& reads) { return reads.sum | 1; }

private:
    friend class ReadSets;

    Captures captures_;
    mutable std::optional<PlanGuard> guard_;
};

/// The read sets met so far, by the hash of the reads.
class ReadSets {
public:
    /// The set of these reads, known or listed now. Call Reads::sum_up() before. Valid until clear().
    const ReadSet& of(const Reads& reads);
    /// The captures of one of these sets; they stay valid.
    std::shared_ptr<const Captures> share(const ReadSet& set) const { return {known_, &set.captures()}; }
    std::size_t size() const { return known_->sets.size(); }
    void clear() { known_ = std::make_shared<Known>(); }

private:
    /// Of list(), by cell; all 0 between its calls.
    struct Masks {
        std::uint32_t captured = 0, used = 0, deciding = 0;
    };
    /// All sets share one arena. Whoever holds captures holds it.
    struct Known {
        std::pmr::monotonic_buffer_resource memory;
        std::pmr::unordered_map<std::uint64_t, ReadSet> sets{&memory};
        std::array<std::pair<std::uint64_t, const ReadSet*>, 256> recent{};  ///< by hash: asked for not long ago
    };
    using Bits = std::vector<plan::CellBits>;
    /// Working memory of list(), which keeps its capacity.
    struct Lists {
        Bits bits, config, counted, places, deciding;
    };

    void list(const Reads& reads, Captures& made);
    void collect(const Reads& reads);
    void take_masks();

    std::shared_ptr<Known> known_ = std::make_shared<Known>();
    std::vector<Masks> masks_;
    Lists lists_;
};

}  // namespace tessera::units

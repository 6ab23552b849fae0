// SPDX-License-Identifier: Apache-2.0
// Writes since the last report, for RunOptions::on_write, with values read back from the state. Plans list the places.
// If a plan has only a bound, a cell counts as written when its value differs.
#pragma once

#include <span>
#include <vector>

#include "plan/plan.hpp"
#include "state/state.hpp"
#include "tessera/run.hpp"

namespace tessera::engine {

class Written {
public:
    explicit Written(const state::State& state) : state_(state) {}

    void add(state::Storage storage, std::uint32_t element);
    void add(state::Storage storage, std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) add(storage, first + i);
    }
    void add_effects(const plan::Plan& plan, plan::When when);
    /// The plan's work is about to be done. `anywhere`: it may write any place in L1.
    void watch(const plan::Plan& plan, bool anywhere);
    /// The work is done.
    void add_watched();

    bool empty() const { return elements_.empty(); }
    /// In order, without duplicates: effects and work may list the same place, and bounds overlap.
    std::span<const StateElement> in_order();
    /// In order of arrival.
    std::span<const StateElement> as_they_came() const { return elements_; }
    /// The writes were reported.
    void clear() { elements_.clear(); }

private:
    const state::State& state_;
    std::vector<StateElement> elements_;
    std::vector<plan::Access> watched_;  ///< places that the work may write
    bool watched_exact_ = true;
    std::vector<std::uint64_t> watched_values_;  ///< for bounds: values before the work
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// What has been written since somebody was told last, for RunOptions::on_write: read back from the state right after. What is written is what
// plans list; only where a plan knows no more than a bound, the state before and after decides.
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
    /// The plan's work is about to be done; `anywhere`: what it does to L1 is not known before, not even as a bound.
    void watch(const plan::Plan& plan, bool anywhere);
    /// It has been.
    void add_watched();

    bool empty() const { return elements_.empty(); }
    /// In order, each once: effects and work may list the same, and bounds overlap.
    std::span<const StateElement> in_order();
    /// As they came.
    std::span<const StateElement> as_they_came() const { return elements_; }
    /// Somebody has been told.
    void clear() { elements_.clear(); }

private:
    const state::State& state_;
    std::vector<StateElement> elements_;
    std::vector<plan::Access> watched_;  ///< what the work will write
    bool watched_exact_ = true;
    std::vector<std::uint64_t> watched_values_;  ///< where that is a bound, what is there before
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// Numbers the configurations in which a word was resolved, so that a lookup compares one number.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "state/state.hpp"
#include "units/plan_guard.hpp"

namespace tessera::units {

/// The settings of one word: the values that PlanGuard::config() has had, each with a number.
class WordSettings {
public:
    explicit WordSettings(std::pmr::memory_resource& memory) : generations_(&memory), known_(&memory) {}

    /// The present setting, after settle().
    std::uint32_t number() const { return number_; }
    /// Whether no configuration has been written since settle().
    bool is_settled(const state::State& state) const { return settled_at_ == state.configured; }
    /// Finds or adds the setting for the present configuration. False: there are too many. Clear and call again.
    /// `values` is working memory.
    bool settle(const PlanGuard& guard, const state::State& state, std::vector<std::uint32_t>& values);
    /// Forgets all settings; the next ones are of a guard with that many counters.
    void clear(std::size_t counters) {
        known_.clear();
        count_ = 0;
        generations_.assign(counters, ~0u);
        settled_at_ = never;
    }

private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    std::pmr::vector<std::uint32_t> generations_;  ///< of the guard's counters
    std::pmr::vector<std::uint32_t> known_;        ///< values of the guard's config(), one set after another
    std::uint32_t number_ = 0, count_ = 0;
    std::uint64_t settled_at_ = never;  ///< State::configured at the last settle()
};

}  // namespace tessera::units

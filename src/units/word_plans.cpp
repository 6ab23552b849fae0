// SPDX-License-Identifier: Apache-2.0
#include "units/word_plans.hpp"

#include <utility>

#include "util/golden_ratio.hpp"

namespace tessera::units {

const PlanRef& WordPlans::keep(PlanRef plan, const state::State& state, WordsCommon& common) {
    if (!settings_.is_settled(state)) settle(state, common);
    if (!common.is_looked_up) look_up(state, common);
    common.kept += put(common.hash, common.values.data(), std::move(plan));
    put_in_place(state);
    return plans_[last_].plan;
}

void WordPlans::cover(const ReadSet& reads, const state::State& state, WordsCommon& common) {
    latest_reads_ = &reads;
    const PlanGuard& guard = reads.guard(state);
    const bool first = !guard_, more = first || !guard_->covers(guard);
    const std::size_t places = reads.captures().places.size();
    if (!more && places <= most_places_) return;
    most_places_ = std::max(most_places_, places);
    if (first) {
        guard_ = &guard;
    } else if (more) {
        merged_ = std::make_unique<PlanGuard>(*guard_, guard, state::cell_groups(state.arch().arch));
        guard_ = merged_.get();
    }
    forget(common);
}

// Reads the present values that the plans depend on.
void WordPlans::look_up(const state::State& state, WordsCommon& common) const {
    const std::uint32_t* cells = state.all_cells().data();
    common.values.clear();
    common.values.push_back(settings_.number());
    std::uint64_t hash = settings_.number() + 1;
    for (const PlanGuard::CellPair& each : guard_->changing()) {
        const std::uint64_t value = each.of(cells);
        common.values.push_back(value);
        hash = (hash ^ value ^ value >> 31) * util::golden_ratio;
    }
    common.hash = hash ^ hash >> 31;
    common.is_looked_up = true;
}

// Replaces the plan with the same values, which could not be moved. Returns whether there was none.
bool WordPlans::put(std::uint64_t hash, const std::uint64_t* wanted, PlanRef plan) {
    const std::uint32_t known = plan_with(hash, wanted);
    const bool added = known == none;
    const std::uint32_t at = added ? static_cast<std::uint32_t>(plans_.size()) : known;
    if (!plans_.empty()) plans_[last_].next = at;
    last_ = at;
    if (!added) {
        plans_[at] = {std::move(plan), hash, plans_[at].next};
        return false;
    }
    plans_.push_back({std::move(plan), hash});
    values_.insert(values_.end(), wanted, wanted + width());
    placed_at_.resize(plans_.size() * most_places_);
    if (2 * plans_.size() > slots_.size() && plans_.size() > few) {
        slots_.assign(std::max<std::size_t>(4 * few, slots_.size() * 2), none);
        for (std::uint32_t i = 0; i < plans_.size(); ++i) slots_[slot(plans_[i].hash, values_of(i))] = i;
    } else if (!slots_.empty()) {
        slots_[slot(hash, wanted)] = at;
    }
    return true;
}

void WordPlans::forget(WordsCommon& common) {
    common.kept -= plans_.size();
    common.is_looked_up = false;
    plans_.clear();
    values_.clear();
    placed_at_.clear();
    slots_.clear();
    settings_.clear(guard_->counters().size());
    last_ = 0;
}

}  // namespace tessera::units

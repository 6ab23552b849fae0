// SPDX-License-Identifier: Apache-2.0
// The memoised plans of one word, found by the values of the bits that decide between them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "state/state.hpp"
#include "units/plan_guard.hpp"
#include "units/read_sets.hpp"
#include "units/resolve.hpp"
#include "units/resolved.hpp"
#include "units/search_pause.hpp"
#include "units/word_settings.hpp"
#include "units/words_common.hpp"

namespace tessera::units {

/// The plans of one word in one thread, by the values of all bits that any of them depends on. All its methods take
/// the same `common`.
class WordPlans {
public:
    explicit WordPlans(std::pmr::memory_resource& memory)
        : settings_(memory), plans_(&memory), values_(&memory), placed_at_(&memory), slots_(&memory) {}

    /// The plan for the present state, moved to its places; null if there is none. `again`: the thread has asked for
    /// it before, without issuing it. Valid until the next call.
    const PlanRef* find(const StateView& view, const state::State& state, bool again, WordsCommon& common);
    /// Memoises the plan for the present state. Its reads must be covered. Valid until the next call.
    const PlanRef& keep(PlanRef plan, const state::State& state, WordsCommon& common);

    /// The reads of the latest plan; null before the first.
    const ReadSet* latest_reads() const { return latest_reads_; }
    /// From now on the guard covers these reads, which must outlive the word. If it did not, the plans are forgotten.
    void cover(const ReadSet& reads, const state::State& state, WordsCommon& common);

    SearchPause& pause() { return pause_; }

private:
    static constexpr std::uint32_t none = ~0u;
    static constexpr std::size_t few = 4;  ///< plans that are searched without slots_

    struct Kept {
        PlanRef plan;
        std::uint64_t hash = 0;
        std::uint32_t next = 0;  ///< its successor the last time: loops repeat
        std::span<const plan::CellBits> places = plan->captures->places;
    };

    /// Makes the setting that of the present configuration. If there are too many settings, all plans are forgotten, and keep() settles.
    void settle(const state::State& state, WordsCommon& common) {
        if (!settings_.settle(*guard_, state, common.setting)) forget(common);
    }
    void look_up(const state::State& state, WordsCommon& common) const;
    bool put(std::uint64_t hash, const std::uint64_t* wanted, PlanRef plan);
    void forget(WordsCommon& common);

    std::size_t width() const { return guard_->changing().size() + 1; }
    const std::uint64_t* values_of(std::uint32_t plan) const { return values_.data() + plan * width(); }
    bool is_now(std::uint32_t plan, const std::uint32_t* cells) const {
        const std::uint64_t* wanted = values_of(plan);
        if (*wanted != settings_.number()) return false;
        for (const PlanGuard::CellPair& each : guard_->changing())
            if (each.of(cells) != *++wanted) return false;
        return true;
    }
    std::span<std::uint32_t> places_of_last() {
        return {placed_at_.data() + last_ * most_places_, plans_[last_].places.size()};
    }
    /// Whether the plan found last is for the present places.
    bool is_in_place(const state::State& state) {
        const std::uint32_t* at = placed_at_.data() + last_ * most_places_;
        for (const plan::CellBits& each : plans_[last_].places)
            if ((state[state::Cell(each.cell)] & each.mask) != *at++) return false;
        return true;
    }
    void put_in_place(const state::State& state) {
        std::uint32_t* at = placed_at_.data() + last_ * most_places_;
        for (const plan::CellBits& each : plans_[last_].places) *at++ = state[state::Cell(each.cell)] & each.mask;
    }
    bool has_values(std::uint32_t plan, std::uint64_t hash, const std::uint64_t* wanted) const {
        return plans_[plan].hash == hash && std::equal(wanted, wanted + width(), values_of(plan));
    }
    /// The slot of the plan with these values, or the free one for it.
    std::size_t slot(std::uint64_t hash, const std::uint64_t* wanted) const {
        std::size_t i = hash & (slots_.size() - 1);
        for (; slots_[i] != none; i = (i + 1) & (slots_.size() - 1))
            if (has_values(slots_[i], hash, wanted)) break;
        return i;
    }
    std::uint32_t plan_with(std::uint64_t hash, const std::uint64_t* wanted) const {
        if (!slots_.empty()) return slots_[slot(hash, wanted)];
        for (std::uint32_t i = 0; i < plans_.size(); ++i)
            if (has_values(i, hash, wanted)) return i;
        return none;
    }

    const ReadSet* latest_reads_ = nullptr;
    const PlanGuard* guard_ = nullptr;   ///< covers all reads of this word
    std::unique_ptr<PlanGuard> merged_;  ///< set if the reads differ
    std::size_t most_places_ = 0;        ///< largest number of Captures::places
    WordSettings settings_;
    std::pmr::vector<Kept> plans_;
    std::pmr::vector<std::uint64_t> values_;     ///< per plan: the setting, then the guard's changing()
    std::pmr::vector<std::uint32_t> placed_at_;  ///< per plan: values of its Captures::places, padded to most_places_
    std::pmr::vector<std::uint32_t> slots_;      ///< open addressing: plans, or none; a power of two, or empty
    std::uint32_t last_ = 0;                     ///< the plan found last
    SearchPause pause_;
};

inline const PlanRef* WordPlans::find(const StateView& view, const state::State& state, bool again,
                                      WordsCommon& common) {
    common.is_looked_up = false;
    if (plans_.empty()) return nullptr;
    if (!settings_.is_settled(state)) {
        settle(state, common);
        if (plans_.empty()) return nullptr;
    }
    const std::uint32_t* cells = state.all_cells().data();
    Kept& before = plans_[last_];
    if (!again || !is_now(last_, cells)) {
        if (!is_now(before.next, cells)) {
            look_up(state, common);
            const std::uint32_t found = plan_with(common.hash, common.values.data());
            if (found == none) return nullptr;
            before.next = found;
        }
        last_ = before.next;
    }
    PlanRef& plan = plans_[last_].plan;
    if (!is_in_place(state)) {
        Resolved& moved = plan.to_move();
        if (!move(view, places_of_last(), moved)) return nullptr;
        put_in_place(state);
    }
    return &plan;
}

}  // namespace tessera::units

// SPDX-License-Identifier: Apache-2.0
#include "units/plan_cache.hpp"

#include <bit>
#include <memory_resource>
#include <unordered_map>

#include "units/resolve.hpp"
#include "units/slot_tables.hpp"
#include "units/word_plans.hpp"
#include "util/golden_ratio.hpp"

namespace tessera::units {

namespace {

constexpr std::size_t most_kept = 4096;  // plans and words in all; then the cache is cleared

std::uint64_t key_of(std::uint32_t word, unsigned thread) { return std::uint64_t{thread + 1} << 32 | word; }

// In a table whose size is a power of two.
constexpr std::size_t place_of(std::uint64_t key, std::size_t size) {
    return (key * util::golden_ratio) >> (64 - std::countr_zero(size));
}

}  // namespace

/// All words share one arena: a word has several small vectors, and all are released together.
struct PlanCache::Known {
    std::pmr::monotonic_buffer_resource memory{std::size_t{1} << 14};
    std::pmr::unordered_map<std::uint64_t, WordPlans> words{&memory};  ///< by thread and word
};

PlanCache::PlanCache() : known_(std::make_unique<Known>()) {}
PlanCache::PlanCache(PlanCache&&) noexcept = default;
PlanCache& PlanCache::operator=(PlanCache&&) noexcept = default;
PlanCache::~PlanCache() = default;

void PlanCache::clear() {
    known_ = std::make_unique<Known>();
    recent_ = {};
    met_.reset();
    common_.kept = 0;
    read_sets_.clear();
}

void PlanCache::clear_if_full(const state::State& state, const CostTable& costs, SlotTables& slots) {
    if (costs_ == &costs && maps_dst_ == state.maps_dst && common_.kept < most_kept &&
        known_->words.size() < most_kept && read_sets_.size() < most_kept)
        return;
    clear();
    slots.plans_forgotten();
    costs_ = &costs;
    maps_dst_ = state.maps_dst;
}

bool PlanCache::is_new(std::uint32_t word, unsigned thread) {
    auto met = met_[place_of(key_of(word, thread), met_.size())];
    if (met) return false;
    met = true;
    return true;
}

inline WordPlans& PlanCache::word_of(std::uint32_t word, unsigned thread) {
    const std::uint64_t key = key_of(word, thread);
    auto& recent = recent_[place_of(key, recent_.size())];
    if (recent.first == key) return *recent.second;
    WordPlans& known = known_->words.try_emplace(key, known_->memory).first->second;
    recent = {key, &known};
    return known;
}

// The read set of the resolve whose reads are in reads_. From now on the word's guard covers it.
const ReadSet& PlanCache::cover_reads(WordPlans& word, const state::State& state) {
    reads_.sum_up();
    if (const ReadSet* latest = word.latest_reads(); latest && latest->is_of(reads_)) return *latest;
    const ReadSet& reads = read_sets_.of(reads_, state);
    word.cover(reads, state, common_);
    return reads;
}

// A plan that is not memoised; with captures, if the view notes its reads.
const PlanRef& PlanCache::make_once(const StateView& view, const state::State& state) {
    ++counts_.made;
    PlanRef& made = place_for_once();
    Resolved& resolved = made.renew();
    units::resolve(view, resolved.plan);
    if (view.reads()) {
        reads_.sum_up();
        resolved.captures = read_sets_.of(reads_, state).captures;
    }
    resolved.derive();
    return made;
}

const PlanRef& PlanCache::make(WordPlans& word, const state::State& state, const StateView& view, bool keeps) {
    ++counts_.made;
    auto* resolved = new Resolved;
    PlanRef plan(*resolved);
    reads_.clear();
    units::resolve(StateView(view, reads_), resolved->plan);
    resolved->captures = cover_reads(word, state).captures;
    resolved->derive();
    if (!keeps || reads_.memory || resolved->plan.fault) return place_for_once() = std::move(plan);
    word.pause().count_kept();
    return word.keep(std::move(plan), state, common_);
}

const PlanRef& PlanCache::resolve(const isa::Instruction& instruction, unsigned thread, const state::State& state,
                                  const CostTable& costs, SlotTables& slots, bool again) {
    clear_if_full(state, costs, slots);
    const StateView view(instruction, thread, state, costs, &slots);
    if (!is_new(instruction.word, thread)) return resolve_met(view, state, again);
    reads_.clear();
    return make_once(StateView(view, reads_), state);
}

const PlanRef& PlanCache::resolve_only(const isa::Instruction& instruction, unsigned thread, const state::State& state,
                                       const CostTable& costs, SlotTables& slots, bool again) {
    clear_if_full(state, costs, slots);
    const StateView view(instruction, thread, state, costs, &slots);
    return is_new(instruction.word, thread) ? make_once(view, state) : resolve_met(view, state, again);
}

const PlanRef& PlanCache::resolve_met(const StateView& view, const state::State& state, bool again) {
    WordPlans& word = word_of(view.instruction.word, view.thread);
    const bool searches = word.pause().is_over();
    const PlanRef* found = searches ? word.find(view, state, again, common_) : nullptr;
    if (!found) return make(word, state, view, searches);
    ++counts_.found;
    word.pause().count_found();
    return *found;
}

}  // namespace tessera::units

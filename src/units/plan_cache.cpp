// SPDX-License-Identifier: Apache-2.0
#include "units/plan_cache.hpp"

#include <algorithm>
#include <bit>
#include <memory_resource>
#include <unordered_map>
#include <utility>

#include "units/resolve.hpp"
#include "units/slot_tables.hpp"
#include "units/word_plans.hpp"
#include "util/golden_ratio.hpp"

namespace tessera::units {

namespace {

constexpr std::size_t most_kept = 4096;  // plans and words in all

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
    for (auto& words : met_) words.reset();
    common_.kept = 0;
    read_sets_.clear();
    is_full_ = is_outlived_ = false;
}

// Call it when something may have been added. The cache is cleared at the next resolve, since the caller still uses the plan.
inline void PlanCache::note_size() {
    if (std::max({common_.kept, known_->words.size(), read_sets_.size()}) >= most_kept) [[unlikely]]
        note_full();
    else
        is_full_ = false;
}

// A program with more words than that still finds what is kept of it. If most lookups fail, other words run by now. Some may do so for
// long: then, too, they get their turn.
void PlanCache::note_full() {
    if (!std::exchange(is_full_, true)) full_since_ = counts_;
    const std::uint64_t made = counts_.made - full_since_.made, found = counts_.found - full_since_.found;
    const bool serves = made < most_kept || (found >= made && made < 4 * most_kept);
    is_outlived_ = !serves || read_sets_.size() >= most_kept;
}

inline void PlanCache::clear_if_outlived(const state::State& state, const CostTable& costs, SlotTables& slots) {
    if (costs_ != &costs || maps_dst_ != state.maps_dst || is_outlived_) [[unlikely]] clear_for(state, costs, slots);
}

void PlanCache::clear_for(const state::State& state, const CostTable& costs, SlotTables& slots) {
    if (counts_.made) clear();  // a new cache has nothing, and its tables need not be touched
    slots.plans_forgotten();
    costs_ = &costs;
    maps_dst_ = state.maps_dst;
}

// Whether the word has been met fewer times than that. It is met now.
inline bool PlanCache::is_new(std::uint64_t key, unsigned times) {
    for (unsigned i = 0; i < times; ++i) {
        auto met = met_[i][place_of(key, met_[i].size())];
        if (!met) return met = true;
    }
    return false;
}

// The plans of a word that has been looked up not long ago; null: not known here.
inline WordPlans* PlanCache::recent(std::uint64_t key) const {
    const auto& [of, plans] = recent_[place_of(key, recent_.size())];
    return of == key ? plans : nullptr;
}

// Of a word that has been met before, but not lately. Null: there was no room for it.
WordPlans* PlanCache::met_before(std::uint64_t key) {
    auto& words = known_->words;
    const auto at = is_full_ ? words.find(key) : words.try_emplace(key, known_->memory).first;
    if (at == words.end()) return nullptr;
    recent_[place_of(key, recent_.size())] = {key, &at->second};
    return &at->second;
}

// Null: the word is new, or there was no room for it.
inline WordPlans* PlanCache::met(std::uint64_t key, unsigned times) {
    if (WordPlans* const word = recent(key)) return word;
    return is_new(key, times) ? nullptr : met_before(key);
}

// The read set of the resolve whose reads are in reads_. From now on the word's guard covers it.
const ReadSet& PlanCache::cover_reads(WordPlans& word, const state::State& state) {
    reads_.sum_up();
    if (const ReadSet* latest = word.latest_reads(); latest && latest->is_of(reads_)) return *latest;
    const ReadSet& reads = read_sets_.of(reads_);
    word.cover(reads, state, common_);
    return reads;
}

// A plan that is not memoised; with captures, if the view notes its reads.
const PlanRef& PlanCache::make_once(const StateView& view) {
    ++counts_.made;
    PlanRef& made = place_for_once();
    Resolved& resolved = made.renew();
    units::resolve(view, resolved.plan);
    if (view.reads()) {
        reads_.sum_up();
        resolved.captures = read_sets_.share(read_sets_.of(reads_));
    }
    resolved.derive();
    note_size();
    return made;
}

const PlanRef& PlanCache::make(WordPlans& word, const state::State& state, StateView& view, bool keeps) {
    ++counts_.made;
    auto* resolved = new Resolved;
    PlanRef plan(*resolved);
    reads_.clear();
    view.note_in(reads_);
    units::resolve(view, resolved->plan);
    resolved->captures = read_sets_.share(cover_reads(word, state));
    resolved->derive();
    keeps = keeps && !is_full_ && !reads_.memory && !resolved->plan.fault;
    if (keeps) word.pause().count_kept();
    const PlanRef& made = keeps ? word.keep(std::move(plan), state, common_) : (place_for_once() = std::move(plan));
    note_size();
    return made;
}

inline const PlanRef& PlanCache::resolve_met(WordPlans& word, StateView& view, const state::State& state, bool again) {
    const PlanRef* const found = word.find(view, state, again, common_);
    if (!found) return make(word, state, view, true);
    ++counts_.found;
    word.pause().count_found();
    return *found;
}

const PlanRef& PlanCache::resolve(const isa::Instruction& instruction, unsigned thread, const state::State& state,
                                  const CostTable& costs, SlotTables& slots, bool again) {
    clear_if_outlived(state, costs, slots);
    StateView view(instruction, thread, state, costs, &slots);
    const std::uint64_t key = key_of(instruction.word, thread);
    if (WordPlans* const word = met(key, 1))
        return word->pause().is_over() ? resolve_met(*word, view, state, again) : make(*word, state, view, false);
    reads_.clear();
    view.note_in(reads_);
    return make_once(view);
}

const PlanRef& PlanCache::resolve_only(const isa::Instruction& instruction, unsigned thread, const state::State& state,
                                       const CostTable& costs, SlotTables& slots, bool again) {
    clear_if_outlived(state, costs, slots);
    StateView view(instruction, thread, state, costs, &slots);
    const std::uint64_t key = key_of(instruction.word, thread);
    WordPlans* const word = met(key, 2);
    if (!word || !word->pause().is_over()) return make_once(view);
    return resolve_met(*word, view, state, again);
}

}  // namespace tessera::units

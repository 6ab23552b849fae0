// SPDX-License-Identifier: Apache-2.0
// Memoises plans. The bits that its resolve read are a plan's guard (plan_guard.hpp): while they have the same values,
// the same word has the same plan, so a loop resolves each instruction once. word_plans.hpp has the plans of a word.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <utility>

#include "units/read_sets.hpp"
#include "units/reads.hpp"
#include "units/resolved.hpp"
#include "units/words_common.hpp"

namespace tessera::units {

struct CostTable;
class StateView;
class SlotTables;
class WordPlans;

/// The memoised plans of all words of one core. A full cache takes nothing more. It is cleared when it no longer serves, and
/// when the costs or State::maps_dst change.
class PlanCache {
public:
    PlanCache();
    PlanCache(PlanCache&&) noexcept;
    PlanCache& operator=(PlanCache&&) noexcept;
    ~PlanCache();

    /// The plan of an instruction that a thread issues, memoised or resolved now. Valid until the next call. `again`:
    /// the thread has asked for it before, without issuing it. When the cache is cleared, `slots` are notified. A word
    /// met for the first time is not memoised: most words of a straight-line program are never met again.
    const PlanRef& resolve(const isa::Instruction& instruction, unsigned thread, const state::State& state,
                           const CostTable& costs, SlotTables& slots, bool again = false);
    /// The same for a run that asks for no captures: a plan that is not memoised has none. To note what a resolve read is a third of it, and
    /// to memoise it takes twice as much again. So only a word met for the third time is.
    const PlanRef& resolve_only(const isa::Instruction& instruction, unsigned thread, const state::State& state,
                                const CostTable& costs, SlotTables& slots, bool again = false);

    /// A new number for a run, or for one that continues from an earlier state.
    std::uint64_t begin_run() { return ++runs_; }

    struct Counts {
        std::uint64_t found = 0, made = 0, followed = 0;
    };
    const Counts& counts() const { return counts_; }
    /// Counts plans found by TraceCache, without a lookup here.
    void count_followed(std::size_t plans) {
        counts_.found += plans;
        counts_.followed += plans;
    }

private:
    void clear();
    void clear_if_outlived(const state::State& state, const CostTable& costs, SlotTables& slots);
    void clear_for(const state::State& state, const CostTable& costs, SlotTables& slots);
    void note_size();
    void note_full();
    // A key stands for a word in a thread.
    bool is_new(std::uint64_t key, unsigned times);
    WordPlans* recent(std::uint64_t key) const;
    WordPlans* met(std::uint64_t key, unsigned times);
    WordPlans* met_before(std::uint64_t key);
    const ReadSet& cover_reads(WordPlans& word, const state::State& state);
    const PlanRef& make_once(const StateView& view);
    const PlanRef& resolve_met(WordPlans& word, StateView& view, const state::State& state, bool again);
    const PlanRef& make(WordPlans& word, const state::State& state, StateView& view, bool keeps);
    /// A place for a plan that is not memoised.
    PlanRef& place_for_once() { return once_[next_once_++ % once_.size()]; }

    struct Known;
    std::unique_ptr<Known> known_;
    std::array<std::pair<std::uint64_t, WordPlans*>, 512> recent_{};  ///< of known_->words, by a hash
    /// Words met once, and twice. By a hash: a word may count as met before it is.
    std::array<std::bitset<std::size_t{1} << 15>, 2> met_;
    WordsCommon common_;
    std::uint64_t runs_ = 0;
    std::array<PlanRef, 16> once_;  ///< the last plans that are not memoised
    std::size_t next_once_ = 0;     ///< the next place in `once_`
    const CostTable* costs_ = nullptr;
    bool maps_dst_ = false;
    bool is_full_ = false, is_outlived_ = false;  ///< full: nothing is added; outlived: the next resolve clears it
    Reads reads_;
    ReadSets read_sets_;
    Counts counts_, full_since_;
};

}  // namespace tessera::units

// SPDX-License-Identifier: Apache-2.0
// Memoises plans. The bits that its resolve read are a plan's guard: while they have the same values, the same word
// has the same plan, so a loop resolves each instruction once.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "state/generations.hpp"
#include "units/reads.hpp"
#include "units/resolved.hpp"

namespace tessera::units {

struct CostTable;
class StateView;
class SlotTables;

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
    /// The same for a run that asks for no captures: a word met for the first time has none. To note what a resolve
    /// read is a third of it.
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
    struct Guard;
    struct GuardSet;
    struct Word;

    void clear();
    void clear_if_full(const state::State& state, const CostTable& costs, SlotTables& slots);
    bool is_new(std::uint32_t word, unsigned thread);
    Word& word_of(std::uint32_t word, unsigned thread);
    void settle(Word& word, const state::State& state);
    std::uint64_t look_up(const Word& word, const state::State& state);
    const PlanRef* find(Word& word, const StateView& view, const state::State& state, bool again);
    const PlanRef& make_once(const StateView& view, const state::State& state);
    const PlanRef& resolve_met(const StateView& view, const state::State& state, bool again);
    const PlanRef& make(Word& word, const state::State& state, const StateView& view, bool keeps);
    GuardSet list_guards(const state::State& state);
    const GuardSet& guards(const state::State& state);
    const GuardSet& guards_of(Word& word, const state::State& state);
    /// A place for a plan that is not memoised.
    PlanRef& place_for_once() { return once_[next_once_++ % once_.size()]; }
    const PlanRef& keep(Word& word, const state::State& state, PlanRef plan);

    struct Known;
    std::unique_ptr<Known> known_;
    std::array<std::pair<std::uint64_t, Word*>, 512> recent_{};  ///< of known_->words, by a hash
    std::bitset<std::size_t{1} << 15> met_;                      ///< by a hash: a word may count as met before it is
    std::size_t kept_ = 0;
    std::uint64_t runs_ = 0;
    std::array<PlanRef, 16> once_;  ///< the last plans that are not memoised
    std::size_t next_once_ = 0;     ///< the next place in `once_`
    const CostTable* costs_ = nullptr;
    bool movers_map_dst_ = false;
    Reads reads_;
    std::vector<std::uint64_t> values_;
    std::vector<std::uint32_t> setting_;
    /// Of list_guards(), by cell; all 0 between its calls.
    struct Masks {
        std::uint32_t captured = 0, used = 0, deciding = 0;
    };
    std::vector<Masks> masks_;
    Counts counts_;
};

}  // namespace tessera::units

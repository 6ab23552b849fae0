// SPDX-License-Identifier: Apache-2.0
// Plans that are found again. A plan is decided by what its resolve looked at, so it is the plan of the next same word, too, if
// those bits have the same values: loops are resolved once. Beside the plan stands what follows from it alone.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plan/plan.hpp"
#include "state/generations.hpp"
#include "units/reads.hpp"

namespace tessera::units {

struct CostTable;
class Look;
struct Slots;

/// Which bits an instruction captures: those that its resolve looked at, remarks apart. Many plans share one.
struct Captures {
    std::uint64_t id = 0;                                 ///< never that of others, nor 0
    std::vector<plan::CellBits> bits;                     ///< each cell once, in the order of the first look
    std::vector<plan::CellBits> config;                   ///< those of backend configuration, by cell
    std::bitset<state::cells::gpr_block.end()> storable;  ///< cells among them that a core can store to
    std::vector<plan::CellBits> counted;                  ///< those of Look::count(): their values decide nothing
    std::vector<state::Cell> remarked;                    ///< cells that decided about remarks alone
    std::vector<plan::CellBits> places;                   ///< those of Look::place() and count(): where they differ the plan can be moved
    bool contents = false;                                ///< something else than cells decided, too (Look::contents())
};

/// A plan, and what follows from it.
struct Resolved {
    plan::Plan plan;
    std::shared_ptr<const Captures> captures;  ///< null: nobody has asked
    std::vector<plan::Access> accesses;        ///< of its work, first those that are to be in order
    std::size_t in_order = 0;                  ///< so many: of SrcA, SrcB, Dst (each block once) and L1
    bool exact = true;                         ///< false: `accesses` is a bound
    bool has_work = false;
    bool meets_dst = false;       ///< the work writes rows of Dst, clears or packs them
    bool writes_config = false;   ///< backend configuration, by an effect or by its work
    bool uses_config = false;     ///< that, or captures it; nothing in the sync unit does
    bool brings_only = false;     ///< an UNPACR to a bank of a source that it does not hand over
    bool writes_late = false;     ///< configuration or GPRs, when it ends, where others may come before that
    std::uint8_t hands_over = 0;  ///< a bit per bank (source * 2 + bank) that changes hands when it ends
    std::uint8_t flips = 0;       ///< a bit per source of which the matrix unit goes on with the other bank
    std::uint8_t moments = 0;     ///< a bit per plan::When that has an effect
    bool plain = false;           ///< executes at once and for a fixed time, behind which it changes nothing
    bool unnoticed = false;       ///< that, and nothing that it does is awaited or captured by others, nor to be told:
                                  ///< the front end (FrontEnds::issue_unnoticed()) leaves out what such a one does not need

    /// To be called when the plan has changed.
    void derive();
    /// The work writes (or reads, too) these bytes of L1 elsewhere. False: they are not told apart, and derive() is to follow.
    bool move_l1(std::uint32_t from, std::uint32_t bytes, std::uint32_t to);
    /// All that the work does in L1 it does so many bytes further on.
    void shift_l1(std::uint32_t bytes);
    std::span<const plan::Access> ordered() const { return {accesses.data(), in_order}; }
    bool has(plan::When when) const { return moments >> static_cast<unsigned>(when) & 1; }

    /// The run (KeptPlans::begin_run) in which all that it reads was found to have been written once.
    mutable std::uint64_t reads_written_in = 0;
    /// The run, and a version of what Dst holds in it (checks::DstContents), in which its work was found to change nothing of that, or to
    /// take it for what it is.
    struct DstKnown {
        std::uint64_t run = 0, version = 0;
    };
    mutable DstKnown dst_known;

    // Of Stretches: where it has those that came behind it, counted from 1; how often one might have begun, and has in vain.
    mutable std::uint32_t stretches = 0;
    mutable std::uint8_t followed = 0, in_vain = 0;

private:
    friend class PlanRef;
    std::uint32_t holders_ = 0;
};

/// Holds a resolved instruction, which others may share; a copy has one of its own, so that copies can go to other threads.
class PlanRef {
public:
    PlanRef() = default;
    explicit PlanRef(Resolved& shared) : held_(&shared) { ++held_->holders_; }
    PlanRef(const PlanRef& other) : PlanRef(other.held_ ? PlanRef(*own(*other.held_)) : PlanRef()) {}
    PlanRef(PlanRef&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
    PlanRef& operator=(PlanRef other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    ~PlanRef() { release(); }

    static PlanRef of(const plan::Plan& plan);
    /// The same one, for another holder of this thread.
    PlanRef share() const { return PlanRef(*held_); }
    explicit operator bool() const { return held_; }
    const Resolved& operator*() const { return *held_; }
    const Resolved* operator->() const { return held_; }
    /// For a change: nobody else sees it. derive() is to follow.
    Resolved& alone();
    void release() {
        if (held_ && --held_->holders_ == 0) delete held_;
        held_ = nullptr;
    }

private:
    static Resolved* own(const Resolved& other);
    Resolved* held_ = nullptr;
};

class KeptPlans {
public:
    KeptPlans();
    KeptPlans(KeptPlans&&) noexcept;
    KeptPlans& operator=(KeptPlans&&) noexcept;
    ~KeptPlans();

    /// The plan of an instruction that a thread issues: a kept one, or resolved now. It may be another one after the next call. `again`: the
    /// thread has asked for it before, and has not issued it.
    const PlanRef& resolve(const isa::Instruction& instruction, unsigned thread, const state::State& state,
                           const CostTable& costs, Slots& slots, bool again = false);

    /// A number of its own for what is a run, or goes on from an earlier state.
    std::uint64_t begin_run() { return ++runs_; }

    struct Counts {
        std::uint64_t found = 0, made = 0, followed = 0;
    };
    const Counts& counts() const { return counts_; }
    /// So many were found without being looked for (Stretches).
    void count_followed(std::size_t plans) {
        counts_.found += plans;
        counts_.followed += plans;
    }

private:
    struct Guard;
    struct Looks;
    struct Word;

    void clear();
    Word& word_of(std::uint32_t word, unsigned thread);
    void settle(Word& word, const state::State& state);
    std::uint64_t look_up(const Word& word, const state::State& state);
    const PlanRef* find(Word& word, const Look& look, const state::State& state, bool again);
    const PlanRef& make(Word& word, const state::State& state, const Look& look, bool keeps);
    Looks list_looks(const state::State& state);
    const Looks& looks_of(Word& word, const state::State& state);
    const PlanRef& keep(Word& word, const state::State& state, PlanRef plan);

    std::unordered_map<std::uint64_t, std::unique_ptr<Word>> words_;   ///< by thread and word
    std::unordered_map<std::uint64_t, std::unique_ptr<Looks>> looks_;  ///< by the sum of the reads: many words look at the same
    std::array<std::pair<std::uint64_t, Word*>, 512> recent_{};        ///< of words_, by a hash
    std::size_t kept_ = 0;
    std::uint64_t runs_ = 0;
    PlanRef made_;  ///< the last one that is not kept
    const CostTable* costs_ = nullptr;
    bool movers_map_dst_ = false;
    Reads reads_;
    std::vector<std::uint64_t> values_;
    std::vector<std::uint32_t> setting_;
    /// Of list_looks(), by cell; 0 between two of them.
    struct Masks {
        std::uint32_t captured = 0, used = 0, deciding = 0;
    };
    std::vector<Masks> masks_;
    Counts counts_;
};

}  // namespace tessera::units

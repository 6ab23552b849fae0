// SPDX-License-Identifier: Apache-2.0
// A plan, and what follows from it alone.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "plan/plan.hpp"
#include "plan/seen.hpp"
#include "state/cells.hpp"

namespace tessera::units {

/// Which bits an instruction captures: those that its resolve looked at, remarks apart. Many plans share one.
struct Captures {
    std::uint64_t id = 0;                                 ///< never that of others, nor 0
    std::vector<plan::CellBits> bits;                     ///< each cell once, in the order of the first look
    std::vector<plan::CellBits> config;                   ///< those of backend configuration, by cell
    std::bitset<state::cells::gpr_block.end()> storable;  ///< cells among them that a core can store to
    std::vector<plan::CellBits> counted;                  ///< those of StateView::count(): their values decide nothing
    std::vector<state::Cell> remarked;                    ///< cells that decided about remarks alone
    std::vector<plan::CellBits>
        places;             ///< those of StateView::place() and count(): where they differ the plan can be moved
    bool contents = false;  ///< something else than cells decided, too (StateView::contents())
};

/// A plan, and what follows from it.
struct Resolved {
    plan::Plan plan;
    std::shared_ptr<const Captures> captures;  ///< null: nobody has asked
    bool has_work = false;
    bool writes_config = false;   ///< backend configuration, by an effect or by its work
    bool uses_config = false;     ///< that, or captures it; nothing in the sync unit does
    bool writes_late = false;     ///< configuration or GPRs, when it ends, where others may come before that
    std::uint8_t hands_over = 0;  ///< a bit per bank (source * 2 + bank) that changes hands when it ends
    std::uint8_t flips = 0;       ///< a bit per source of which the matrix unit goes on with the other bank
    std::uint8_t moments = 0;     ///< a bit per plan::When that has an effect
    bool plain = false;           ///< executes at once and for a fixed time, behind which it changes nothing
    bool unnoticed = false;       ///< that, and nothing that it does is awaited or captured by others, nor to be told:
        ///< the front end (FrontEnds::issue_unnoticed()) leaves out what such a one does not need

    /// To be called when the plan has changed.
    void derive();
    /// What its work accesses. Only those ask who look for hazards, so it is found out when somebody does.
    struct Work {
        std::vector<plan::Access> accesses;  ///< first those that are to be in order
        std::size_t in_order = 0;            ///< so many: of SrcA, SrcB, Dst (each block once) and L1
        bool exact = true;                   ///< false: `accesses` is a bound
        bool meets_dst = false;              ///< it writes rows of Dst, clears or packs them
        bool brings_only = false;            ///< an UNPACR to a bank of a source that it does not hand over
        bool known = false;

        std::span<const plan::Access> ordered() const { return {accesses.data(), in_order}; }
    };
    const Work& work() const {
        if (!work_.known) list_work();
        return work_;
    }
    /// The work writes (or reads, too) these bytes of L1 elsewhere. False: they are not told apart, and derive() is to follow.
    bool move_l1(std::uint32_t from, std::uint32_t bytes, std::uint32_t to);
    /// All that the work does in L1 it does so many bytes further on.
    void shift_l1(std::uint32_t bytes);
    bool has(plan::When when) const { return moments >> static_cast<unsigned>(when) & 1; }

    /// The run (PlanCache::begin_run) in which all that it reads was found to have been written once.
    mutable std::uint64_t reads_written_in = 0;
    /// The run, and a version of what Dst holds in it (checks::DstContents), in which its work was found to change nothing of that, or to
    /// take it for what it is.
    struct DstKnown {
        std::uint64_t run = 0, version = 0;
    };
    mutable DstKnown dst_known;

    // Of TraceCache: where it has those that came behind it, counted from 1; how often one might have begun, and has in vain.
    mutable std::uint32_t traces = 0;
    mutable std::uint8_t followed = 0, in_vain = 0;

private:
    friend class PlanRef;
    void list_work() const;

    mutable Work work_;
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

}  // namespace tessera::units

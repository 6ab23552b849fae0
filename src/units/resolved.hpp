// SPDX-License-Identifier: Apache-2.0
// A plan with the facts that follow from it alone.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "plan/plan.hpp"
#include "plan/seen.hpp"
#include "state/cells.hpp"
#include "units/register_use.hpp"

namespace tessera::units {

using CellsThatCoresStore = std::bitset<state::cells::gpr_block.end()>;

/// The bits that an instruction captures: those that its resolve read, without remarks. Shared by many plans; the lists are in
/// the memory of ReadSets.
struct Captures {
    using Bits = std::span<const plan::CellBits>;

    std::uint64_t id = 0;               ///< unique, and never 0
    Bits bits;                          ///< each cell once, by its first read
    Bits deciding;                      ///< those that decide which plan it is, with those of remarks
    Bits config;                        ///< those of backend configuration, by cell
    Bits counted;                       ///< those of StateView::count(): their values decide nothing
    Bits places;                        ///< of StateView::place() and count(): if they differ, the plan can be moved
    CellsThatCoresStore storable;       ///< cells among them that a core can store to
    std::vector<state::Cell> remarked;  ///< cells that decide only about remarks
    bool contents = false;              ///< depends on more than cells (StateView::contents())
};

/// A plan with derived facts.
struct Resolved {
    plan::Plan plan;
    std::shared_ptr<const Captures> captures;  ///< null: not requested
    bool has_work = false;
    bool reaches_memory = false;  ///< has work that reads or writes L1, SrcA, SrcB or Dst
    bool writes_config = false;   ///< backend configuration, by an effect or the work
    bool uses_config = false;     ///< writes or captures it; never set in the sync unit
    bool writes_late = false;     ///< writes configuration or GPRs at its end; later instructions may come first
    std::uint8_t hands_over = 0;  ///< a bit per bank (source * 2 + bank) handed over at its end
    std::uint8_t flips = 0;       ///< a bit per source whose bank the matrix unit switches
    std::uint8_t moments = 0;     ///< a bit per plan::When that has an effect
    bool has_roles = false;       ///< an effect is on a cell with a role (state/cell_role.hpp)
    bool plain = false;           ///< executes at once for a fixed time, without effects at its end
    /// Plain, and no actor waits for it or captures its results; no findings. FrontEnds::issue_unobservable() has a
    /// fast path for such plans.
    bool unobservable = false;
    /// For a run without time: unobservable, or the same of a packer.
    bool quiet = false;

    /// Call it after every change of the plan.
    void derive();
    /// Empties it, for another plan in the same memory. Call derive() when that is there.
    void reset();
    /// The accesses of its work. Only the hazard checker needs them, so they are computed on demand.
    struct Work {
        std::vector<plan::Access> accesses;  ///< the in_order ones first; of Dst, datums of a row may be one access
        std::size_t in_order = 0;            ///< accesses to SrcA, SrcB, Dst (each block once) and L1 that need order
        bool exact = true;                   ///< false: `accesses` is a bound
        bool meets_dst = false;              ///< writes, clears or packs rows of Dst
        bool brings_only = false;            ///< neither writes Dst nor hands a bank over
        bool known = false;

        std::span<const plan::Access> ordered() const { return {accesses.data(), in_order}; }
    };
    const Work& work() const {
        if (!work_.known) list_work();
        return work_;
    }
    /// An UNPACR to a source's bank, without hand-over.
    bool brings_only() const { return plan.pipes & plan::unpackers && work().brings_only; }
    /// Moves the work's writes (or also reads) of these bytes of L1. False: the accesses cannot be told apart; call
    /// derive() then.
    bool move_l1(std::uint32_t from, std::uint32_t bytes, std::uint32_t to);
    /// The work is at other rows of Dst: accesses, and what is known about them, no longer hold.
    void forget_work();
    /// Moves all of the work's accesses to L1 by that many bytes.
    void shift_l1(std::uint32_t bytes);
    bool has(plan::When when) const { return moments >> static_cast<unsigned>(when) & 1; }

    /// The run (PlanCache::begin_run) in which all data that it reads was once found to be written.
    mutable std::uint64_t reads_written_in = 0;
    /// The run, and the version of checks::DstContents, for which the work was checked: it leaves the contents
    /// unchanged, or reads them as the right type.
    struct DstKnown {
        std::uint64_t run = 0, version = 0;
    };
    mutable DstKnown dst_known;

    /// Of an instruction of the vector unit: what the plan alone says, once vector::register_use() was asked.
    mutable std::optional<RegisterUse> register_use;

    // For TraceCache: number of the traces that begin behind it, or 0; how often a trace could have begun, and how
    // often that failed.
    mutable std::uint32_t traces = 0;
    mutable std::uint8_t followed = 0, in_vain = 0;

private:
    friend class PlanRef;
    void list_work() const;

    mutable Work work_;
    std::uint32_t holders_ = 0;
};

/// A reference to a resolved instruction, which counts its holders. They are all in one host thread.
class PlanRef {
public:
    PlanRef() = default;
    explicit PlanRef(Resolved& shared) : held_(&shared) { ++held_->holders_; }
    PlanRef(const PlanRef&) = delete;
    PlanRef(PlanRef&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
    PlanRef& operator=(PlanRef other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    ~PlanRef() { release(); }

    static PlanRef of(const plan::Plan& plan);
    /// A new, empty plan or, if nobody else holds the one here, that one emptied. Call derive() when it is filled.
    Resolved& renew();
    /// Another reference to the same instruction.
    PlanRef share() const { return PlanRef(*held_); }
    /// A copy of the instruction, also for another host thread. Nothing is known of it yet about memory and traces.
    PlanRef clone() const;
    explicit operator bool() const { return held_; }
    const Resolved& operator*() const { return *held_; }
    const Resolved* operator->() const { return held_; }
    /// For a change: unshares the instruction. Call derive() afterwards.
    Resolved& alone();
    /// The same for units::move(): it stays the same instruction elsewhere, so what TraceCache knows of it stays known.
    Resolved& to_move() { return held_->holders_ == 1 ? *held_ : moved_apart(); }
    void release() {
        if (held_ && --held_->holders_ == 0) delete held_;
        held_ = nullptr;
    }

private:
    Resolved& moved_apart();

    Resolved* held_ = nullptr;
};

}  // namespace tessera::units

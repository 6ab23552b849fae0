// SPDX-License-Identifier: Apache-2.0
// The coprocessor without time. A thread runs until it must wait for another thread; an issued instruction has
// executed. Only unpackers and packers have queues: the thread runs on behind an instruction that waits there for its
// bank.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/outcome.hpp"
#include "functional/auto_sync.hpp"
#include "functional/blocked.hpp"
#include "functional/effects.hpp"
#include "functional/schedule.hpp"
#include "functional/thread.hpp"
#include "functional/traces.hpp"
#include "functional/units.hpp"
#include "units/slots.hpp"

namespace tessera::functional {

class Machine final : private frontend::ExpanderListener, private Traces::Gate {
public:
    /// The arguments must outlive the machine. FIFOs and expanders begin empty; a recording in progress continues.
    Machine(state::State& state, units::Slots& slots, const RunOptions& options, const diagnostics::Places& places);
    Machine(const Machine&) = delete;

    // Interface for RISC-V cores. Call settle() before each access except a push, so that pending instructions have
    // executed.

    /// Pushes all words into a thread's FIFO, or none; if there is no room, the thread must progress first. `index` is
    /// the op's; `step` is its increment from word to word. `expanded`: behind the MOP expander.
    bool push(unsigned thread, std::span<const std::uint32_t> words, std::int64_t index, std::int64_t step,
              bool expanded);
    /// Stores to a MOP register in order, behind the FIFO's contents.
    void store_mop(unsigned thread, unsigned item, std::uint32_t value, std::int64_t index);
    /// As engine::Port::discard().
    void discard(unsigned thread);
    /// A core's store to configuration, GPRs or semaphores. `index` is the op's; without a thread, it is that of a
    /// RISC-V instruction.
    void store(state::Cell cell, plan::CellOp op, std::uint32_t value, std::optional<unsigned> thread,
               std::int64_t index);
    /// A core waits for the semaphore or polls it.
    void await(unsigned semaphore) { effects_.await(static_cast<std::uint8_t>(1u << semaphore)); }
    /// Executes a core's command, or its store to a register of the tile.
    void execute_command(const plan::Plan& plan);
    /// True if Auto TTSync allows the access of the thread's core now.
    bool in_order(unsigned thread, state::Resources resources, bool store);

    /// Runs until nothing can progress. Returns true if anything did.
    bool settle();

    bool is_idle(unsigned thread) const;
    bool mops_expanded(unsigned thread) const;
    /// In the thread's FIFO. `expanded`: behind its MOP expander.
    bool has_room(unsigned thread, std::size_t words, bool expanded) const {
        return threads_[thread].front.has_room(words, expanded, costs_.thread.fifo_words[thread],
                                               costs_.thread.words_behind_mop);
    }
    /// No word waits in front of the thread's replay expander, and no MOP is being expanded.
    bool has_passed_on(unsigned thread) const { return threads_[thread].front.fifo.empty() && mops_expanded(thread); }
    /// As engine::Port::queued() and busy().
    std::uint32_t queued(unsigned thread) const;
    std::uint32_t busy(unsigned thread) const;
    bool all_idle() const;

    state::State& state() { return state_; }
    const units::CostTable& costs() const { return costs_; }
    /// Instructions executed, plus words taken by expanders.
    std::uint64_t steps() const { return steps_; }
    /// Counts changes that a core could observe.
    std::uint64_t changes = 0;
    /// Signals raised since the caller last cleared them.
    engine::Signals raised;

    // The run.

    engine::Outcome& outcome() { return outcome_; }
    bool stopped() const { return outcome_.stopped(); }
    /// Ends the run with a fault; later ones are ignored.
    void stop(const findings::Note& note, Where where) { outcome_.stop(note, std::move(where), no_cycle); }
    /// Ends a run of RISC-V cores at its limit, and any run when its observer asks. The machine calls this every few
    /// thousand steps. A caller passes the cycles of the cores' clock.
    void look_up(std::uint64_t cycles = 0);
    const BlockedParties& blocked() const { return blocked_; }
    /// Ends the run: reports remaining findings, and makes FIFOs and queues visible in the state.
    Run finish();

private:
    void go_on(unsigned thread);
    void follow(unsigned thread);
    bool admit_or_wait(unsigned thread, const plan::Plan& plan) override;
    /// The instruction gives back a bank that the unpackers own.
    bool gives_back_unheld(const units::Resolved& resolved) const;
    /// Another thread can go on that has waited for a bank, or for a place in front of an unpacker.
    bool unpackers_go_on(unsigned thread) const;
    bool pass_time();
    bool fetch(unsigned thread);
    void leave(unsigned thread);
    bool pass_gate(unsigned thread);
    bool wait_for(unsigned thread, const engine::Wait& wait);
    /// If a latched wait blocks the instruction at the gate, time passes. False: it still does.
    bool try_pass_latch(unsigned thread);
    static bool counts(findings::Id id, const units::Resolved& resolved);
    void issue(unsigned thread, const units::PlanRef& resolved);
    void issue_quiet(unsigned thread, const units::PlanRef& resolved, const Origin& origin);
    void start_or_wait(const units::PlanRef& resolved, const Origin& origin);
    void latch(unsigned thread, const plan::Plan& plan, const Origin& origin);
    void execute(const units::Resolved& resolved, const Origin& origin);
    void execute(const Units::Waiting& waited);
    void write_effects(const units::Resolved& resolved, plan::When when, const Origin& origin);
    void report_changes();
    void check_latch(unsigned thread);
    void check_latches();
    void start_queued();
    void try_held();
    void publish();
    /// Whether the limit of a program lets one more instruction issue. If not, the run ends.
    bool may_issue() {
        if (left_) return true;
        reach_limit("instructions");
        return false;
    }
    void reach_limit(std::string_view of);
    void step() {
        if (++steps_ >= next_look_) look_up();
    }
    Where where(unsigned thread) const;

    void found_in_store(const findings::Note& what, unsigned thread, state::Cell cell, std::int64_t index);

    // frontend::ExpanderListener
    void found(const findings::Note& what, unsigned thread, const frontend::WordOrigin& origin) override;
    void failed(const findings::Note& what, unsigned thread, const frontend::WordOrigin& origin) override {
        stop(what, places_.where(thread, origin.index, origin.word, no_cycle, origin.position));
    }
    bool is_over() const override { return stopped(); }
    void taken(unsigned, std::int64_t) override { step(); }
    void stored(unsigned, std::int64_t, state::Cell) override {}
    void mop_expanded(unsigned) override {}

    state::State& state_;
    units::Slots& slots_;
    const RunOptions& options_;
    const diagnostics::Places& places_;
    const units::CostTable& costs_;
    Threads threads_;
    Units units_;
    AutoSync auto_sync_;
    Effects effects_;
    bool starting_ = false;  ///< start_queued() is running
    bool yields_ = false;    ///< the thread released a mutex that another waits for
    Schedule schedule_;
    Traces traces_;
    const units::PlanRef* plain_ = nullptr;  ///< what passed the gate last, if a trace may go on behind it
    engine::Outcome outcome_;
    const BlockedParties blocked_;
    std::uint64_t steps_ = 0, next_look_ = 0, cycles_ = 0;
    const std::uint64_t most_cycles_;  ///< of cores and coprocessor together
    std::uint64_t left_;               ///< instructions that the run may still issue
};

}  // namespace tessera::functional

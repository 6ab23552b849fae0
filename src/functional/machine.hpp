// SPDX-License-Identifier: Apache-2.0
// The coprocessor without time. A thread runs until it must wait for another thread; an issued instruction has
// executed. Only unpackers and packers have queues: the thread runs on behind an instruction that waits there for its
// bank.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "diagnostics/findings_log.hpp"
#include "diagnostics/places.hpp"
#include "engine/last_causes.hpp"
#include "engine/wait.hpp"
#include "frontend/expanders.hpp"
#include "frontend/pushed_uses.hpp"
#include "frontend/wait_gate.hpp"
#include "functional/schedule.hpp"
#include "functional/traces.hpp"
#include "state/resources.hpp"
#include "tessera/run.hpp"
#include "units/slots.hpp"
#include "util/host_limits.hpp"
#include "util/ring.hpp"

namespace tessera::functional {

class Machine final : private Schedule::Listener, private frontend::ExpanderListener, private Traces::Gate {
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
    /// A core's store to configuration, GPRs or semaphores. `index` is the op's; without a thread, it is that of a
    /// RISC-V instruction.
    void store(state::Cell cell, plan::CellOp op, std::uint32_t value, std::optional<unsigned> thread,
               std::int64_t index);
    /// A core waits for the semaphore or polls it.
    void awaits(unsigned semaphore) { last_causes_.awaited |= static_cast<std::uint8_t>(1u << semaphore); }
    /// Executes a core's command, or its store to a register of the tile.
    void execute_command(const plan::Plan& plan);
    /// True if Auto TTSync allows the access of the thread's core now.
    bool in_order(unsigned thread, state::Resources resources, bool store);

    /// Runs until nothing can progress. Returns true if anything did.
    bool settle();

    bool is_idle(unsigned thread) const;
    bool mops_expanded(unsigned thread) const;
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
    engine::Signals raised = 0;

    // The run.

    bool stopped() const { return stopped_; }
    /// True if the stop reason lists the blocked parties.
    bool is_stuck() const { return stuck_; }
    /// Ends the run; later reasons are ignored.
    void stop(const findings::Note& note, Where where);
    void note(const findings::Note& note, unsigned thread, std::uint32_t word, std::int64_t index,
              std::int64_t position);
    diagnostics::FindingsLog& log() { return log_; }
    void stop_by_finding() { stopped_ = true; }
    Run& run() { return run_; }
    /// Ends the run at its limit or when its observer asks. The machine calls this every few thousand steps. A caller
    /// passes the cycles of the cores' clock, which also counts the machine's steps.
    void look_up(std::uint64_t cycles = 0);
    std::string wait_text(const engine::Wait& wait, unsigned thread) const;
    /// Fills in the holder of the awaited resource and the last change to it.
    void report_holder(const engine::Wait& wait, unsigned thread, Blocked& blocked) const;
    /// Blocked threads, then instructions waiting in units.
    Blocked blocked_thread(unsigned thread) const;
    void list_blocked_units(std::vector<Blocked>& list) const;
    /// Ends the run: reports remaining findings, and makes FIFOs and queues visible in the state.
    Run finish();

private:
    struct Thread {
        frontend::Expanders front;
        engine::Wait wait;
        std::int64_t latched_index = -1;  ///< of the instruction that latched its wait, and its word
        std::uint32_t latched_word = 0;
        std::uint64_t issued = 0;
        bool runnable = false;  ///< state changed since it began to wait
        frontend::PushedUses pushed_uses;
    };
    /// An issued instruction that waits in its unit or in front of it.
    struct Waiting {
        units::PlanRef resolved;
        std::int64_t index = 0, position = -1;
    };

    void go_on(unsigned thread);
    void follow(unsigned thread);
    bool lets_enter(unsigned thread, const plan::Plan& plan) override { return may_enter(thread, plan); }
    bool pass_time();
    bool fetch(unsigned thread);
    void leave(unsigned thread);
    bool pass_gate(unsigned thread);
    bool waits(unsigned thread, const engine::Wait& wait);
    bool latch_holds_back(unsigned thread);
    bool may_enter(unsigned thread, const plan::Plan& plan);
    void issue(unsigned thread, const units::PlanRef& resolved);
    void execute(const units::Resolved& resolved, const Origin& origin);
    void write_effects(const plan::Plan& plan, plan::When when, const Origin& origin);
    void signal(state::Cell cell);
    void report_changes();
    void check_latch(unsigned thread);
    void start_queued();
    void try_held();
    bool goes_on(const plan::Plan& plan) const;
    bool bank_ready(const plan::BankNeed& need) const;
    bool banks_ready(const plan::Plan& plan, bool in_unit) const;
    void count_in_pipes(const plan::Plan& plan, int by);
    bool tracks(unsigned thread);
    void track_push(unsigned thread, const isa::Instruction& instruction, std::int64_t index);
    void step() {
        if (++steps_ >= next_look_) look_up();
    }
    Where where(unsigned thread) const;

    // Schedule::Listener
    void report(const findings::Note& note, unsigned thread, std::uint32_t word, const Origin& origin) override;
    void fail(const findings::Note& note, unsigned thread, std::uint32_t word, const Origin& origin) override;

    // frontend::ExpanderListener
    void found(const findings::Note& note, unsigned thread, const frontend::WordOrigin& origin) override;
    void failed(const findings::Note& note, unsigned thread, const frontend::WordOrigin& origin) override;
    bool is_over() const override { return stopped_; }
    void taken(unsigned, std::int64_t) override { step(); }
    void stored(unsigned, std::int64_t, state::Cell) override {}
    void mop_expanded(unsigned) override {}

    state::State& state_;
    units::Slots& slots_;
    const RunOptions& options_;
    util::HostLimits host_;
    const diagnostics::Places& places_;
    const units::CostTable& costs_;
    std::array<Thread, state::threads> threads_;
    frontend::Activity activity_;  ///< instructions waiting in units, and those scheduled by SFPLOADMACRO
    std::array<std::deque<Waiting>, plan::pipes> queues_;
    std::array<bool, state::threads> tracks_{};  ///< Auto TTSync is active, as of the configuration counted
    std::uint64_t tracked_at_ = ~std::uint64_t{0};
    unsigned queued_ = 0;          ///< in all of them
    std::optional<Waiting> held_;  ///< only instructions of the scalar unit wait in it
    bool starting_ = false;        ///< start_queued() is running
    engine::Signals to_tell_ = 0;  ///< raised by the effects being written
    bool yields_ = false;          ///< the thread released a mutex that another waits for
    Schedule schedule_;
    Traces traces_;
    const units::PlanRef* plain_ = nullptr;  ///< what passed the gate last, if a trace may go on behind it
    engine::LastCauses last_causes_;
    diagnostics::FindingsLog log_;
    std::uint64_t steps_ = 0, next_look_ = 0, cycles_ = 0;
    bool stopped_ = false, stuck_ = false;
    Run run_;
};

}  // namespace tessera::functional

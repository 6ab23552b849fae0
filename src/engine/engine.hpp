// SPDX-License-Identifier: Apache-2.0
// One run. Cores feed three front ends, which issue instructions into units. The engine joins its parts and lets the
// actor with the earliest due time act (ties: the lowest number), after all events up to that time. A run is
// deterministic. docs/internals/engine.md lists the calls between parts.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <tuple>

#include "checks/checker.hpp"
#include "engine/report.hpp"
#include "engine/threads/run_ahead.hpp"
#include "tessera/core.hpp"

namespace tessera::engine {

/// The engine's whole state beside the State. A copy of both is a snapshot of a run.
struct Progress {
    std::shared_ptr<const void> parts;  ///< states of Engine::parts()
    Cycle cycle = 0;                    ///< of the last step
    std::uint64_t issued = 0;           ///< instructions issued
};

class Engine final : private ChangeListener {
public:
    Engine(state::State& state, units::Slots& slots, const Program& program, const RunOptions& options, Reset reset);
    /// RISC-V cores in place of a program.
    Engine(state::State& state, units::Slots& slots, Cores& cores, const RunOptions& options, Reset reset);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    Run run();
    /// Attaches `recorder`. Call it before the first step.
    void record(RunRecorder& recorder);
    /// The contents of L1 for the hazard checker. Call it between two steps.
    void set_l1_formats(const checks::L1Formats& formats) { checked_.l1_formats = formats; }
    /// Those of set_l1_formats(), as far as nothing else has been written there since, and what packers have written.
    const checks::L1Formats& l1_formats() const { return checked_.l1_formats; }

    // A run in steps: advance() until it returns false, then finish().

    /// Runs one event or one act of one actor. False: nothing is left to do, or the run was stopped.
    bool advance();
    /// Advances a run whose cores have neighbours, until everything before Cores::horizon() is done, or what begin_stretch() says; or until
    /// nothing more happens before something comes from outside (asleep()).
    void run_to_horizon();
    /// The same for a tile by itself. False: the run is over, or only advance() can tell.
    bool run_to_own_horizon();
    /// Call before run_to_horizon() or the first step_to_horizon(). Both also stop where the tile becomes done or ceases to be: Kernels::done
    /// holds, and neither the coprocessor nor the NIUs have anything left to do.
    void begin_stretch() { kernels_.note_done(is_done(cores_->done())); }
    /// One step of run_to_horizon(). True: more is to be done.
    bool step_to_horizon() { return !asleep_ && advance() && !asleep_ && !outcome_.stopped(); }
    bool is_stopped() const { return outcome_.stopped(); }
    /// Call when something is due for a run that sleeps: at `at` or later. Until then cores only repeat
    /// themselves.
    void wake(Cycle at);
    bool asleep() const { return asleep_; }
    /// Every core has ended, and no instruction is left.
    bool everything_finished() const;
    /// Nothing is in a FIFO or on its way.
    bool is_idle() const;

    /// The cycle of the next step; never: there is none.
    Cycle next_time() const;
    // Before finish(), of a tile that is not done when its chip's run ends. Both note what each actor waits for.

    /// Nothing in the chip goes on. Fault "kernel.not-done" if every core has ended.
    void end_stuck();
    /// The chip's run has reached RunOptions::max_cycles: fault "no-progress".
    void end_at_limit();
    Run finish();

    // Between two steps.

    /// Number of issued instructions, and the last of them.
    std::uint64_t issued() const { return front_ends_.issued(); }
    std::uint64_t issued(unsigned thread) const { return front_ends_.issued(thread); }
    const Agent& last_issued() const { return front_ends_.last_issued(); }
    /// The instruction or core whose write was reported last (on_write).
    const Agent& last_writer() const { return writes_.last_writer(); }
    /// The cycle of the last step.
    Cycle now() const { return scheduler_.now(); }
    const diagnostics::FindingsLog& findings() const { return outcome_.log(); }
    /// The fault that has ended the run, and what was blocked; the other members are those of finish().
    const Run& outcome() const { return outcome_.run(); }
    /// The report up to now.
    Run so_far(bool tell_waits = false);
    /// Every actor that waits, and for what.
    std::vector<Blocked> blocked() const { return report_.blocked(); }
    Where where(const Agent& agent) const { return report_.where(agent); }
    /// Moves the last explanation out of Run::explanations.
    std::optional<Explanation> take_explanation() { return explainer_.take_last(); }
    // The host writes to L1, or puts a core into reset or out of it; only in a run with cores.

    void host_writes(std::uint32_t address, std::span<const std::byte> bytes);
    void host_resets(RiscvCore core, bool start);
    /// A host's access to a register of the tile; only in a run with cores.
    Cores::HostAccess host_accesses(std::uint32_t address, std::optional<std::uint32_t> stored);
    /// A debugger has changed what the core has: its registers, its memory, or where it goes on; or cells of the coprocessor. Who waits for
    /// any of them tries again.
    void debugger_changed(RiscvCore core);
    /// These may end the run from now on.
    Outcome::Ends& ends() { return outcome_.ends(); }
    /// Ends the run as it had ended before, where its limits have not.
    void end_again(Fault fault) { outcome_.stop(std::move(fault)); }
    /// The core has ended, or is in reset.
    bool has_finished(RiscvCore core) const { return scheduler_.actor(actor_of(core)).finished; }
    /// The core only repeats itself until something changes (Turn::repeats).
    bool is_repeating(RiscvCore core) const { return scheduler_.is_repeating(actor_of(core)); }
    /// Brings the run to a cycle before which it has nothing left to do, for a host that acts then.
    void be_at(Cycle at) { scheduler_.pass_to(at); }
    /// Copies FIFOs and queues of units into visible state. All before cycle `reached` has happened, even if that is behind now().
    void publish(Cycle reached = 0);
    Progress progress() const;
    /// Restores a snapshot. The State must be the one of that moment.
    void go_back_to(const Progress& progress);

private:
    Engine(state::State& state, units::Slots& slots, const Program* program, Cores* cores, const RunOptions& options,
           Reset reset);

    /// All that a snapshot keeps beside the State.
    template <class Self>
    static auto parts(Self& self) {
        return std::tie(self.delays_, self.pipes_, self.work_, self.transfers_, self.records_, self.fronts_, self.next_ops_, self.checked_,
                        self.outcome_, self.scheduler_, self.waits_, self.writes_, self.effects_, self.gates_, self.banks_, self.held_,
                        self.schedule_, self.execution_, self.stores_, self.auto_sync_, self.fifos_, self.feed_, self.interlocks_,
                        self.front_ends_, self.kernels_);
    }
    bool advance_as_set();
    bool step();
    /// Of cores with neighbours. `words`: Cores::done().
    bool is_done(bool words) const { return words && cores_->noc_due() == never && is_idle(); }
    void report_done_before();
    bool is_beyond_horizon(Cycle time) const { return cores_ && time != never && time >= cores_->horizon(); }
    bool act_next();
    void take_event();
    bool event_is_next() const;
    bool act_unusually(Cycle due);
    void act(unsigned actor);
    void handle(const Event& event);
    Cycle next_without_event() const;
    bool find_time_loops(Cycle until);
    void stop(const findings::Note& note) { outcome_.stop(note, {}, scheduler_.now()); }
    void stop_if_not_done();
    void stop_at_limit();
    void report_blocked();

    void conditions_changed(Signals signals, Cycle now, const Changed& changed) override {
        gates_.conditions_changed(signals, now, changed);
    }
    void banks_passed(Cycle now) override { execution_.try_queues(now); }
    void auto_sync_begins(unsigned thread) override { feed_.feed_in_time(thread); }

    // Context.
    state::State& state_;
    units::Slots& slots_;
    Cores* const cores_;
    const RunOptions& options_;
    const units::CostTable& costs_;
    const diagnostics::Places places_;
    Shortcuts shortcuts_;
    RunRecorder* recorder_ = nullptr;
    bool asleep_ = false;

    // Values that several parts share.
    Delays delays_;
    Pipes pipes_;
    Workload work_;
    Transfers transfers_;
    Records records_;
    Fronts fronts_;
    NextOps next_ops_{};
    checks::Memory checked_;

    // Parts. Most call only those above them.
    Outcome outcome_;
    const diagnostics::Diagnostics diagnostics_;
    checks::Checker checker_;
    const Context context_;
    Waits waits_;
    Scheduler scheduler_;
    Writes writes_;
    Effects effects_;
    Gates gates_;
    Banks banks_;
    HeldInstruction held_;
    Occupation occupation_;
    LazyEnds lazy_ends_;
    Explainer explainer_;
    Execution execution_;
    VectorSchedule schedule_;
    Stores stores_;
    AutoSync auto_sync_;
    Fifos fifos_;
    ProgramFeed feed_;
    Expansion expansion_;
    Interlocks interlocks_;
    FrontEnds front_ends_;
    TurnLimits limits_;
    KnownTraces traces_;
    RunAhead run_ahead_;
    KernelCores kernels_;
    Report report_;
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// One run: cores feed three front ends, which issue instructions into units. The engine joins its parts, and always lets the actor with the
// smallest time act (ties: lowest number), after everything that happens until then, so a run is deterministic. README.md says who calls
// whom.
#pragma once

#include <span>

#include "checks/checker.hpp"
#include "engine/progress.hpp"
#include "engine/report.hpp"
#include "engine/threads/run_ahead.hpp"
#include "tessera/core.hpp"

namespace tessera::engine {

class Engine : private ChangeListener {
public:
    Engine(state::State& state, units::Slots& slots, const Program& program, const RunOptions& options, Reset reset);
    /// RISC-V cores in place of a program.
    Engine(state::State& state, units::Slots& slots, Cores& cores, const RunOptions& options, Reset reset);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    Run run();
    /// From now on `recorder` learns what is done, and what decides about it. To be called before anything is.
    void record(RunRecorder& recorder);
    /// What L1 holds. To be called before anything is done.
    void knows_l1(std::vector<checks::L1Tensor> tensors) { checked_.l1_tensors = std::move(tensors); }
    /// Those of it that nothing has been written to.
    const std::vector<checks::L1Tensor>& known_l1() const { return checked_.l1_tensors; }

    // A run in steps: advance() until it says no, then finish().

    /// One event, or one act of one actor. False: nothing is left to do, or the run has been stopped.
    bool advance();
    /// The cycle of the next one; never: there is none.
    Cycle next_time() const;
    Run finish();

    // Between two steps.

    /// How many instructions have been issued, and the last one.
    std::uint64_t issued() const { return front_ends_.issued(); }
    const Agent& last_issued() const { return front_ends_.last_issued(); }
    /// Who has written what on_write was called for last.
    const Agent& last_writer() const { return writes_.last_writer(); }
    /// The cycle of what happened last.
    Cycle now() const { return scheduler_.now(); }
    const diagnostics::FindingsLog& findings() const { return outcome_.log(); }
    /// What has been until now.
    Run so_far();
    /// Who waits for what.
    std::vector<Blocked> blocked() const { return report_.blocked(); }
    Where where(const Agent& agent) const { return report_.where(agent); }
    /// The last of Run::explanations, which then lacks it.
    std::optional<Explanation> take_explanation() { return explainer_.take_last(); }
    // As a host does it, of an address in L1, and of a run with cores.
    void host_writes(std::uint32_t address, std::span<const std::byte> bytes);
    void host_resets(RiscvCore core, bool start);
    /// FIFOs and queues in front of units become visible state.
    void publish();
    Progress progress() const;
    /// Goes on from there; the state must be what it was then.
    void go_back_to(const Progress& progress);

private:
    Engine(state::State& state, units::Slots& slots, const Program* program, Cores* cores, const RunOptions& options,
           Reset reset);

    bool step();
    bool act_next();
    void act(unsigned actor);
    void handle(const Event& event);
    Cycle next_lazy_end() const;
    bool is_idle() const;
    bool everything_finished() const;
    bool only_time_passes(Cycle until);
    void stop(const findings::Note& note) { outcome_.stop(note, {}, scheduler_.now()); }
    void tell_blocked();

    void conditions_changed(Signals signals, Cycle now, const Changed& changed) override {
        gates_.conditions_changed(signals, now, changed);
    }
    void banks_passed(Cycle now) override { execution_.try_queues(now); }
    void auto_sync_begins(unsigned thread) override { feed_.feeds_in_time(thread); }

    // What a run is about.
    state::State& state_;
    units::Slots& slots_;
    Cores* const cores_;
    const RunOptions& options_;
    const units::CostTable& costs_;
    const diagnostics::Places places_;
    Shortcuts shortcuts_;
    RunRecorder* recorder_ = nullptr;

    // Values that several parts work on.
    Delays delays_;
    Pipes pipes_;
    Workload work_;
    Transfers transfers_;
    Records records_;
    Fronts fronts_;
    NextOps next_ops_{};
    checks::Memory checked_;

    // Parts; most call those above them alone.
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
    RunAhead ahead_;
    KernelCores kernels_;
    Report report_;
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// The schedule of SFPLOADMACRO in time (its page, Functional model and the text after it; spec-notes V65 to V72). Cells
// hold the schedule; here it counts down and executes. A cycle takes what is due at its start and executes that at its
// end. If no entry waits for elapsed instructions, every cycle counts; otherwise only issued instructions count.
#pragma once

#include <array>

#include "engine/context.hpp"
#include "engine/execution/scheduled.hpp"
#include "engine/kept.hpp"
#include "engine/scheduler.hpp"
#include "frontend/gate_word.hpp"
#include "units/plan_cache.hpp"

namespace tessera::engine {

class Execution;

/// Instructions that SFPLOADMACRO has scheduled.
struct VectorScheduleState {
protected:
    bool any_ = false;      ///< the schedule has entries
    bool awaited_ = false;  ///< an event is scheduled
    ScheduledOrigins origins_;
    std::array<std::uint32_t, state::threads> holds_{};  ///< 1: counts as an instruction of the thread in the unit
    Cycle taken_at_ = never;                    ///< the last cycle with a due entry,
    unsigned taken_in_ = 0;                     ///< and its sub-units, one bit each
    Due due_;                                   ///< taken in cycle `due_at_`, not yet executed
    Cycle due_at_ = never;
    state::LRegs lregs_before_;  ///< before that cycle
};

class VectorSchedule : private Context, public Kept<VectorScheduleState> {
public:
    VectorSchedule(const Context& context, Scheduler& scheduler, Workload& work, Execution& execution)
        : Context(context), scheduler_(scheduler), work_(work), execution_(execution) {}

    bool has_any() const { return any_; }
    /// Whether an instruction of the thread is scheduled.
    bool has_any_of(unsigned thread) const;
    /// The cycle at whose end an entry executes; never: there is none.
    Cycle executes_at() const { return due_at_; }
    /// No instruction is scheduled, and none executes in this cycle.
    bool is_empty(Cycle now) const { return !any_ && due_at_ == never && taken_at_ != now; }
    /// The last cycle with a due entry; never: there was none.
    Cycle last_due() const { return taken_at_; }

    /// An entry was scheduled or has executed: schedules the next cycle unless only instructions count.
    void changed(Cycle now);
    /// A scheduled cycle.
    void cycle(Cycle now);
    /// The end of a cycle: executes its due entries.
    void execute_due(Cycle now);
    /// A thread issues a vector instruction. False: it is discarded.
    bool issue_vector(units::PlanRef& resolved, const frontend::GateWord& at);
    /// The plan's instruction executed: entries that it scheduled have its origin.
    void remember(const plan::Plan& plan, const Origin& origin);
    /// The run is over with entries left.
    void report_unfinished();

private:
    void take_due(Cycle now);
    void hold_threads(const std::array<std::uint32_t, state::threads>& holds, Cycle now);

    Scheduler& scheduler_;
    Workload& work_;
    Execution& execution_;
};

}  // namespace tessera::engine

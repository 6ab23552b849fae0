// SPDX-License-Identifier: Apache-2.0
// Instructions that SFPLOADMACRO has scheduled (its page, Functional model, the text behind it; spec-notes V65 to V72): cells hold them, here
// they count down, and execute. A cycle begins with what is due; if nothing left waits for elapsed instructions the cycle counts, otherwise
// the instruction that a thread issues in it does; it ends with what was due.
#pragma once

#include <array>
#include <optional>

#include "engine/context.hpp"
#include "engine/execution/scheduled.hpp"
#include "engine/scheduler.hpp"
#include "frontend/gate_word.hpp"
#include "units/plan_cache.hpp"
#include "units/vector/scheduling.hpp"

namespace tessera::engine {

/// Executes a scheduled instruction at the end of the cycle in which it is due.
class ScheduledExecutor {
public:
    virtual void execute_scheduled(const plan::Plan& plan, const Origin& origin, Cycle now) = 0;

protected:
    ~ScheduledExecutor() = default;
};

/// Instructions that SFPLOADMACRO has scheduled.
struct VectorScheduleState {
protected:
    bool any_ = false;      ///< something is scheduled
    bool awaited_ = false;  ///< an event is on its way
    ScheduledOrigins origins_;
    std::array<bool, state::threads> holds_{};  ///< what counts as an instruction of the thread in the unit
    Cycle taken_at_ = never;                    ///< when something was due last,
    unsigned taken_in_ = 0;                     ///< and in which sub-units, a bit each
    Due due_;                                   ///< what was taken in cycle `due_at_` and has not executed
    std::array<Origin, state::cells::sub_units> due_origins_{};
    Cycle due_at_ = never;
    state::LRegs lregs_before_;  ///< that cycle
};

class VectorSchedule : private Context, private VectorScheduleState {
public:
    VectorSchedule(const Context& context, Scheduler& scheduler, Workload& work, ScheduledExecutor& executor)
        : Context(context), scheduler_(scheduler), work_(work), executor_(executor) {}

    const VectorScheduleState& saved() const { return *this; }
    void restore(const VectorScheduleState& saved) { static_cast<VectorScheduleState&>(*this) = saved; }

    bool has_any() const { return any_; }
    /// At the end of which cycle something executes; never: of none.
    Cycle executes_at() const { return due_at_; }
    /// Nothing is scheduled, nor executes in this cycle.
    bool is_empty(Cycle now) const { return !any_ && due_at_ == never && taken_at_ != now; }
    /// When something was due last; never: it never was.
    Cycle last_due() const { return taken_at_; }

    /// Something has been scheduled, or has executed: the next cycle is waited for unless only instructions count.
    void changed(Cycle now);
    /// A cycle that was waited for.
    void cycle(Cycle now);
    /// The cycle is over: what was due in it executes.
    void execute_due(Cycle now);
    /// A thread issues a vector instruction. False: it is discarded.
    bool issues(units::PlanRef& resolved, const frontend::GateWord& at);
    /// The plan's instruction, from there, has executed: what it has scheduled comes from it.
    void remember(const plan::Plan& plan, const Origin& origin);
    /// The run is over, and something has not executed.
    void tell_unfinished();

private:
    void take_due(Cycle now);
    void hold_threads(Cycle now);

    Scheduler& scheduler_;
    Workload& work_;
    ScheduledExecutor& executor_;
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
#include "engine/execution/lazy_ends.hpp"

#include "checks/checker.hpp"
#include "engine/run_recorder.hpp"

namespace tessera::engine {

bool LazyEnds::may_pass(const units::Resolved& resolved) const {
    if (!resolved.plain || !shortcuts_.no_observers || held_.any()) return false;
    return pipes_.all_landed(resolved.plan.pipes, scheduler_.now()) &&
           !is_end_awaited(resolved.plan.pipes, resolved.plan.thread);
}

bool LazyEnds::may_end(const Record& record) const {
    const plan::Plan& plan = record.plan();
    const Times& times = record.times;
    // A lazy end belongs to a thread, and a core's command does not.
    return record.ends_quietly() && shortcuts_.no_observers && shortcuts_.runs_ahead && !held_.any() &&
           times.land == times.start && times.end > times.start && !is_end_awaited(plan.pipes, plan.thread);
}

Signals LazyEnds::pass(const units::Resolved& resolved, const hazards::Ticket& ticket, const Origin& origin,
                       Cycle now, Cycle start) {
    const plan::Plan& plan = resolved.plan;
    occupation_.run(plan, now, start);
    checker_.check_start(resolved, ticket, order_.known(plan.thread), origin.position, now);
    Signals signals;
    if (resolved.has(plan::When::start))
        signals = effects_.write_at_start(resolved, {false, static_cast<int>(plan.thread), origin.index, now}, now,
                                          scheduler_);
    if (recorder_) recorder_->executes(resolved);
    if (resolved.has_work) signals |= execute_work(plan, state_);
    if (plan.pipes & bit(plan::Pipe::vector)) schedule_.remember(plan, origin);
    return signals.without(Signal::mutex);
}

}  // namespace tessera::engine

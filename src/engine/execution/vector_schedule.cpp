// SPDX-License-Identifier: Apache-2.0
#include "engine/execution/vector_schedule.hpp"

#include "checks/checker.hpp"
#include "engine/execution/execution.hpp"
#include "engine/run_recorder.hpp"
#include "units/vector/schedule.hpp"

namespace tessera::engine {

namespace vector = units::vector;

void VectorSchedule::changed(Cycle now) {
    const ScheduleAhead ahead(state_);
    any_ = ahead.any;
    if (any_ && recorder_) recorder_->give_up();
    hold_threads(ahead.in_unit, now);
    if (!ahead.executes || awaited_) return;
    awaited_ = true;
    scheduler_.clock().schedule(now + 1, Event::Kind::schedule, 0);
}

bool VectorSchedule::has_any_of(unsigned thread) const {
    bool has = false;
    if (any_)
        vector::for_each_scheduled(state_, [&](unsigned, unsigned, const auto& what) { has |= what.thread == thread; });
    return has;
}

void VectorSchedule::cycle(Cycle now) {
    awaited_ = false;
    take_due(now);
    if (outcome_.stopped()) return;
    if (!vector::counts_instructions(state_)) origins_.count_down(state_);
    changed(now);
}

// It is resolved before the instruction that a thread issues in this cycle, and executes at the end of the cycle.
void VectorSchedule::take_due(Cycle now) {
    const unsigned taken = engine::take_due(state_, slots_, costs_, origins_, due_);
    if (!taken) return;
    taken_in_ = taken | (taken_at_ == now ? taken_in_ : 0);
    taken_at_ = due_at_ = now;
    checks::Due checked;
    for (unsigned unit = 0; unit < due_.size(); ++unit) {
        if (!due_[unit]) continue;
        const auto& [plan, origin] = *due_[unit];
        work_.add(bit(plan::Pipe::vector), plan.thread, false, false);
        checked[unit] = {&plan, origin.index, origin.position};
    }
    checker_.check_due(checked, now);
    lregs_before_ = state_.lregs;
}

void VectorSchedule::execute_due(Cycle now) {
    if (due_at_ == never) return;
    due_at_ = never;
    execute_together(state_, lregs_before_, due_, [&](const plan::Plan& plan, const Origin& origin) {
        execution_.execute_scheduled(plan, origin, now);
    });
}

// A thread issues a vector instruction. With instant timing several threads can issue one in a cycle: due entries come
// before each of them.
bool VectorSchedule::issue_vector(units::PlanRef& resolved, const frontend::GateWord& at) {
    const plan::Plan& plan = resolved->plan;
    if (any_ && vector::counts_instructions(state_)) {
        if (vector::any_due(state_)) {
            execute_due(scheduler_.now());
            take_due(scheduler_.now());
        }
        origins_.count_down(state_);
        changed(scheduler_.now());
    }
    const auto report = [&](findings::Id what, unsigned unit) {
        diagnostics_.note({what, {}, vector::name(vector::SubUnit(unit))},
                          {plan.thread, at.index, at.position, plan.instruction.word, scheduler_.now()});
    };
    if (any_)
        if (const auto unit = replaces_scheduled(state_, plan)) report(findings::id("vector.macro-replaced"), *unit);
    if (taken_at_ != scheduler_.now() || plan.sub_unit < 0 || !(taken_in_ >> plan.sub_unit & 1)) return true;
    report(findings::id("vector.macro-collision"), static_cast<unsigned>(plan.sub_unit));
    units::Resolved& discarded = resolved.alone();
    discarded.plan.effects.clear();
    discarded.plan.findings.clear();
    discarded.plan.work = plan::NoWork{};
    discarded.derive();
    return false;
}

void VectorSchedule::remember(const plan::Plan& plan, const Origin& origin) {
    if (origins_.note(plan, origin)) changed(scheduler_.now());
}

void VectorSchedule::hold_threads(const std::array<std::uint32_t, state::threads>& holds, Cycle now) {
    if (holds == holds_) return;
    for (unsigned t = 0; t < state::threads; ++t)
        if (holds[t] != holds_[t]) work_.hold_vector(t, holds[t]);
    holds_ = holds;
    scheduler_.raise(Signal::unit, now, {bit(plan::Pipe::vector), no_thread});
}

void VectorSchedule::report_unfinished() {
    if (outcome_.stopped() || !any_) return;
    vector::for_each_scheduled(state_, [&](unsigned unit, unsigned delay, const auto& what) {
        const Origin& origin = origins_.of(unit, delay);
        diagnostics_.note({findings::id("vector.macro-unfinished"), {delay}, vector::name(vector::SubUnit(unit))},
                          {what.thread, origin.index, origin.position, what.instruction.word, scheduler_.now()});
    });
}

}  // namespace tessera::engine

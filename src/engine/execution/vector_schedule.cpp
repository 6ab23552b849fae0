// SPDX-License-Identifier: Apache-2.0
#include "engine/execution/vector_schedule.hpp"

#include <algorithm>

#include "checks/checker.hpp"
#include "engine/run_recorder.hpp"
#include "units/resolve.hpp"
#include "units/slots.hpp"
#include "units/vector/schedule.hpp"

namespace tessera::engine {

namespace vector = units::vector;

// Something has been scheduled, or has executed: the next cycle is waited for unless only instructions count.
void VectorSchedule::changed(Cycle now) {
    bool due = false, any = false;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit)
        for (unsigned delay = 0; delay < vector::delays; ++delay)
            if (vector::is_scheduled(state_, unit, delay)) {
                any = true;
                due |= delay == 0;
            }
    any_ = any;
    if (any && recorder_) recorder_->give_up();
    hold_threads(now);
    if (!any || awaited_ || (!due && vector::counts_instructions(state_))) return;
    awaited_ = true;
    scheduler_.clock().schedule(now + 1, Event::Kind::schedule, 0);
}

void VectorSchedule::cycle(Cycle now) {
    awaited_ = false;
    take_due(now);
    if (outcome_.stopped()) return;
    if (!vector::counts_instructions(state_)) count_down();
    changed(now);
}

// What is due looks at flags, configuration and registers as they are before the cycle, like what a thread issues in it:
// it is resolved first, and executes when the cycle is over. Where both write a register the thread's instruction does it
// last.
void VectorSchedule::take_due(Cycle now) {
    Due due;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit) {
        const auto scheduled = vector::scheduled(state_, unit, 0);
        if (!scheduled) continue;
        vector::forget_due(state_, unit);
        units::Look look(scheduled->instruction, scheduled->thread, state_, costs_, &slots_);
        look.macro_step = &scheduled->step;
        units::resolve(look, due[unit].emplace());
        const plan::Plan& plan = *due[unit];
        const Origin& origin = origins_[unit][0];
        if (plan.fault)
            return outcome_.stop(
                *plan.fault, places_.where(plan.thread, origin.index, plan.instruction.word, now, origin.position), now);
        due_origins_[unit] = origin;
        work_.add(bit(plan::Pipe::vector), plan.thread, false, false);
        if (taken_at_ != now) taken_in_ = 0;
        taken_at_ = due_at_ = now;
        taken_in_ |= 1u << unit;
    }
    if (due_at_ != now) return;
    checks::Due checked;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit) {
        const Origin& origin = origins_[unit][0];
        if (due[unit]) checked[unit] = {&*due[unit], origin.index, origin.position};
    }
    checker_.check_due(checked, now);
    due_ = std::move(due);
    lregs_before_ = state_.lregs;
}

void VectorSchedule::execute_due(Cycle now) {
    if (due_at_ == never) return;
    due_at_ = never;
    const state::LRegs& before = lregs_before_;
    const state::LRegs issued = state_.lregs;
    state::LRegs after = before;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit) {
        if (!due_[unit]) continue;
        state_.lregs = before;
        executor_.execute_scheduled(*due_[unit], due_origins_[unit], now);
        for (std::size_t i = 0; i < after.lane.size(); ++i)
            if (state_.lregs.lane[i] != before.lane[i]) after.lane[i] = state_.lregs.lane[i];
    }
    for (std::size_t i = 0; i < after.lane.size(); ++i)
        if (issued.lane[i] != before.lane[i]) after.lane[i] = issued.lane[i];
    state_.lregs = after;
}

void VectorSchedule::count_down() {
    vector::count_down(state_);
    for (auto& of_unit : origins_) std::move(of_unit.begin() + 1, of_unit.end(), of_unit.begin());
}

// A thread issues a vector instruction. Where instructions complete when they are issued, several threads can issue one in
// a cycle: for each of them what is due comes first.
bool VectorSchedule::issues(units::PlanRef& resolved, const frontend::GateWord& at) {
    const plan::Plan& plan = resolved->plan;
    if (any_ && vector::counts_instructions(state_)) {
        if (vector::any_due(state_)) {
            execute_due(scheduler_.now());
            take_due(scheduler_.now());
        }
        count_down();
        changed(scheduler_.now());
    }
    if (taken_at_ != scheduler_.now() || plan.sub_unit < 0 || !(taken_in_ >> plan.sub_unit & 1)) return true;
    diagnostics_.note({findings::id("vector.macro-collision"), {}, vector::name(vector::SubUnit(plan.sub_unit))},
                      {plan.thread, at.index, at.position, plan.instruction.word, scheduler_.now()});
    units::Resolved& discarded = resolved.alone();
    discarded.plan.effects.clear();
    discarded.plan.findings.clear();
    discarded.plan.work = plan::NoWork{};
    discarded.derive();
    return false;
}

void VectorSchedule::remember(const plan::Plan& plan, const Origin& origin) {
    bool schedules = false;
    for (const auto& effect : plan.effects) {
        if (!state::cells::schedule_block.contains(effect.cell)) continue;
        schedules = true;
        const unsigned slot =
            (state::index(effect.cell) - state::cells::schedule_block.first) / state::cells::size<state::Scheduled>;
        origins_[slot / vector::delays][slot % vector::delays] = origin;
    }
    if (schedules) changed(scheduler_.now());
}

// What executes as time passes is work of its thread in the unit; what waits for instructions that may never come is not.
void VectorSchedule::hold_threads(Cycle now) {
    std::array<bool, state::threads> holds{};
    const bool by_instructions = any_ && vector::counts_instructions(state_);
    for (unsigned unit = 0; unit < vector::sub_units && any_; ++unit)
        for (unsigned delay = 0; delay < (by_instructions ? 1 : vector::delays); ++delay)
            if (const auto what = vector::scheduled(state_, unit, delay)) holds[what->thread] = true;
    if (holds == holds_) return;
    for (unsigned t = 0; t < state::threads; ++t)
        if (holds[t] != holds_[t]) work_.hold_vector(t, holds[t]);
    holds_ = holds;
    scheduler_.raise(static_cast<Signals>(Signal::unit), now, {bit(plan::Pipe::vector), no_thread});
}

void VectorSchedule::tell_unfinished() {
    if (outcome_.stopped() || !any_) return;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit)
        for (unsigned delay = 0; delay < vector::delays; ++delay)
            if (const auto what = vector::scheduled(state_, unit, delay))
                diagnostics_.note({findings::id("vector.macro-unfinished"), {delay}, vector::name(vector::SubUnit(unit))},
                                  {what->thread, origins_[unit][delay].index, origins_[unit][delay].position,
                                   what->instruction.word, scheduler_.now()});
}

}  // namespace tessera::engine

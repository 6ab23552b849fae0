// SPDX-License-Identifier: Apache-2.0
// Instructions that SFPLOADMACRO has scheduled (its page, Functional model, the text behind it; spec-notes V65 to V72):
// cells hold them, here they count down and execute. A cycle begins with what is due; if nothing left waits for elapsed
// instructions the cycle counts, otherwise the instruction that a thread issues in it does; it ends with what was due.
#include "units/vector/schedule.hpp"
#include "engine/engine.hpp"
#include "engine/run_recorder.hpp"

namespace tessera::engine {

namespace vector = units::vector;

// Something has been scheduled, or has executed: the next cycle is waited for unless only instructions count.
void Engine::schedule_changed(Cycle now) {
    bool due = false, any = false;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit)
        for (unsigned delay = 0; delay < vector::delays; ++delay)
            if (vector::is_scheduled(state_, unit, delay)) {
                any = true;
                due |= delay == 0;
            }
    schedule_.any = any;
    if (any && recorder_) recorder_->give_up();
    hold_threads(now);
    if (!any || schedule_.awaited || (!due && vector::counts_instructions(state_))) return;
    schedule_.awaited = true;
    clock_.schedule(now + 1, Event::Kind::schedule, 0);
}

void Engine::schedule_cycle(Cycle now) {
    schedule_.awaited = false;
    take_due(now);
    if (stopped_) return;
    if (!vector::counts_instructions(state_)) count_down();
    schedule_changed(now);
}

// What is due looks at flags, configuration and registers as they are before the cycle, like what a thread issues in it:
// it is resolved first, and executes when the cycle is over. Where both write a register the thread's instruction does it
// last.
void Engine::take_due(Cycle now) {
    Due due;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit) {
        const auto scheduled = vector::scheduled(state_, unit, 0);
        if (!scheduled) continue;
        vector::forget_due(state_, unit);
        units::Look look(scheduled->instruction, scheduled->thread, state_, costs_, &slots_);
        look.macro_step = &scheduled->step;
        units::resolve(look, due[unit].emplace());
        const plan::Plan& plan = *due[unit];
        const Origin& origin = schedule_.origins[unit][0];
        if (plan.fault)
            return stop(*plan.fault, where(plan.thread, origin.index, plan.instruction.word, now, origin.position));
        schedule_.due_origins[unit] = origin;
        work_.add(bit(plan::Pipe::vector), plan.thread, false, false);
        if (schedule_.taken_at != now) schedule_.taken_in = 0;
        schedule_.taken_at = schedule_.due_at = now;
        schedule_.taken_in |= 1u << unit;
    }
    if (schedule_.due_at != now) return;
    checks::Due checked;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit) {
        const Origin& origin = schedule_.origins[unit][0];
        if (due[unit]) checked[unit] = {&*due[unit], origin.index, origin.position};
    }
    checker_.check_due(checked, now);
    schedule_.due = std::move(due);
    schedule_.lregs_before = state_.lregs;
}

void Engine::execute_due(Cycle now) {
    if (schedule_.due_at == never) return;
    schedule_.due_at = never;
    const state::LRegs& before = schedule_.lregs_before;
    const state::LRegs issued = state_.lregs;
    state::LRegs after = before;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit) {
        if (!schedule_.due[unit]) continue;
        state_.lregs = before;
        execute_scheduled(*schedule_.due[unit], schedule_.due_origins[unit], now);
        for (std::size_t i = 0; i < after.lane.size(); ++i)
            if (state_.lregs.lane[i] != before.lane[i]) after.lane[i] = state_.lregs.lane[i];
    }
    for (std::size_t i = 0; i < after.lane.size(); ++i)
        if (issued.lane[i] != before.lane[i]) after.lane[i] = issued.lane[i];
    state_.lregs = after;
}

// It stalls nobody, and nothing stalls it.
void Engine::execute_scheduled(const plan::Plan& plan, const Origin& origin, Cycle now) {
    for (const auto& finding : plan.findings)
        note(finding, plan.thread, origin.index, plan.instruction.word, origin.position);
    const std::uint32_t id = new_record(units::PlanRef::of(plan), next_number_++);
    Record& record = records_[id];
    record.resolved.alone().plan.cost.occupancy = 0;
    record.index = origin.index;
    record.position = origin.position;
    record.pushed = record.gate = record.issue = record.ready = now;
    record.explanation = -1;
    record.by_plan = true;
    know(record, order_.issue(plan.thread, plan.pipes, origin.index, false));
    start(id, now);
}

void Engine::count_down() {
    vector::count_down(state_);
    for (auto& of_unit : schedule_.origins) std::move(of_unit.begin() + 1, of_unit.end(), of_unit.begin());
}

// A thread issues a vector instruction. Where instructions complete when they are issued, several threads can issue one in
// a cycle: for each of them what is due comes first.
bool Engine::vector_issue(units::PlanRef& resolved, const GateWord& at) {
    const plan::Plan& plan = resolved->plan;
    if (schedule_.any && vector::counts_instructions(state_)) {
        if (vector::any_due(state_)) {
            execute_due(now_);
            take_due(now_);
        }
        count_down();
        schedule_changed(now_);
    }
    if (schedule_.taken_at != now_ || plan.sub_unit < 0 || !(schedule_.taken_in >> plan.sub_unit & 1)) return true;
    note({findings::id("vector.macro-collision"), {}, vector::name(vector::SubUnit(plan.sub_unit))}, plan.thread,
         at.index, plan.instruction.word, at.position);
    units::Resolved& discarded = resolved.alone();
    discarded.plan.effects.clear();
    discarded.plan.findings.clear();
    discarded.plan.work = plan::NoWork{};
    discarded.derive();
    return false;
}

void Engine::remember_scheduled(const plan::Plan& plan, const Origin& origin) {
    bool changed = false;
    for (const auto& effect : plan.effects) {
        if (!state::cells::schedule_block.contains(effect.cell)) continue;
        changed = true;
        const unsigned slot =
            (state::index(effect.cell) - state::cells::schedule_block.first) / state::cells::size<state::Scheduled>;
        schedule_.origins[slot / vector::delays][slot % vector::delays] = origin;
    }
    if (changed) schedule_changed(now_);
}

// What executes as time passes is work of its thread in the unit; what waits for instructions that may never come is not.
void Engine::hold_threads(Cycle now) {
    std::array<bool, state::threads> holds{};
    const bool by_instructions = schedule_.any && vector::counts_instructions(state_);
    for (unsigned unit = 0; unit < vector::sub_units && schedule_.any; ++unit)
        for (unsigned delay = 0; delay < (by_instructions ? 1 : vector::delays); ++delay)
            if (const auto what = vector::scheduled(state_, unit, delay)) holds[what->thread] = true;
    if (holds == schedule_.holds) return;
    for (unsigned t = 0; t < state::threads; ++t)
        if (holds[t] != schedule_.holds[t]) work_.hold_vector(t, holds[t]);
    schedule_.holds = holds;
    raise(static_cast<Signals>(Signal::unit), now, {bit(plan::Pipe::vector), no_thread});
}

void Engine::tell_unfinished_schedule() {
    if (stopped_ || !schedule_.any) return;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit)
        for (unsigned delay = 0; delay < vector::delays; ++delay)
            if (const auto what = vector::scheduled(state_, unit, delay))
                note({findings::id("vector.macro-unfinished"), {delay}, vector::name(vector::SubUnit(unit))},
                     what->thread, schedule_.origins[unit][delay].index, what->instruction.word,
                     schedule_.origins[unit][delay].position);
}

}  // namespace tessera::engine

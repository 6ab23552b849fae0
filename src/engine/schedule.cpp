// SPDX-License-Identifier: Apache-2.0
// Instructions that SFPLOADMACRO has scheduled (its page, Functional model, the text behind it; spec-notes V35 to V42):
// cells hold them, here they count down and execute. A cycle begins with what is due; if nothing waits for elapsed
// instructions the cycle counts, otherwise the instruction that a thread issues in it does.
#include "units/vector/schedule.hpp"
#include "engine/engine.hpp"

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
    schedule_any_ = any;
    hold_threads(now);
    if (!any || schedule_awaited_ || (!due && vector::counts_instructions(state_))) return;
    schedule_awaited_ = true;
    clock_.schedule(now + 1, Event::Kind::schedule, 0);
}

void Engine::schedule_cycle(Cycle now) {
    schedule_awaited_ = false;
    // What is due still counts as outstanding.
    const bool by_instructions = vector::counts_instructions(state_);
    if (by_instructions) instructions_count_at_ = now;
    execute_due(now);
    if (stopped_) return;
    if (!by_instructions) count_down();
    schedule_changed(now);
}

// All sub-units look at flags, configuration and registers before any of them writes.
void Engine::execute_due(Cycle now) {
    std::array<std::optional<plan::Plan>, vector::sub_units> plans;
    bool any = false;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit) {
        const auto due = vector::scheduled(state_, unit, 0);
        if (!due) continue;
        any = true;
        vector::forget_due(state_, unit);
        units::Look look(due->instruction, due->thread, state_, costs_, &slots_);
        look.macro_step = &due->step;
        units::resolve(look, plans[unit].emplace());
        if (plans[unit]->fault)
            return stop(*plans[unit]->fault, where(due->thread, origins_[unit][0].index, due->instruction.word, now,
                                                   origins_[unit][0].position));
        if (scheduled_at_ != now) scheduled_in_ = 0;
        scheduled_at_ = now;
        scheduled_in_ |= 1u << unit;
    }
    if (!any) return;
    check_due(plans, now);
    const state::LRegs before = state_.lregs;
    state::LRegs after = before;
    for (unsigned unit = vector::sub_units; unit-- > 0;) {
        if (!plans[unit]) continue;
        state_.lregs = before;
        execute_scheduled(unit, *plans[unit], now);
        for (std::size_t i = 0; i < after.lane.size(); ++i)
            if (state_.lregs.lane[i] != before.lane[i]) after.lane[i] = state_.lregs.lane[i];
    }
    state_.lregs = after;
}

// It stalls nobody, and nothing stalls it.
void Engine::execute_scheduled(unsigned unit, const plan::Plan& plan, Cycle now) {
    const Origin& origin = origins_[unit][0];
    for (const auto& finding : plan.findings)
        note(finding, plan.thread, origin.index, plan.instruction.word, origin.position);
    const std::uint32_t id = new_record();
    Record& record = records_[id];
    record.plan = plan;
    record.plan.cost.occupancy = 0;
    record.index = origin.index;
    record.position = origin.position;
    record.issue = record.ready = now;
    record.explanation = -1;
    record.by_plan = true;
    order_.issue(record.ticket, plan.thread, plan.pipes, origin.index, !std::holds_alternative<plan::NoWork>(plan.work),
                 false);
    ++activity_.in_pipe[static_cast<unsigned>(plan::Pipe::vector)][plan.thread];
    ++threads_[plan.thread].in_flight;
    start(id, now);
}

void Engine::count_down() {
    vector::count_down(state_);
    for (auto& of_unit : origins_) std::move(of_unit.begin() + 1, of_unit.end(), of_unit.begin());
}

// A thread issues a vector instruction. Where instructions complete when they are issued, several threads can issue one in
// a cycle: for each of them what is due comes first.
bool Engine::vector_issue(plan::Plan& plan, const GateWord& at) {
    if (schedule_any_ && (instructions_count_at_ == now_ || vector::counts_instructions(state_))) {
        execute_due(now_);
        count_down();
        schedule_changed(now_);
    }
    if (scheduled_at_ != now_ || plan.sub_unit < 0 || !(scheduled_in_ >> plan.sub_unit & 1)) return true;
    note({findings::id("vector.macro-collision"), {}, vector::name(vector::SubUnit(plan.sub_unit))}, plan.thread,
         at.index, plan.instruction.word, at.position);
    plan.effects.clear();
    plan.findings.clear();
    plan.work = plan::NoWork{};
    return false;
}

void Engine::remember_scheduled(const Record& record) {
    bool changed = false;
    for (const auto& effect : record.plan.effects) {
        if (!state::cells::schedule_block.contains(effect.cell)) continue;
        changed = true;
        const unsigned slot =
            (state::index(effect.cell) - state::cells::schedule_block.first) / state::cells::size<state::Scheduled>;
        origins_[slot / vector::delays][slot % vector::delays] = {record.index, record.position};
    }
    if (changed) schedule_changed(now_);
}

// What executes as time passes is work of its thread in the unit; what waits for instructions that may never come is not.
void Engine::hold_threads(Cycle now) {
    std::array<bool, state::threads> holds{};
    const bool by_instructions = schedule_any_ && vector::counts_instructions(state_);
    for (unsigned unit = 0; unit < vector::sub_units && schedule_any_; ++unit)
        for (unsigned delay = 0; delay < (by_instructions ? 1 : vector::delays); ++delay)
            if (const auto what = vector::scheduled(state_, unit, delay)) holds[what->thread] = true;
    if (holds == schedule_holds_) return;
    for (unsigned t = 0; t < state::threads; ++t) {
        const auto by = static_cast<std::uint32_t>(int{holds[t]} - int{schedule_holds_[t]});
        activity_.in_pipe[static_cast<unsigned>(plan::Pipe::vector)][t] += by;
        threads_[t].in_flight += by;
    }
    schedule_holds_ = holds;
    raise(static_cast<Signals>(Signal::unit), now);
}

void Engine::tell_unfinished_schedule() {
    if (stopped_ || !schedule_any_) return;
    for (unsigned unit = 0; unit < vector::sub_units; ++unit)
        for (unsigned delay = 0; delay < vector::delays; ++delay)
            if (const auto what = vector::scheduled(state_, unit, delay))
                note({findings::id("vector.macro-unfinished"), {delay}, vector::name(vector::SubUnit(unit))},
                     what->thread, origins_[unit][delay].index, what->instruction.word, origins_[unit][delay].position);
}

}  // namespace tessera::engine

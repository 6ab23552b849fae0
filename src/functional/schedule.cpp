// SPDX-License-Identifier: Apache-2.0
#include "functional/schedule.hpp"

#include <algorithm>
#include <cassert>

#include "units/vector/dependences.hpp"

namespace tessera::functional {

namespace vector = units::vector;

void Schedule::inspect() {
    bool due = false;
    any_ = false;
    in_unit_ = {};
    const bool by_instructions = vector::counts_instructions(state_);
    vector::for_each_scheduled(state_, [&](unsigned, unsigned delay, const auto& what) {
        any_ = true;
        due |= delay == 0;
        if (delay == 0 || !by_instructions) in_unit_[what.thread] = 1;
    });
    for (const auto& plan : due_)
        if (due_now_ && plan) in_unit_[plan->thread] = 1;
    awaited_ = any_ && (due || !by_instructions);
}

// Due instructions read the registers as they are when the cycle begins. The thread's instruction executes next; then
// the due ones write.
void Schedule::next_cycle() {
    execute_due();
    ++now_;
    taken_in_ = 0;
    if (!awaited_) return;
    take_due();
    if (!vector::counts_instructions(state_)) origins_.count_down(state_);
    inspect();
}

void Schedule::take_due() {
    for (unsigned unit = 0; unit < vector::sub_units; ++unit) {
        due_[unit] = engine::take_due(state_, slots_, costs_, unit);
        if (!due_[unit]) continue;
        assert(!due_[unit]->fault);  // no vector instruction has one
        due_origins_[unit] = origins_.of(unit, 0);
        due_now_ = true;
        taken_in_ |= 1u << unit;
    }
    if (due_now_) lregs_before_ = state_.lregs;
}

void Schedule::execute_due() {
    if (!due_now_) return;
    due_now_ = false;
    engine::execute_together(state_, lregs_before_, due_,
                             [&](unsigned unit) { execute(*due_[unit], due_origins_[unit]); });
    due_ = {};
    inspect();
}

void Schedule::execute(const plan::Plan& plan, const Origin& origin) {
    for (const auto& finding : plan.findings) listener_.report(finding, plan.thread, plan.instruction.word, origin);
    plan::run_whole(plan, state_);
    origins_.note(plan, origin);
}

void Schedule::come_to(const plan::Plan& plan) {
    Cycle at = std::max(now_, next_[plan.thread]);
    if (plan.pipes & bit(plan::Pipe::vector)) {
        if (last_ && last_->start + 1 == at && last_->holds_back(vector::register_use(plan), at)) ++at;
        if (unit_free_ > at + plan.cost.fills_pause) at = unit_free_;
    }
    while (now_ < at && busy()) next_cycle();
    if (now_ < at) {
        now_ = at;
        taken_in_ = 0;
    }
    next_[plan.thread] = at + std::max<Cycle>({1, plan.cost.address, plan.cost.hold});
}

bool Schedule::issue_vector(const plan::Plan& plan, const Origin& origin) {
    if (any_ && vector::counts_instructions(state_)) {
        if (vector::any_due(state_)) {
            execute_due();
            take_due();
        }
        origins_.count_down(state_);
        inspect();
    }
    const auto report = [&](findings::Id what, unsigned unit) {
        listener_.report({what, {}, vector::name(vector::SubUnit(unit))}, plan.thread, plan.instruction.word, origin);
    };
    if (any_)
        if (const auto unit = engine::replaces_scheduled(state_, plan))
            report(findings::id("vector.macro-replaced"), *unit);
    if (plan.sub_unit < 0 || !(taken_in_ >> plan.sub_unit & 1)) return true;
    report(findings::id("vector.macro-collision"), static_cast<unsigned>(plan.sub_unit));
    return false;
}

void Schedule::issued(const plan::Plan& plan, const Origin& origin) {
    const bool began = !busy();
    if (origins_.note(plan, origin)) inspect();
    if (!busy()) return;
    if (began) {
        taken_in_ = 0;
        next_.fill(now_ + 1);
        unit_free_ = 0;
    }
    unit_free_ = std::max<Cycle>(unit_free_, now_ + plan.cost.occupancy);
    last_ = engine::VectorPast{vector::register_use(plan), now_};
}

void Schedule::pass_time() {
    while (waits_for_time()) next_cycle();
}

void Schedule::report_unfinished() {
    vector::for_each_scheduled(state_, [&](unsigned unit, unsigned delay, const auto& what) {
        listener_.report({findings::id("vector.macro-unfinished"), {delay}, vector::name(vector::SubUnit(unit))},
                         what.thread, what.instruction.word, origins_.of(unit, delay));
    });
}

}  // namespace tessera::functional

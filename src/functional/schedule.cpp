// SPDX-License-Identifier: Apache-2.0
#include "functional/schedule.hpp"

#include <algorithm>

#include "units/vector/dependences.hpp"

namespace tessera::functional {

namespace vector = units::vector;

void Schedule::inspect() {
    const engine::ScheduleAhead ahead(state_);
    any_ = ahead.any;
    awaited_ = ahead.executes;
    in_unit_ = ahead.in_unit;
    for (const auto& one : due_)
        if (due_now_ && one) in_unit_[one->plan.thread] = 1;
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
    const unsigned taken = engine::take_due(state_, slots_, costs_, origins_, due_);
    due_now_ = taken;
    taken_in_ |= taken;
    if (taken) lregs_before_ = state_.lregs;
}

void Schedule::execute_due() {
    if (!due_now_) return;
    due_now_ = false;
    engine::execute_together(state_, lregs_before_, due_, [&](const plan::Plan& plan, const Origin& origin) {
        for (const auto& finding : plan.findings) report(finding, plan, origin);
        plan::run_whole(plan, state_);
        origins_.note(plan, origin);
    });
    inspect();
}

void Schedule::report(const findings::Note& what, const plan::Plan& of, const Origin& origin) {
    listener_.found(what, of.thread, {origin.index, origin.position, of.instruction.word});
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
    const auto name = [](auto unit) { return vector::name(vector::SubUnit(unit)); };
    if (any_)
        if (const auto unit = engine::replaces_scheduled(state_, plan))
            report({findings::id("vector.macro-replaced"), {}, name(*unit)}, plan, origin);
    if (plan.sub_unit < 0 || !(taken_in_ >> plan.sub_unit & 1)) return true;
    report({findings::id("vector.macro-collision"), {}, name(plan.sub_unit)}, plan, origin);
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
        const Origin& origin = origins_.of(unit, delay);
        listener_.found({findings::id("vector.macro-unfinished"), {delay}, vector::name(vector::SubUnit(unit))},
                        what.thread, {origin.index, origin.position, what.instruction.word});
    });
}

}  // namespace tessera::functional

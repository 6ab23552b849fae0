// SPDX-License-Identifier: Apache-2.0
// Instructions that SFPLOADMACRO has scheduled, with time or without: their origins, and the execution of all that are
// due in one cycle.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "engine/wait.hpp"
#include "plan/plan.hpp"
#include "state/state.hpp"
#include "units/resolve.hpp"
#include "units/slots.hpp"
#include "units/vector/dependences.hpp"
#include "units/vector/schedule.hpp"

namespace tessera::engine {

/// Calls f(unit, delay) for each effect of the plan on a place of the schedule.
template <class F>
void for_each_scheduling(const plan::Plan& plan, F&& f) {
    using state::cells::schedule_block;
    for (const auto& effect : plan.effects) {
        if (!schedule_block.contains(effect.cell)) continue;
        const unsigned place =
            (state::index(effect.cell) - schedule_block.first) / state::cells::size<state::Scheduled>;
        f(place / units::vector::delays, place % units::vector::delays);
    }
}

/// The origin of each place of the schedule.
class ScheduledOrigins {
public:
    const Origin& of(unsigned unit, unsigned delay) const { return origins_[unit][delay]; }
    /// The plan's instruction executed at that origin. Returns whether it scheduled anything.
    bool note(const plan::Plan& plan, const Origin& origin) {
        bool schedules = false;
        for_each_scheduling(plan, [&](unsigned unit, unsigned delay) {
            schedules = true;
            origins_[unit][delay] = origin;
        });
        return schedules;
    }
    /// Moves the schedule by one place, in the state and here.
    void count_down(state::State& state) {
        units::vector::count_down(state);
        for (auto& of_unit : origins_) std::move(of_unit.begin() + 1, of_unit.end(), of_unit.begin());
    }

private:
    std::array<std::array<Origin, state::cells::macro_delays>, state::cells::sub_units> origins_{};
};

/// The next acts of the schedule.
struct ScheduleAhead {
    bool any = false;
    bool executes = false;  ///< an entry does as time passes; others wait for instructions, of which none may follow
    std::array<std::uint32_t, state::threads> in_unit{};  ///< 1 if one of the thread's does: it is work in the unit

    explicit ScheduleAhead(const state::State& state) {
        const bool by_instructions = units::vector::counts_instructions(state);
        units::vector::for_each_scheduled(state, [&](unsigned, unsigned delay, const auto& what) {
            any = true;
            if (delay != 0 && by_instructions) return;
            executes = true;
            in_unit[what.thread] = 1;
        });
    }
};

/// Instructions that execute at the end of one cycle, by sub-unit.
struct DueInstruction {
    plan::Plan plan;
    Origin origin;
};
using Due = std::array<std::optional<DueInstruction>, state::cells::sub_units>;

/// Removes the due instructions from the schedule and resolves them. They see flags, configuration and registers of before the cycle.
/// Returns their sub-units, a bit each.
inline unsigned take_due(state::State& state, units::Slots& slots, const units::CostTable& costs,
                         const ScheduledOrigins& origins, Due& due) {
    namespace vector = units::vector;
    unsigned taken = 0;
    for (unsigned unit = 0; unit < due.size(); ++unit) {
        due[unit].reset();
        const auto scheduled = vector::scheduled(state, unit, 0);
        if (!scheduled) continue;
        vector::forget_due(state, unit);
        units::StateView view(scheduled->instruction, scheduled->thread, state, costs, &slots);
        view.macro_step = &scheduled->step;
        due[unit].emplace().origin = origins.of(unit, 0);
        units::resolve(view, due[unit]->plan);
        assert(!due[unit]->plan.fault);  // no vector instruction has one
        taken |= 1u << unit;
    }
    return taken;
}

/// Calls execute(plan, origin) for each due instruction. All see the LRegs of before the cycle. If both write one LReg, the
/// thread's instruction, which has already executed, wins.
template <class F>
void execute_together(state::State& state, const state::LRegs& before, const Due& due, F&& execute) {
    const state::LRegs issued = state.lregs;
    state::LRegs after = before;
    const auto merge = [&](const state::LRegs& changed) {
        for (std::size_t i = 0; i < after.lane.size(); ++i)
            if (changed.lane[i] != before.lane[i]) after.lane[i] = changed.lane[i];
    };
    for (const auto& one : due) {
        if (!one) continue;
        state.lregs = before;
        execute(one->plan, one->origin);
        merge(state.lregs);
    }
    merge(issued);
    state.lregs = after;
}

/// A sub-unit in which the plan schedules an instruction in place of one that has not executed; empty: there is none. Ask before it takes
/// effect.
inline std::optional<unsigned> replaces_scheduled(const state::State& state, const plan::Plan& plan) {
    std::optional<unsigned> replaced;
    for_each_scheduling(plan, [&](unsigned unit, unsigned delay) {
        if (!replaced && units::vector::is_scheduled(state, unit, delay)) replaced = unit;
    });
    return replaced;
}

/// A vector instruction that a thread has issued.
struct VectorPast {
    units::RegisterUse use;
    Cycle start = 0;  ///< in the unit: later than its issue, if it waited in the place in front of it

    /// Whether an instruction that would start then is held back for its result.
    bool holds_back(const units::RegisterUse& next, Cycle at) const {
        return use.late && start + 1 == at && units::vector::holds_back(use, next);
    }
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// The instructions that SFPLOADMACRO has scheduled: per sub-unit, one for each remaining delay. The caller decides
// when delays count down; this file has the meaning of the cells.
#pragma once

#include <optional>

#include "units/state_view.hpp"
#include "units/vector/sub_units.hpp"

namespace tessera::units::vector {

inline constexpr unsigned sub_units = state::cells::sub_units, delays = state::cells::macro_delays;

struct ScheduledInstruction {
    isa::Instruction instruction;
    unsigned thread = 0;
    MacroStep step;
};

/// The instruction that a sub-unit executes in `delay` steps; none for an empty slot or bits that SFPLOADMACRO cannot
/// have set.
std::optional<ScheduledInstruction> scheduled(const state::State& state, unsigned sub_unit, unsigned delay);

bool is_scheduled(const state::State& state, unsigned sub_unit, unsigned delay);

/// Calls f(sub_unit, delay, what) for each.
template <class F>
void for_each_scheduled(const state::State& state, F&& f) {
    for (unsigned unit = 0; unit < sub_units; ++unit)
        for (unsigned delay = 0; delay < delays; ++delay)
            if (const auto what = scheduled(state, unit, delay)) f(unit, delay, *what);
}

/// Whether any instruction has a delay of 0.
bool any_due(const state::State& state);

/// Whether any scheduled instruction waits for elapsed instructions; all delays count instructions then, not cycles.
bool counts_instructions(const state::State& state);

/// VD of the last instruction taken from a sub-unit's delay 0.
unsigned scheduled_vd(const state::State& state, unsigned sub_unit);

/// Whether the simple and the round sub-unit can write these two LRegs in one cycle (the page's table, note).
bool may_write_together(Arch arch, unsigned first, unsigned second);

/// Lowers every delay by one. No instruction may have a delay of 0.
void count_down(state::State& state);

/// Removes the sub-unit's instruction with delay 0.
void forget_due(state::State& state, unsigned sub_unit);

}  // namespace tessera::units::vector

// SPDX-License-Identifier: Apache-2.0
// What SFPLOADMACRO has scheduled: per sub-unit, an instruction for each count of its delay. Who lets time pass decides
// when they count down; here is what the cells mean.
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

/// What a sub-unit executes when its delay has come down from `delay`, if anything that SFPLOADMACRO can have scheduled.
std::optional<ScheduledInstruction> scheduled(const state::State& state, unsigned sub_unit, unsigned delay);

bool is_scheduled(const state::State& state, unsigned sub_unit, unsigned delay);

/// Whether something has a delay of 0.
bool any_due(const state::State& state);

/// Whether anything scheduled waits for elapsed instructions: everything counts instructions then, not cycles.
bool counts_instructions(const state::State& state);

/// VD of what was taken from delay 0 of a sub-unit last.
unsigned scheduled_vd(const state::State& state, unsigned sub_unit);

/// Whether the simple and the round sub-unit can write these two LRegs in one cycle (the page's table, note).
bool may_write_together(Arch arch, unsigned first, unsigned second);

/// Every delay comes down by one. Nothing may have a delay of 0.
void count_down(state::State& state);

/// Removes what a sub-unit would execute next.
void forget_due(state::State& state, unsigned sub_unit);

}  // namespace tessera::units::vector

// SPDX-License-Identifier: Apache-2.0
// Makes a plan from an instruction and the state, with its unit's registration (units/behaviour.hpp).
#pragma once

#include "plan/plan.hpp"
#include "units/state_view.hpp"

namespace tessera::units {

struct Resolved;

/// Resolves one instruction. An unknown opcode, or one without a unit, gives a plan with a fault.
void resolve(const StateView& view, plan::Plan& plan);

/// Turns a memoised plan into the present one, if only values of StateView::place() and count() differ. `before`: its
/// values of Captures::places. False: unchanged, and to be resolved again.
bool move(const StateView& view, std::span<const std::uint32_t> before, Resolved& kept);

/// Whether a unit executes the instruction.
bool has_behaviour(isa::Mnemonic mnemonic);

}  // namespace tessera::units

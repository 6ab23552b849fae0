// SPDX-License-Identifier: Apache-2.0
// From an instruction and the state to a plan, by what its unit has registered (units/behaviour.hpp).
#pragma once

#include "plan/plan.hpp"
#include "units/state_view.hpp"

namespace tessera::units {

struct Resolved;

/// Resolves one instruction. An opcode that does not exist, or that no unit has, gives a plan with a fault.
void resolve(const StateView& view, plan::Plan& plan);

/// Makes of a kept plan the one of now, which differs only by what StateView::place() was asked for; `before`: the values of Captures::places
/// that it was made for. False: it has not changed, and is to be resolved again.
bool move(const StateView& view, std::span<const std::uint32_t> before, Resolved& kept);

/// Whether some unit executes the instruction.
bool has_behaviour(isa::Mnemonic mnemonic);

}  // namespace tessera::units

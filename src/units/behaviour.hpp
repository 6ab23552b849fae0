// SPDX-License-Identifier: Apache-2.0
// The registration of an instruction by its unit: its resolve function and its cost. Each file in units/UNIT/rules/
// ends with the list of its instructions, FILE_rules(). The build joins these lists (cmake/TesseraRegistered.cmake).
#pragma once

#include <span>

#include "isa/table.hpp"
#include "units/costs/instruction_cost.hpp"

namespace tessera::plan {
struct Plan;
}

namespace tessera::units {

class StateView;

/// Fills in the plan. Called with instruction, thread, pipe and cost already set.
using Resolve = void (*)(const StateView&, plan::Plan&);

struct Behaviour {
    isa::Mnemonic mnemonic;
    Resolve resolve;
    InstructionCost cost{};
};

/// The lists of all files.
std::span<const std::span<const Behaviour>> registered_behaviours();

/// Null: no unit executes the instruction.
const Behaviour* behaviour_of(isa::Mnemonic mnemonic);

}  // namespace tessera::units

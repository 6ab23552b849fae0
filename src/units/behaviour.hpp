// SPDX-License-Identifier: Apache-2.0
// The registration of an instruction by its unit: its resolve function, its cost, and how its plans move. Each file in units/UNIT/rules/
// ends with the list of its instructions, FILE_rules(). The build joins these lists (cmake/TesseraRegistered.cmake).
#pragma once

#include <cstdint>
#include <span>

#include "isa/table.hpp"
#include "units/costs/instruction_cost.hpp"

namespace tessera::plan {
struct Plan;
}

namespace tessera::units {

class StateView;
struct Resolved;

/// Fills in the plan. Called with instruction, thread, pipe and cost already set.
using Resolve = void (*)(const StateView&, plan::Plan&);
/// The instruction's part of units::move().
using Move = bool (*)(const StateView&, std::span<const std::uint32_t> before, Resolved& kept);

struct Behaviour {
    isa::Mnemonic mnemonic;
    Resolve resolve;
    InstructionCost cost{};
    Move move = nullptr;  ///< if its plans have places
};

/// The lists of all files.
std::span<const std::span<const Behaviour>> registered_behaviours();

/// Null: no unit executes the instruction.
const Behaviour* behaviour_of(isa::Mnemonic mnemonic);

}  // namespace tessera::units

// SPDX-License-Identifier: Apache-2.0
// Which instructions have a functional model here.
#pragma once

#include "isa/table.hpp"
#include "reference/machine.hpp"

namespace tessera::reference {

using Model = Outcome (*)(state::State& state, unsigned CurrentThread, std::uint32_t word);

/// nullptr: the instruction has no model.
Model model_of(isa::Mnemonic mnemonic);
Model model_of(const isa::Instruction& instruction);

}  // namespace tessera::reference

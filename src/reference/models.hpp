// SPDX-License-Identifier: Apache-2.0
// The list of instructions with a functional model. Each file in models/ ends with the list of its instructions,
// FILE_models(); the build joins these lists (cmake/TesseraRegistered.cmake).
#pragma once

#include <span>

#include "isa/table.hpp"
#include "reference/machine.hpp"

namespace tessera::reference {

using Model = Outcome (*)(state::State& state, unsigned CurrentThread, std::uint32_t word);

struct VectorMachine;
struct Insn;

namespace vector {

/// The model of an instruction whose fields are known: issued by a thread, or assembled by SFPLOADMACRO.
using Model = Outcome (*)(VectorMachine& m, const Insn& i);

/// The sub-unit of an instruction (SFPLOADMACRO, table at the top of the page); the first four in the order of its
/// sequences.
enum class SubUnit : std::uint8_t { Simple, MAD, Round, Store, Load };

}  // namespace vector

struct Registered {
    isa::Mnemonic instruction;
    Model model;
    vector::Model of_fields = nullptr;                  ///< vector unit only
    vector::SubUnit sub_unit = vector::SubUnit::Load;  ///< of SFPNOP: Load, though Simple, MAD and Round execute it too
};

/// The lists of all files.
std::span<const std::span<const Registered>> registered_models();

/// nullptr: the instruction has no model.
const Registered* find(isa::Mnemonic mnemonic);
Model model_of(isa::Mnemonic mnemonic);
Model model_of(const isa::Instruction& instruction);

}  // namespace tessera::reference

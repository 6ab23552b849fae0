// SPDX-License-Identifier: Apache-2.0
// The functional models of vector instructions with known fields: issued by a thread, or assembled by SFPLOADMACRO.
#pragma once

#include "reference/models.hpp"
#include "reference/vector_machine.hpp"

namespace tessera::reference::vector {

/// nullptr: not a vector instruction.
const Registered* find(const isa::Instruction& instruction);

/// A thread issues the instruction. If VD >= 12 asks for it, it is recorded as a template of SFPLOADMACRO (V64), and
/// executed as far as its model allows then.
Outcome issue(state::State& state, unsigned CurrentThread, std::uint32_t word);

constexpr Registered of_unit(isa::Mnemonic instruction, Model model, SubUnit sub_unit) {
    return {instruction, issue, model, sub_unit};
}

// models/vector_exchange.cpp, as SFPLOADMACRO uses it
Outcome SFPSTORE(VectorMachine& m, const Insn& i);
/// Mod0, with MOD0_FMT_SRCB replaced by a concrete mode.
std::uint32_t resolve_Mod0(const VectorMachine& m, std::uint32_t Mod0);
/// The address that `i` loads from; moves the stack pointer. `Mod0` is already concrete, here and below.
std::uint32_t load_address(VectorMachine& m, const Insn& i, std::uint32_t Mod0);
void load_from(VectorMachine& m, const Insn& i, std::uint32_t Mod0, std::uint32_t Addr);
void store_to(VectorMachine& m, const Insn& i, std::uint32_t Mod0, std::uint32_t Addr);

}  // namespace tessera::reference::vector

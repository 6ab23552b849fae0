// SPDX-License-Identifier: Apache-2.0
// The functional models of the vector unit, of instructions whose fields are known: issued by a thread, or put together by
// SFPLOADMACRO.
#pragma once

#include "reference/models.hpp"
#include "reference/vector_machine.hpp"

namespace tessera::reference::vector {

/// nullptr: not a vector instruction.
const Registered* find(const isa::Instruction& instruction);

/// As a thread issues it. Recorded as a template of SFPLOADMACRO where VD >= 12 asks for that (V64), and executed as far as its model does
/// then.
Outcome issue(state::State& state, unsigned CurrentThread, std::uint32_t word);

constexpr Registered of_unit(isa::Mnemonic instruction, Model model, SubUnit sub_unit) {
    return {instruction, issue, model, sub_unit};
}

// models/vector_exchange.cpp, as SFPLOADMACRO uses it
Outcome SFPSTORE(VectorMachine& m, const Insn& i);
/// Mod0, with MOD0_FMT_SRCB resolved to something concrete.
std::uint32_t resolve_Mod0(const VectorMachine& m, std::uint32_t Mod0);
/// The address that `i` loads from; moves the stack pointer. `Mod0` has been resolved, here and below.
std::uint32_t load_address(VectorMachine& m, const Insn& i, std::uint32_t Mod0);
void load_from(VectorMachine& m, const Insn& i, std::uint32_t Mod0, std::uint32_t Addr);
void store_to(VectorMachine& m, const Insn& i, std::uint32_t Mod0, std::uint32_t Addr);

}  // namespace tessera::reference::vector

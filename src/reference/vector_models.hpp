// SPDX-License-Identifier: Apache-2.0
// The functional models of the vector unit, of instructions whose fields are known: issued by a thread, or put together by
// SFPLOADMACRO.
#pragma once

#include "reference/vector_machine.hpp"

namespace tessera::reference::vector {

using Model = Outcome (*)(VectorMachine& m, const Insn& i);

/// What executes an instruction (SFPLOADMACRO, table at the top of the page); the first four in the order of its sequences.
enum class SubUnit : std::uint8_t { Simple, MAD, Round, Store, Load };

struct Row {
    isa::Mnemonic instruction;
    Model model;
    SubUnit sub_unit;  ///< of SFPNOP: Load, though Simple, MAD and Round take it too
};

/// nullptr: not a vector instruction.
const Row* find(const isa::Instruction& instruction);

// vector_arithmetic.cpp
Outcome SFPMAD(VectorMachine& m, const Insn& i);
Outcome SFPADDI(VectorMachine& m, const Insn& i);
Outcome SFPMULI(VectorMachine& m, const Insn& i);
Outcome SFPMUL24(VectorMachine& m, const Insn& i);

// vector_lut.cpp
Outcome SFPLUT(VectorMachine& m, const Insn& i);
Outcome SFPLUTFP32(VectorMachine& m, const Insn& i);
Outcome SFPARECIP(VectorMachine& m, const Insn& i);

// vector_fields.cpp
Outcome SFPDIVP2(VectorMachine& m, const Insn& i);
Outcome SFPEXEXP(VectorMachine& m, const Insn& i);
Outcome SFPEXMAN(VectorMachine& m, const Insn& i);
Outcome SFPSETEXP(VectorMachine& m, const Insn& i);
Outcome SFPSETMAN(VectorMachine& m, const Insn& i);
Outcome SFPSETSGN(VectorMachine& m, const Insn& i);
Outcome SFPABS(VectorMachine& m, const Insn& i);

// vector_integer.cpp
Outcome SFPIADD(VectorMachine& m, const Insn& i);
Outcome SFPSHFT(VectorMachine& m, const Insn& i);
Outcome SFPAND(VectorMachine& m, const Insn& i);
Outcome SFPOR(VectorMachine& m, const Insn& i);
Outcome SFPXOR(VectorMachine& m, const Insn& i);
Outcome SFPNOT(VectorMachine& m, const Insn& i);
Outcome SFPLZ(VectorMachine& m, const Insn& i);

// vector_casts.cpp
Outcome SFPCAST(VectorMachine& m, const Insn& i);
Outcome SFP_STOCH_RND(VectorMachine& m, const Insn& i);

// vector_flags.cpp
Outcome SFPSETCC(VectorMachine& m, const Insn& i);
Outcome SFPENCC(VectorMachine& m, const Insn& i);
Outcome SFPCOMPC(VectorMachine& m, const Insn& i);
Outcome SFPPUSHC(VectorMachine& m, const Insn& i);
Outcome SFPPOPC(VectorMachine& m, const Insn& i);
Outcome SFPGT(VectorMachine& m, const Insn& i);
Outcome SFPLE(VectorMachine& m, const Insn& i);

// vector_config.cpp
Outcome SFPCONFIG(VectorMachine& m, const Insn& i);
Outcome SFPMOV(VectorMachine& m, const Insn& i);
Outcome SFPNOP(VectorMachine& m, const Insn& i);

// vector_shuffles.cpp
Outcome SFPSWAP(VectorMachine& m, const Insn& i);
Outcome SFPSHFT2(VectorMachine& m, const Insn& i);
Outcome SFPTRANSP(VectorMachine& m, const Insn& i);

// vector_exchange.cpp
Outcome SFPLOAD(VectorMachine& m, const Insn& i);
Outcome SFPSTORE(VectorMachine& m, const Insn& i);
Outcome SFPLOADI(VectorMachine& m, const Insn& i);

// vector_macro.cpp
Outcome SFPLOADMACRO(VectorMachine& m, const Insn& i);

/// Mod0, with MOD0_FMT_SRCB resolved to something concrete.
std::uint32_t resolve_Mod0(const VectorMachine& m, std::uint32_t Mod0);
/// The address that `i` loads from; moves the stack pointer. `Mod0` has been resolved, here and below.
std::uint32_t load_address(VectorMachine& m, const Insn& i, std::uint32_t Mod0);
void load_from(VectorMachine& m, const Insn& i, std::uint32_t Mod0, std::uint32_t Addr);
void store_to(VectorMachine& m, const Insn& i, std::uint32_t Mod0, std::uint32_t Addr);

}  // namespace tessera::reference::vector

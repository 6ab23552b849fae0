// SPDX-License-Identifier: Apache-2.0
// Auto TTSync (Blackhole; AutoTTSync): the tracked resources that a T core's access or an instruction uses. Empty
// unless the thread's TENSIX_TRISC_SYNC_* enable tracking. The engine does the waiting.
#pragma once

#include "isa/instruction.hpp"
#include "isa/opcode.hpp"
#include "state/resources.hpp"
#include "state/state.hpp"

namespace tessera::frontend::auto_sync {

/// True if Auto TTSync tracks the thread's instructions.
bool tracks(const state::State& state, unsigned thread);

// Resources of accesses by the thread's core.
state::Resources config_word(const state::State& state, unsigned thread, unsigned bank, unsigned addr32);
/// A word that writes both banks.
state::Resources dual_word(const state::State& state, unsigned thread);
/// Word `addr32` of thread `whose`.
state::Resources thread_config_word(const state::State& state, unsigned thread, unsigned whose, unsigned addr32);
state::Resources gprs(const state::State& state, unsigned thread);
state::Resources tdma(const state::State& state, unsigned thread);

/// Resources that an instruction of the thread uses. `bank` is the configuration bank selected when it executes.
state::Uses uses(const state::State& state, unsigned thread, const isa::Instruction& instruction, unsigned bank);

/// Whether the word may be a RESOURCEDECL, on a chip that has it.
constexpr bool may_declare(std::uint32_t word) { return isa::is_word_of(isa::mnemonic("RESOURCEDECL"), word); }
/// RESOURCEDECL: writes the declaration and returns its cell.
state::Cell declare(state::State& state, unsigned thread, const isa::Instruction& declaration);

}  // namespace tessera::frontend::auto_sync

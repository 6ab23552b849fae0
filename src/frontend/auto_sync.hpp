// SPDX-License-Identifier: Apache-2.0
// Auto TTSync (Blackhole; AutoTTSync): which of the tracked resources a T core's access means, and what an instruction uses of
// them. Nothing, while the thread's TENSIX_TRISC_SYNC_* do not ask for it. When somebody waits is the engine's business.
#pragma once

#include "isa/instruction.hpp"
#include "state/resources.hpp"
#include "state/state.hpp"

namespace tessera::frontend::auto_sync {

/// Whether the thread's instructions are tracked.
bool tracks(const state::State& state, unsigned thread);

// Accesses of the thread's core.
state::Resources config_word(const state::State& state, unsigned thread, unsigned bank, unsigned addr32);
/// A word that writes both banks.
state::Resources dual_word(const state::State& state, unsigned thread);
/// Word `addr32` of thread `whose`.
state::Resources thread_config_word(const state::State& state, unsigned thread, unsigned whose, unsigned addr32);
state::Resources gprs(const state::State& state, unsigned thread);
state::Resources tdma(const state::State& state, unsigned thread);

/// What an instruction of the thread uses; `bank` is the configuration bank that it will find chosen.
state::Uses uses(const state::State& state, unsigned thread, const isa::Instruction& instruction, unsigned bank);

/// RESOURCEDECL: writes the cell that it returns.
state::Cell declare(state::State& state, unsigned thread, const isa::Instruction& declaration);

}  // namespace tessera::frontend::auto_sync

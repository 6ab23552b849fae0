// SPDX-License-Identifier: Apache-2.0
// The last change of each resource that can be waited for, and its holder. The report of a hang uses both.
#pragma once

#include <array>
#include <map>
#include <string>

#include "diagnostics/places.hpp"
#include "engine/cores.hpp"
#include "engine/wait.hpp"
#include "frontend/expanders.hpp"
#include "plan/effects.hpp"
#include "plan/plan.hpp"
#include "state/state.hpp"
#include "tessera/run.hpp"

namespace tessera::engine {

struct LastCauses {
    std::array<Cause, 8> semaphores{};
    std::array<Cause, 8> posts{};  ///< the last post of each semaphore
    std::uint8_t awaited = 0;      ///< semaphores that an instruction waited for or read
    std::uint8_t initialised = 0;  ///< semaphores whose last change was a SEMINIT
    std::array<Cause, state::cells::max_mutexes> mutexes{};
    std::array<Cause, 4> banks{};  ///< source * 2 + bank
    /// Of registers of overlay streams that have been changed, by state::mmio::stream_word().
    std::map<std::uint32_t, Cause> streams;

    /// The cell is written. `differs`: its value has changed. Other cells are ignored.
    void written(state::Cell cell, const Cause& by, plan::CellOp how, bool differs);
};

/// Semaphores that the thread's latched wait needs to be non-zero.
std::uint8_t awaited_posts(unsigned thread, const state::State& state);

/// "T1 op 3, cycle 70"; without the cycle if there is no clock (no_cycle).
std::string cause_text(const Cause& cause, const diagnostics::Places& places);

/// The last change of the awaited resource; empty if no actor changes it. Of a latched wait: of each semaphore or bank
/// that holds it.
std::string last_cause(const LastCauses& last_causes, const Wait& wait, unsigned thread, const state::State& state,
                       const diagnostics::Places& places);

/// The same of what a core polls, but L1. Of a semaphore that is zero: also what would post it.
std::string last_cause(const LastCauses& last_causes, const Cores::Polled& polled, const state::State& state,
                       const diagnostics::Places& places);

/// The holder of the awaited resource. `held`: the instruction that waits in the scalar unit, or null.
std::string holder(const Wait& wait, unsigned thread, const state::State& state, const plan::Plan* held);

/// Names the holder of a bank that an instruction waits for in its unit, and the bank's last change.
void name_bank(Blocked& blocked, const plan::BankNeed& need, const LastCauses& last_causes,
               const diagnostics::Places& places);

/// An instruction in a unit, or in front of it: who, what and where.
Blocked blocked_in_unit(const plan::Plan& plan, unsigned pipe, std::int64_t index, Arch arch, const diagnostics::Places& places);

/// Names the instruction at the thread's gate, if there is one, and its place.
void name_instruction(Blocked& blocked, const frontend::Expanders& front, unsigned thread, Arch arch,
                      const diagnostics::Places& places);

/// A front end without an instruction waits for some if it still records.
void name_recording(Blocked& blocked, const frontend::Expanders& front, unsigned thread, const state::State& state,
                    const diagnostics::Places& places);

/// ", of SEMWAIT … (place)": the instruction that latched the thread's wait, or records.
std::string latched_by(unsigned thread, const frontend::WordOrigin& by, Arch arch, const diagnostics::Places& places);

}  // namespace tessera::engine

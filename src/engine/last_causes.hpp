// SPDX-License-Identifier: Apache-2.0
// Who last changed what others wait for, and who holds it: for the report of a run that ends badly.
#pragma once

#include <array>
#include <string>

#include "diagnostics/places.hpp"
#include "engine/wait.hpp"
#include "plan/effects.hpp"
#include "plan/plan.hpp"
#include "state/state.hpp"

namespace tessera::engine {

struct LastCauses {
    std::array<Cause, 8> semaphores{};
    std::array<Cause, 8> posts{};  ///< the last post of each semaphore
    std::uint8_t awaited = 0;      ///< semaphores that somebody has waited for, or looked at
    std::array<Cause, state::cells::max_mutexes> mutexes{};
    std::array<Cause, 4> banks{};  ///< source * 2 + bank

    /// Of other cells nothing is kept.
    void changed(state::Cell cell, const Cause& by, plan::CellOp how);
};

/// Semaphores that the thread's latched wait wants to be non-zero.
std::uint8_t awaited_posts(unsigned thread, const state::State& state);

/// "T1 op 3, cycle 70"; without a clock (no_cycle) the cycle is left out.
std::string cause_text(const Cause& touch, const diagnostics::Places& places);

/// Who last changed the thing waited for; empty where that is nothing that others change.
std::string last_cause(const LastCauses& last_causes, const Wait& wait, unsigned thread, const state::State& state,
                       const diagnostics::Places& places);

/// Who holds it. `held`: the instruction that waits in the scalar unit, or null.
std::string holder(const Wait& wait, unsigned thread, const state::State& state, const plan::Plan* held);

/// ", of SEMWAIT … (place)": the instruction that has latched a wait of the thread.
std::string latched_by(unsigned thread, std::uint32_t word, std::int64_t index, Arch arch,
                       const diagnostics::Places& places);

}  // namespace tessera::engine

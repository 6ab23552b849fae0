// SPDX-License-Identifier: Apache-2.0
// What cores and users see of a thread's front end.
#pragma once

#include <cstdint>

#include "frontend/expanders.hpp"

namespace tessera::frontend {

/// No MOP, MOP_CFG or in-order store to a MOP register is left in the FIFO, and no expansion is in progress.
bool mops_expanded(const Expanders& front, unsigned thread, const state::State& state);

/// Kinds (status_kinds.hpp) of the instructions that have not passed the gate.
std::uint32_t queued_kinds(const Expanders& front, unsigned thread, const state::State& state);

/// Copies the FIFO's words into the state's cells for them.
void publish_fifo(const Fifo& fifo, unsigned thread, state::State& state);

}  // namespace tessera::frontend

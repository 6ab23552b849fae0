// SPDX-License-Identifier: Apache-2.0
// Texts of waits.
#pragma once

#include <optional>
#include <string>

#include "engine/wait.hpp"
#include "frontend/wait_gate.hpp"
#include "tessera/finding.hpp"

namespace tessera::engine {

/// For a thread, or a program's core of that thread. Empty for Wait::Kind::tile, which Cores::describe() knows.
std::string wait_text(const Wait& wait, unsigned thread, const state::State& state, const frontend::Activity& activity);

/// The endless wait of the thread, at the instruction whose fault ended the run. Empty if it is no fault of that kind,
/// or another thread's.
std::string endless_wait_text(const std::optional<Fault>& fault, unsigned thread);

}  // namespace tessera::engine

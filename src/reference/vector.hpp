// SPDX-License-Identifier: Apache-2.0
// Vector unit instructions, literally (their pages of both architectures).
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

// With a lane configuration of zero, and registers below 12: what recording takes is unsupported.
Outcome sfpload(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfploadi(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpstore(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference

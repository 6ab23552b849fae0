// SPDX-License-Identifier: Apache-2.0
// Sync unit and what else writes configuration, literally. Waits at the wait gate are over.
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

Outcome seminit(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sempost(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome semget(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome atgetm(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome atrelm(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome streamwait(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome streamwrcfg(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference

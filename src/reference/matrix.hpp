// SPDX-License-Identifier: Apache-2.0
// Matrix unit instructions, literally (their pages; docs/numerics.md; rwc-and-addressing 3.4).
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

Outcome mova2d(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome movb2d(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome elwadd(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome elwsub(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome zeroacc(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome setrwc(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome cleardvalid(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference

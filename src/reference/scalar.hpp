// SPDX-License-Identifier: Apache-2.0
// The scalar unit's instructions, literally. Waits are over: what is captured, read and written at different times on
// hardware happens at once, and a blocking instruction is at the attempt that succeeds.
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

Outcome setdmareg(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome reg2flop(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome adddmareg(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome subdmareg(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome muldmareg(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome loadind(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome storeind(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome loadreg(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome storereg(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome atincget(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome atincgetptr(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome atswap(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome atcas(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome flushdma(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference

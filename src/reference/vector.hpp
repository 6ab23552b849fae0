// SPDX-License-Identifier: Apache-2.0
// Vector unit instructions, literally (their pages of both architectures; docs/numerics.md 8). Unsupported: what
// SFPLOADMACRO schedules, which is vector_macro.hpp's.
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

Outcome sfp_stoch_rnd(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpabs(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpadd(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpaddi(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpand(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfparecip(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpcast(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpcompc(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpconfig(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpdivp2(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpencc(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpexexp(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpexman(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpgt(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpiadd(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfple(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpload(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfploadi(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfploadmacro(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfplut(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfplutfp32(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfplz(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpmad(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpmov(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpmul(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpmul24(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpmuli(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpnop(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpnot(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpor(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfppopc(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfppushc(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpsetcc(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpsetexp(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpsetman(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpsetsgn(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpshft(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpshft2(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpstore(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpswap(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfptransp(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome sfpxor(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference

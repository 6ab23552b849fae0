// SPDX-License-Identifier: Apache-2.0
// Matrix unit instructions, literally (their pages; docs/internals/numerics.md; rwc-and-addressing 3.4).
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

// models/matrix_moves.cpp
Outcome mova2d(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome movb2d(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome movdbga2d(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome movdbgb2d(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome movd2a(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome movd2b(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome movb2a(state::State& state, unsigned CurrentThread, std::uint32_t word);

// models/matrix_math.cpp
Outcome elwadd(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome elwsub(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome elwmul(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome mvmul(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome dotpv(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome gapool(state::State& state, unsigned CurrentThread, std::uint32_t word);
/// CONV3S1, CONV3S2 and MFCONV3S1.
Outcome convolution(state::State& state, unsigned CurrentThread, std::uint32_t word);
/// APOOL3S1 and APOOL3S2.
Outcome apool(state::State& state, unsigned CurrentThread, std::uint32_t word);

// models/matrix_banks.cpp
Outcome zeroacc(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome zerosrc(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome trnspsrcb(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome setrwc(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome incrwc(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome cleardvalid(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome shiftxa(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome shiftxb(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome gatesrcrst(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome clrexphist(state::State& state, unsigned CurrentThread, std::uint32_t word);

// models/matrix_pools.cpp
Outcome gmpool(state::State& state, unsigned CurrentThread, std::uint32_t word);
/// MPOOL3S1 and MPOOL3S2.
Outcome mpool(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference

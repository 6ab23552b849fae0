// SPDX-License-Identifier: Apache-2.0
// States to begin with: random, with configuration that units can do something with.
#pragma once

#include "fuzz/support/fuzzer.hpp"
#include "state/state.hpp"
#include "tessera/core.hpp"

namespace tessera::fuzz {

inline constexpr unsigned states_per_arch = 4;

const state::State& state(Arch arch, unsigned number);
/// A core in that state.
const Core& core(Arch arch, unsigned number);

/// An instruction word: of a declared instruction more often than not, its operands from the input.
std::uint32_t word(Bytes& input, Arch arch);

/// Changes cells, L1 and other elements as the input says.
void change(Bytes& input, state::State& state);

}  // namespace tessera::fuzz

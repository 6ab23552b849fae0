// SPDX-License-Identifier: Apache-2.0
// Initial states: random, with configuration that is usable by units.
#pragma once

#include <functional>

#include "fuzz/support/fuzzer.hpp"
#include "state/state.hpp"
#include "tessera/core.hpp"

namespace tessera::fuzz {

inline constexpr unsigned states_per_arch = 4;

const state::State& state(Arch arch, unsigned number);
/// A core in that state; `is_tidy`: after tidy().
const Core& core(Arch arch, unsigned number, bool is_tidy = false);
/// No stream of a packer is open, and each enable of lane flags is one bit: other values would be a state that no instruction leaves.
void tidy(state::State& state);

/// Seeds of fuzzers that begin in a state and then take instructions: for each start, and `each` kinds of instructions of all `kinds` at a
/// time, the start, `second`, and what `put` appends for each kind.
std::vector<std::string> seeds_of_kinds(unsigned starts, unsigned kinds, unsigned each, char second,
                                        const std::function<void(std::string& seed, unsigned kind)>& put);

/// An instruction word, mostly of a declared instruction, with operands from the input.
std::uint32_t word(Bytes& input, Arch arch);

/// Changes cells, L1 and other elements according to the input.
void change(Bytes& input, state::State& state);

}  // namespace tessera::fuzz

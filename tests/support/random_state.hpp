// SPDX-License-Identifier: Apache-2.0
// States for property tests: random contents everywhere, configuration random within what the units execute.
#pragma once

#include <random>
#include <string_view>

#include "state/state.hpp"

namespace tessera::test {

using Random = std::mt19937_64;

/// Sets a configuration field by name: of a bank, or of all threads for thread configuration. Absent fields are left.
void set_field(state::State& state, std::string_view name, std::uint32_t value, unsigned bank = 0);

/// A state in which most instructions can be resolved. L1 is filled only once per call.
state::State random_state(Arch arch, Random& random);

/// A random word of the instruction, with operands that would mostly end in a fault left zero.
std::uint32_t random_word(Arch arch, std::string_view instruction, Random& random);

}  // namespace tessera::test

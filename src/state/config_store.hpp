// SPDX-License-Identifier: Apache-2.0
// Words of backend configuration whose write has side effects (BackendConfiguration, Special cases).
#pragma once

#include "state/state.hpp"

namespace tessera::state {

/// Whether a write to the word, other than RMWCIB's, zeroes the banked part of its bank.
bool resets_bank(const ArchDescription& arch, unsigned addr32);
/// Whether a write to the word seeds the random generators of all lanes.
bool seeds_prng(const ArchDescription& arch, unsigned addr32);

/// Zeroes the words of a bank that are not shared.
void reset_bank(State& state, unsigned bank);
/// A lane's generator after seeding.
std::uint32_t prng_of_lane(std::uint32_t seed, unsigned lane);

/// A store by a RISC-V core, with its side effects.
void store_config(State& state, unsigned bank, unsigned addr32, std::uint32_t value);

}  // namespace tessera::state

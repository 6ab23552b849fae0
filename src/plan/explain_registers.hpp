// SPDX-License-Identifier: Apache-2.0
// The values that a resolve read, by name.
#pragma once

#include <string>
#include <vector>

#include "plan/seen.hpp"
#include "state/state.hpp"

namespace tessera::plan {

struct ReadValue {
    std::string name;
    std::uint32_t value = 0;
    std::string text;  ///< the value and its meaning
};

/// Configuration: the fields that were read, or all fields of a word that was read whole. A field of bank 1 is
/// followed by "[1]".
std::vector<ReadValue> registers_read(const Seen& seen, const state::State& state);

/// All other cells: counters, banks, semaphores, GPRs.
std::vector<ReadValue> counters_read(const Seen& seen, const state::State& state);

/// The name of a cell: section and place.
std::string cell_name(const state::State& state, state::Cell cell);

/// Decimal; large numbers are hexadecimal.
std::string number(std::uint32_t value);

}  // namespace tessera::plan

// SPDX-License-Identifier: Apache-2.0
// The values that a resolve looked at, by name.
#pragma once

#include <string>
#include <vector>

#include "plan/seen.hpp"
#include "state/state.hpp"

namespace tessera::plan {

struct ReadValue {
    std::string name;
    std::uint32_t value = 0;
    std::string text;  ///< the value, and what it means
};

/// Configuration: the fields that were read, and all fields of words that were read as a whole. A field of bank 1 has "[1]"
/// behind its name.
std::vector<ReadValue> registers_read(const Seen& seen, const state::State& state);

/// Everything else: counters, banks, semaphores, GPRs.
std::vector<ReadValue> counters_read(const Seen& seen, const state::State& state);

/// A cell by its section and place.
std::string cell_name(const state::State& state, state::Cell cell);

/// Decimal, and hexadecimal where decimal says little.
std::string number(std::uint32_t value);

}  // namespace tessera::plan

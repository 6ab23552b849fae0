// SPDX-License-Identifier: Apache-2.0
// UNPACR, literally (UNPACR_Regular).
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

/// A whole UNPACR after its waits: datums, counters, bank, cached row starts.
Outcome unpacr(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference

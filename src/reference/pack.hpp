// SPDX-License-Identifier: Apache-2.0
// PACR, literally (PACR of both architectures; Packers, Input and Output address generator).
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

/// A whole PACR, with the streams that it leaves unfinished and its counters.
Outcome pacr(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference

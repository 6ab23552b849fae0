// SPDX-License-Identifier: Apache-2.0
// UNPACR_NOP and SETDVALID, literally (their pages; spec-notes A61 to A64, A80 to A82, C4).
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

Outcome unpacr_nop(state::State& state, unsigned CurrentThread, std::uint32_t word);
Outcome setdvalid(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference

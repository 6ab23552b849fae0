// SPDX-License-Identifier: Apache-2.0
// XMOV, literally.
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

Outcome xmov(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference

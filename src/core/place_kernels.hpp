// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "state/state.hpp"
#include "tessera/error.hpp"
#include "tessera/kernels.hpp"

namespace tessera::core {

/// Core::load() once the architecture is known to be right.
Result<void> place_kernels(state::State& state, const Kernels& kernels);

}  // namespace tessera::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "state/state.hpp"
#include "tessera/error.hpp"
#include "tessera/kernels.hpp"

namespace tessera::core {

/// Core::load() after the architecture check.
Result<void> place_kernels(state::State& state, const Kernels& kernels);

}  // namespace tessera::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "state/state.hpp"
#include "tessera/error.hpp"
#include "tessera/kernels.hpp"

namespace tessera::core {

/// Core::load() after the architecture check.
Result<void> place_kernels(state::State& state, const Kernels& kernels);

/// Error "kernels.not-loaded": a core has no kernel loaded, is not kept in reset, and no step of the host starts it.
Result<void> check_loaded(const state::State& state, const Kernels& kernels);
/// Error "kernels.not-loaded": all cores stand at their end of an earlier run, and nothing is waited for.
Result<void> check_not_ended(const state::State& state, const Kernels& kernels);

}  // namespace tessera::core

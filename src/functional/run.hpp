// SPDX-License-Identifier: Apache-2.0
// A whole run without time.
#pragma once

#include "engine/cores.hpp"
#include "state/state.hpp"
#include "tessera/error.hpp"
#include "tessera/program.hpp"
#include "tessera/run.hpp"
#include "units/slots.hpp"

namespace tessera::functional {

/// Rejects options that need a clock or an order of simultaneous events: error "run.functional".
Result<void> accepts(const RunOptions& options);

Run run(state::State& state, units::Slots& slots, const Program& program, const RunOptions& options);
Run run(state::State& state, units::Slots& slots, engine::Cores& cores, const RunOptions& options);

}  // namespace tessera::functional

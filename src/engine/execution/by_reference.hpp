// SPDX-License-Identifier: Apache-2.0
// Execution by the functional models of src/reference. The plan still gives waits and wake-ups. The values of its effects
// are read back from the state that the model leaves; they get there at their own times.
#pragma once

#include "diagnostics/places.hpp"
#include "engine/outcome.hpp"
#include "engine/pipes/records.hpp"
#include "state/state.hpp"

namespace tessera::engine {

/// Whether a model did the work; if not, the unit does it.
bool land_by_reference(Record& record, state::State& state, Outcome& outcome, const diagnostics::Places& places, Cycle now);

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_event: an ended instruction with its reads and writes.
#pragma once

#include "diagnostics/places.hpp"
#include "engine/pipes/records.hpp"
#include "tessera/run.hpp"
#include "units/costs/costs.hpp"

namespace tessera::engine {

tessera::Event event_of(const Record& record, Cycle end, const diagnostics::Places& places,
                        const units::CostTable& costs);

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_event: an instruction that is done, with what it read and wrote.
#pragma once

#include "diagnostics/places.hpp"
#include "engine/pipes/records.hpp"
#include "tessera/run.hpp"

namespace tessera::engine {

tessera::Event event_of(const Record& record, Cycle end, const diagnostics::Places& places);

}  // namespace tessera::engine

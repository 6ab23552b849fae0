// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_event: an ended instruction with its reads and writes. Run::at_work and Run::in_front: one that has not ended.
#pragma once

#include "diagnostics/places.hpp"
#include "engine/pipes/records.hpp"
#include "frontend/gate_word.hpp"
#include "tessera/run.hpp"
#include "units/costs/costs.hpp"

namespace tessera::engine {

/// An instruction in its unit that has ended, or is still there when the run ends.
tessera::Event event_of(const Record& record, Cycle end, const diagnostics::Places& places,
                        const units::CostTable& costs);
/// An instruction in the queue of its unit when the run ends.
tessera::Event event_in_queue(const Record& record, Cycle end, const diagnostics::Places& places);
/// An instruction at its thread's gate when the run ends; its units would be `pipes`.
tessera::Event event_at_gate(unsigned thread, const frontend::GateWord& at, plan::PipeMask pipes, Cycle end,
                             const diagnostics::Places& places);

}  // namespace tessera::engine

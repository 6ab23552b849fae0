// SPDX-License-Identifier: Apache-2.0
// Which trace a thread may follow or learn next, by the words that come next. Runs with time and without ask the same.
#pragma once

#include "frontend/next_words.hpp"
#include "units/slots.hpp"

namespace tessera::engine {

class NextTraces {
public:
    NextTraces(const state::State& state, units::Slots& slots, const units::CostTable& costs)
        : state_(state), slots_(slots), costs_(costs) {}

    /// The trace that followed the last issued instruction before, if the same words follow now; else null.
    const units::Trace* behind(const units::Resolved& last, unsigned thread, const frontend::Expanders& front) const;
    /// Begins to learn the trace behind `first`, which was just issued. False: it is not worth it, or nothing is known to follow.
    bool begin(const units::PlanRef& first, unsigned thread, const frontend::Expanders& front) const;

private:
    const state::State& state_;
    units::Slots& slots_;
    const units::CostTable& costs_;
};

}  // namespace tessera::engine

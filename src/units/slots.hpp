// SPDX-License-Identifier: Apache-2.0
// All tables of values memoised between resolves.
#pragma once

#include "units/plan_cache.hpp"
#include "units/slot_tables.hpp"
#include "units/trace_cache.hpp"

namespace tessera::units {

struct Slots : SlotTables {
    PlanCache plans;
    TraceCache traces;

    void plans_forgotten() override { traces.clear(); }
};

}  // namespace tessera::units

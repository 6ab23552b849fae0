// SPDX-License-Identifier: Apache-2.0
// All that is kept from one resolve to the next.
#pragma once

#include "units/kept_plans.hpp"
#include "units/slot_tables.hpp"
#include "units/stretches.hpp"

namespace tessera::units {

struct Slots : SlotTables {
    KeptPlans plans;
    Stretches stretches;

    void plans_forgotten() override { stretches.clear(); }
};

}  // namespace tessera::units

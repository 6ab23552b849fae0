// SPDX-License-Identifier: Apache-2.0
// Sync unit: semaphores, mutexes and latched waits. What waits, and for how long, is the engine's business; here stands
// what the instructions do to the cells.
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/state_view.hpp"

namespace tessera::units::sync {

/// Where most costs of the unit come from.
inline constexpr Source unit_page{"SyncUnit, table of latencies"};

}  // namespace tessera::units::sync

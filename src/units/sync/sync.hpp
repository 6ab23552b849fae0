// SPDX-License-Identifier: Apache-2.0
// Sync unit: semaphores, mutexes and latched waits. Here are the instructions' effects on cells; the engine handles
// the waiting.
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/state_view.hpp"

namespace tessera::units::sync {

/// The source of most costs of the unit.
inline constexpr Source unit_page{"SyncUnit, table of latencies"};

}  // namespace tessera::units::sync

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

// Operands that other rooms look at, too.

inline constexpr auto stall_block = isa::operand("STALLWAIT", "stall_res");
inline constexpr auto stall_conditions = isa::operand("STALLWAIT", "wait_res");
inline constexpr auto sem_block = isa::operand("SEMWAIT", "stall_res");
inline constexpr auto post_mask = isa::operand("SEMPOST", "sem_sel");
inline constexpr auto get_mask = isa::operand("SEMGET", "sem_sel");

}  // namespace tessera::units::sync

// SPDX-License-Identifier: Apache-2.0
// The engine's whole state beside the State. A copy of both is a snapshot of a run.
#pragma once

#include <tuple>

#include "checks/memory.hpp"
#include "engine/delays.hpp"
#include "engine/observe/waits.hpp"
#include "engine/outcome.hpp"
#include "engine/pipes/banks.hpp"
#include "engine/execution/effects.hpp"
#include "engine/execution/execution.hpp"
#include "engine/execution/held_instruction.hpp"
#include "engine/pipes/transfers.hpp"
#include "engine/execution/vector_schedule.hpp"
#include "engine/scheduler.hpp"
#include "engine/sources/auto_sync.hpp"
#include "engine/sources/kernel_cores.hpp"
#include "engine/sources/program_feed.hpp"
#include "engine/sources/stores.hpp"
#include "engine/threads/front_ends.hpp"
#include "engine/gates.hpp"
#include "engine/threads/interlocks.hpp"

namespace tessera::engine {

/// State of each part.
struct Progress {
    /// In the order of Engine::parts(): first values that several parts share.
    std::tuple<Delays, Pipes, Workload, Transfers, Records, Fronts, NextOps, checks::Memory, OutcomeState,
               SchedulerState, WaitsState, Agent, EffectsState, GatesState, BanksState, HeldInstructionState,
               VectorScheduleState, ExecutionState, StoresState, AutoSyncState, FifosState, ProgramFeedState,
               InterlocksState, FrontEndsState, KernelCoresState>
        parts;
    Cycle cycle = 0;           ///< of the last step
    std::uint64_t issued = 0;  ///< instructions issued
};

}  // namespace tessera::engine

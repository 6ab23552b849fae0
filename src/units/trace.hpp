// SPDX-License-Identifier: Apache-2.0
// A trace: consecutive plans of a thread, replayed without a lookup for each.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/seen.hpp"
#include "units/resolved.hpp"
#include "units/trace_timing.hpp"

namespace tessera::units {

struct CostTable;

/// Consecutive instructions of a thread. Each changes only counters and data (Resolved::unobservable, or Resolved::quiet without time).
struct Trace {
    struct Step {
        mutable PlanRef plan;  ///< at its last place

        // The facts about the plan that every replay needs, in compact form.
        std::uint32_t word = 0;
        std::uint32_t occupancy = 1, latency = 1;  ///< cycles, as in plan::Cost
        std::uint16_t interval = 0;
        std::uint8_t pipe = 0;
        bool fills_pause = false;
        plan::Chain chain{};
        bool is_gated = false;     ///< must wait for source banks or blocks of Dst
        bool writes_dst = false;   ///< Plan::dst_writes
        bool uses_config = false;  ///< Resolved::uses_config
        bool has_effects_at_issue = false, has_effects_at_start = false, has_work = false;
        bool reaches_memory = false;  ///< Resolved::reaches_memory
        bool asks_for_order = false;  ///< its work has accesses that need order: Resolved::Work::ordered()
        /// It reads what the vector instruction before it writes late: the vector unit delays it by a cycle if that one started in the
        /// preceding cycle.
        bool held_back = false;
        bool is_adjacent = false;  ///< `held_back`, and no other step is between them
        bool of_vector = false;
        bool moves = false;  ///< its place may be another one: units::move() before it executes
    };
    std::vector<Step> steps;
    plan::PipeMask pipes = 0;            ///< of all steps
    std::vector<plan::CellBits> looked;  ///< the guard: each cell once
    std::vector<std::uint32_t> values;   ///< values of `looked` before the first step
    TraceTiming timing;
    CellsThatCoresStore storable;        ///< cells that any step captures and a core can store to
    /// The run (PlanCache::begin_run), and the number of cores' stores up to which the hazard checker found that none matters to a step.
    struct StoresKnown {
        std::uint64_t run = 0;
        std::uint32_t stores = 0;
    };
    mutable StoresKnown stores_known;
};

/// The timing of a trace's steps. Ignores the trace's own `timing`.
TraceTiming timing_of(const Trace& trace, const CostTable& costs);

}  // namespace tessera::units

// SPDX-License-Identifier: Apache-2.0
// Plans one behind the other, and what is asked of them.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/seen.hpp"
#include "units/resolved.hpp"
#include "units/trace_timing.hpp"

namespace tessera::units {

struct CostTable;

/// Instructions of a thread, one behind the other, each of which changes counters and data alone (Resolved::unnoticed).
struct Trace {
    struct Step {
        PlanRef plan;

        // Beside it, what is asked of every plan: in few words, one behind the other.
        std::uint32_t word = 0;
        std::uint32_t occupancy = 1, latency = 1;  ///< cycles, as in plan::Cost
        std::uint16_t interval = 0;
        std::uint8_t pipe = 0;
        bool fills_pause = false;
        bool is_gated = false;     ///< source banks or blocks of Dst must be there for it
        bool writes_dst = false;   ///< Plan::dst_writes
        bool uses_config = false;  ///< Resolved::uses_config
        bool has_effects_at_issue = false, has_effects_at_start = false, has_work = false;
        bool asks_for_order = false;  ///< what its work accesses: Resolved::Work::ordered()
        /// The vector unit holds it back for a cycle when the step before it has been issued in the cycle before.
        bool held_back = false;
        bool of_vector = false;
    };
    std::vector<Step> steps;
    plan::PipeMask pipes = 0;            ///< of any of them
    std::vector<plan::CellBits> looked;  ///< each cell once
    std::vector<std::uint32_t> values;   ///< of `looked`, before the first
    TraceTiming timing;
};

/// Of a trace's steps; its own pace is not looked at.
TraceTiming pace_of(const Trace& trace, const CostTable& costs);

}  // namespace tessera::units

// SPDX-License-Identifier: Apache-2.0
// The last cycle until which an actor may run alone: before another actor, an event, the host, the vector unit's
// schedule or the end of the run is due.
#pragma once

#include <algorithm>

#include "engine/context.hpp"
#include "engine/execution/vector_schedule.hpp"
#include "engine/scheduler.hpp"

namespace tessera::engine {

class TurnLimits : private Context {
public:
    TurnLimits(const Context& context, const Scheduler& scheduler, const VectorSchedule& schedule)
        : Context(context), scheduler_(scheduler), schedule_(schedule) {}

    /// The next act from outside the tile: by the host or for the NoC.
    Cycle outside_due() const {
        return cores_ ? std::min(cores_->host_due(scheduler_.now()), cores_->noc_due()) : never;
    }
    /// outside_due(), or the cycle in which the run has to pause.
    Cycle outside_limit() const { return cores_ ? std::min(outside_due(), cores_->horizon()) : never; }
    /// The last cycle in which the actor may change shared state.
    Cycle of(unsigned actor) const {
        const Cycle outside = outside_limit();
        return std::min({scheduler_.turn_limit(actor), options_.max_cycles, outside - (outside != 0), schedule_.executes_at()});
    }
    /// The place (place_of()) before which only cores act, and the front end `beside`, unless they change something. actors: none.
    Cycle only_cores_until(unsigned beside) const {
        Cycle until = std::min({place_of(scheduler_.clock().next()), place_of(outside_limit()), behind(options_.max_cycles),
                                behind(schedule_.executes_at())});
        for (unsigned i = state::threads; i < core_b; ++i)
            if (i != beside) until = std::min(until, scheduler_.place(i));
        return until;
    }

    // Scheduler::place_of(), also for times without an end. Events come before the actors of their cycle.

    static constexpr Cycle place_of(Cycle time, unsigned actor = 0) {
        return Scheduler::place_of(std::min(time, last_time), actor);
    }
    /// The last cycle in which the actor acts before that place.
    static constexpr Cycle limit_before(Cycle place, unsigned actor) { return (place - 1 - actor) / actors; }

private:
    static constexpr Cycle last_time = never / actors - 1;
    static constexpr Cycle behind(Cycle time) { return place_of(std::min(time, last_time - 1) + 1); }

    const Scheduler& scheduler_;
    const VectorSchedule& schedule_;
};

}  // namespace tessera::engine

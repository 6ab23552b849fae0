// SPDX-License-Identifier: Apache-2.0
// A front end alone. Most instructions change counters and data, and nobody waits for that: such a one is issued in few steps, and as
// long as nobody else acts its thread goes on to the next.
#pragma once

#include "engine/threads/known_traces.hpp"
#include "engine/turn_limits.hpp"

namespace tessera::engine {

class RunAhead : private Context {
public:
    RunAhead(const Context& context, Scheduler& scheduler, const TurnLimits& limits, const Fronts& fronts,
             FrontEnds& front_ends, KnownTraces& traces)
        : Context(context),
          scheduler_(scheduler),
          limits_(limits),
          fronts_(fronts),
          front_ends_(front_ends),
          traces_(traces) {}

    /// The front end has issued an instruction unnoticed, so that what the others wait for, and until when, is as it was. Only its own core
    /// may have come to something. What has come behind the instruction again and again is learned.
    void go_on(unsigned thread);

private:
    bool waits_at_gate(unsigned thread) const;
    bool begins_to_learn(unsigned thread, const units::PlanRef& first);

    Scheduler& scheduler_;
    const TurnLimits& limits_;
    const Fronts& fronts_;
    FrontEnds& front_ends_;
    KnownTraces& traces_;
};

}  // namespace tessera::engine

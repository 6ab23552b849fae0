// SPDX-License-Identifier: Apache-2.0
// Runs one front end ahead while no other actor is due. Most instructions change only counters and data that no actor
// waits for; these are issued in few steps.
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
          traces_(traces),
          next_(state_, slots_, costs_) {}

    /// The front end issued an instruction that no other actor could observe, except its own core. Issues the next ones
    /// up to the turn's limit, and learns traces that recur.
    void go_on(unsigned thread);

private:
    bool waits_at_gate(unsigned thread) const;

    Scheduler& scheduler_;
    const TurnLimits& limits_;
    const Fronts& fronts_;
    FrontEnds& front_ends_;
    KnownTraces& traces_;
    const NextTraces next_;
};

}  // namespace tessera::engine

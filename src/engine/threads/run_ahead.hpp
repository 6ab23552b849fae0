// SPDX-License-Identifier: Apache-2.0
// Runs one front end ahead while no other actor is due. Most instructions change only counters and data that no actor
// waits for; these are issued in few steps.
#pragma once

#include "engine/sources/kernel_cores.hpp"
#include "engine/threads/known_traces.hpp"
#include "engine/turn_limits.hpp"

namespace tessera::engine {

struct RunAheadParts {
    Scheduler& scheduler_;
    const TurnLimits& limits_;
    Fronts& fronts_;
    FrontEnds& front_ends_;
    KnownTraces& traces_;
    const LazyEnds& lazy_ends_;
    KernelCores& kernels_;
};

class RunAhead : private Context, private RunAheadParts {
public:
    RunAhead(const Context& context, const RunAheadParts& parts)
        : Context(context), RunAheadParts(parts), next_(state_, slots_, costs_) {}

    /// The front end issued an instruction that no other actor could observe, except its own core. Issues the next ones
    /// up to the turn's limit, and learns traces that recur.
    void go_on(unsigned thread);

private:
    bool waits_at_gate(unsigned thread) const;
    /// The last cycle in which the front end may act, after cores have gone ahead of what it replays and concerns none of them. `limit`:
    /// the one without that.
    Cycle limit_behind_cores(unsigned thread, const units::Resolved& issued, Cycle limit);

    const NextTraces next_;
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// What front ends and units have done until a cycle (engine/window.hpp).
#include <algorithm>

#include "engine/engine.hpp"

namespace tessera::engine {

namespace {

/// The part of [from, to) that lies at or behind `at`.
Cycle behind(Cycle at, Cycle from, Cycle to) {
    const Cycle begin = std::max(at, from);
    return to > begin ? to - begin : 0;
}

}  // namespace

Tally Engine::tally(Cycle at) const {
    Tally tally;
    tally.at = at;
    for (unsigned t = 0; t < state::threads; ++t) {
        const Thread& thread = threads_[t];
        const Actor& front_end = actors_[state::threads + t];
        tally.waited[t] = thread.waited;
        tally.issuing[t] = thread.issuing;
        if (front_end.wait.kind != Wait::Kind::none) tally.waited[t][front_end.wait] += behind(front_end.since, 0, at);
        // What the last issue has counted in advance.
        tally.issuing[t][static_cast<unsigned>(thread.issued_to)] -= behind(at, 0, thread.issue_done);
        if (const Cycle delay = behind(at, thread.issue_done, thread.delayed_until))
            tally.waited[t][{Wait::Kind::delayed}] -= delay;
    }
    for (unsigned p = 0; p < plan::pipes; ++p) {
        tally.busy[p] = work_.load(p).busy_at(at);
        tally.instructions[p] = pipes_.instructions(p);
    }
    return tally;
}

}  // namespace tessera::engine

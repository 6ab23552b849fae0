// SPDX-License-Identifier: Apache-2.0
// Cores of a program: each executes its thread's ops in order and runs ahead until the FIFO is full. Pushes that only
// the thread can observe may happen before or after their time.
#pragma once

#include <array>

#include "engine/context.hpp"
#include "engine/delays.hpp"
#include "engine/execution/effects.hpp"
#include "engine/kept.hpp"
#include "engine/next_ops.hpp"
#include "engine/scheduler.hpp"
#include "engine/sources/auto_sync.hpp"
#include "engine/sources/fifos.hpp"
#include "engine/sources/stores.hpp"

namespace tessera::engine {

struct ProgramFeedState {
protected:
    std::array<std::size_t, state::threads> plain_end_{};  ///< until this op, the core only pushes words
};

struct ProgramFeedParts {
    Scheduler& scheduler_;
    Fifos& fifos_;
    Stores& stores_;
    AutoSync& auto_sync_;
    Effects& effects_;
    Delays& delays_;
    NextOps& next_;
};

class ProgramFeed : private Context, public Kept<ProgramFeedState>, private ProgramFeedParts {
public:
    ProgramFeed(const Context& context, const ProgramFeedParts& parts) : Context(context), ProgramFeedParts(parts) {}

    /// The thread's core acts.
    void act(unsigned thread);
    /// Whether the core only pushes words, or does nothing, while that many words leave its FIFO.
    bool only_pushes(unsigned thread) const {
        return !next_op(program_, next_, thread) || next_[thread] + fifos_.capacity(thread) <= plain_end_[thread];
    }

    /// Words may have left the FIFO. While it is well filled and the core only pushes, the pushes are done later, with
    /// the same cycles.
    void refill(unsigned thread) {
        if (waits_for_room(thread)) fill(thread);
    }
    /// Does the pushes that refill() put off. Returns whether there were any.
    bool catch_up(unsigned thread);
    /// Restores the visible state of the FIFO: pushes that belong to later cycles are undone and repeated then. `reached`: as of
    /// Engine::publish().
    void take_back(unsigned thread, Cycle reached = 0);
    /// From now on words are pushed at their own time.
    void feed_in_time(unsigned thread) {
        take_back(thread);
        plain_end_[thread] = 0;
    }
    /// The run continues from a snapshot, in which pushes may be late. Observers of waits need them in time.
    void resume();
    /// The FIFO is full; the core is due again when words leave it.
    bool fills_fifo(unsigned thread) const {
        return program_ && scheduler_.is_parked(thread) && scheduler_.actor(thread).wait.kind == Wait::Kind::fifo_full;
    }

private:
    bool execute(unsigned thread, const Op& op, std::int64_t index);
    bool feeds_ahead(unsigned thread) const;
    std::size_t plain_end(unsigned thread);
    void feed(unsigned thread, Cycle from);
    void fill(unsigned thread);
    bool waits_for_room(unsigned thread) const {
        return fills_fifo(thread) && fifos_[thread].size() < fifos_.capacity(thread);
    }
    bool is_pushed(unsigned thread, Cycle reached) const;
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// Cores of a program: each takes its thread's ops one after the other. A core runs ahead of its thread until the FIFO is full; where pushing
// words is nobody's concern but the thread's, it pushes them before their time, or behind it.
#pragma once

#include <array>

#include "engine/context.hpp"
#include "engine/delays.hpp"
#include "engine/execution/effects.hpp"
#include "engine/next_ops.hpp"
#include "engine/scheduler.hpp"
#include "engine/sources/auto_sync.hpp"
#include "engine/sources/fifos.hpp"
#include "engine/sources/stores.hpp"

namespace tessera::engine {

struct ProgramFeedState {
protected:
    std::array<std::size_t, state::threads> plain_end_{};  ///< beyond the next op: only words are pushed until there
};

struct ProgramFeedParts {
    Scheduler& scheduler_;
    Fronts& fronts_;
    Fifos& fifos_;
    Stores& stores_;
    AutoSync& auto_sync_;
    Effects& effects_;
    Delays& delays_;
    NextOps& next_;
};

class ProgramFeed : private Context, private ProgramFeedState, private ProgramFeedParts {
public:
    ProgramFeed(const Context& context, const ProgramFeedParts& parts) : Context(context), ProgramFeedParts(parts) {}

    const ProgramFeedState& saved() const { return *this; }
    void restore(const ProgramFeedState& saved) { static_cast<ProgramFeedState&>(*this) = saved; }

    /// The thread's core acts.
    void act(unsigned thread);
    /// What the core does while so many words are taken out of its FIFO is to push words, or nothing.
    bool only_pushes(unsigned thread) const {
        return !next_op(program_, next_, thread) || next_[thread] + fifos_.capacity(thread) <= plain_end_[thread];
    }

    /// Something may have been taken out of the FIFO. While there is much in it, and the core will do nothing but push for as long, words
    /// are pushed later, at the same cycles.
    void refill(unsigned thread) {
        if (waits_for_room(thread)) fill(thread);
    }
    /// Pushes what refill() has put off. Whether there was anything.
    bool catch_up(unsigned thread);
    /// The FIFO becomes what it is now: what the core would only push later it does push later.
    void take_back(unsigned thread);
    /// From now on words are pushed when the core comes to them.
    void feeds_in_time(unsigned thread) {
        take_back(thread);
        plain_end_[thread] = 0;
    }
    /// The run goes on from a snapshot: there, words may have been pushed later than they seem to be, which is not for whoever is told of waits.
    void resumes();
    /// The core has pushed all that has room, and acts again when there is more.
    bool fills_fifo(unsigned thread) const {
        return program_ && scheduler_.actor(thread).parked && scheduler_.actor(thread).wait.kind == Wait::Kind::fifo_full;
    }

private:
    bool feeds_ahead(unsigned thread) const;
    std::size_t plain_end(unsigned thread);
    void feed(unsigned thread, Cycle from);
    void fill(unsigned thread);
    bool waits_for_room(unsigned thread) const {
        return fills_fifo(thread) && fifos_[thread].size() < fifos_.capacity(thread);
    }
    bool is_pushed(unsigned thread) const;
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hazards/vector_clock.hpp"
#include "plan/effects.hpp"
#include "state/state.hpp"

namespace tessera::hazards {

/// A change of a semaphore, with its value and maximum behind it.
struct SemaphoreChange {
    plan::CellOp how = plan::CellOp::post;
    std::uint32_t value = 0, max = 0;

    static SemaphoreChange in(const state::State& state, unsigned semaphore, plan::CellOp how) {
        return {how, state[state::cells::semaphore_value(semaphore)], state[state::cells::semaphore_max(semaphore)]};
    }
};

/// An ended wait for a semaphore to be non-zero, or below its maximum, or both; with its value and maximum.
struct SemaphoreWait {
    bool non_zero = false, below_maximum = false;
    std::uint32_t value = 0, max = 0;
};

/// The posts of a semaphore that nobody has taken, and its free places, oldest first. A wait for non-zero proves only the oldest of
/// these posts, and those before it; a wait for a free place only the get that made the oldest one free.
class SemaphoreTokens {
public:
    void changed(const SemaphoreChange& what, const VectorClock& by) {
        const std::uint32_t room = what.max > what.value ? what.max - what.value : 0;
        switch (what.how) {
            case plan::CellOp::post:
                posted_.join(by);
                if (posts_.size() < what.value) posts_.push_back(posted_);
                shorten(places_, room);
                break;
            case plan::CellOp::get:
                got_.join(by);
                shorten(posts_, what.value);
                if (places_.size() < room) places_.push_back(got_);
                break;
            default:
                posted_ = got_ = by;
                posts_.assign(what.value, by);
                places_.assign(room, by);
        }
    }
    /// The clock that an ended wait proves, for each of its conditions. Null: it has no such condition, or the semaphore has been
    /// changed in ways that are not known here.
    const VectorClock* post(const SemaphoreWait& wait) const {
        return wait.non_zero ? oldest(posts_, wait.value) : nullptr;
    }
    const VectorClock* place(const SemaphoreWait& wait) const {
        return wait.below_maximum && wait.max > wait.value ? oldest(places_, wait.max - wait.value) : nullptr;
    }

private:
    static const VectorClock* oldest(const std::vector<VectorClock>& all, std::uint32_t expected) {
        return !all.empty() && all.size() == expected ? &all.front() : nullptr;
    }
    static void shorten(std::vector<VectorClock>& all, std::size_t most) {
        if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
    }

    VectorClock posted_{}, got_{};  ///< by all since the last SEMINIT
    std::vector<VectorClock> posts_, places_;
};

}  // namespace tessera::hazards

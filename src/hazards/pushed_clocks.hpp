// SPDX-License-Identifier: Apache-2.0
// The knowledge of cores when they pushed instructions. A thread acquires it when it comes to the instruction.
#pragma once

#include <array>
#include <cstdint>

#include "hazards/core_clocks.hpp"
#include "hazards/disregards.hpp"
#include "hazards/vector_clock.hpp"
#include "util/ring.hpp"

namespace tessera::hazards {

class PushedClocks {
public:
    /// A core pushes the thread's instruction at `index`.
    void push(unsigned core, unsigned thread, std::int64_t index, const CoreClocks& cores);
    /// Whether a core's clock awaits the thread at some later index.
    bool has_handed(unsigned thread) const { return !handed_[thread].empty(); }
    /// Whether the thread has anything to acquire when it comes to the instruction at `index`.
    bool any_until(unsigned thread, std::int64_t index) const {
        return (has_handed(thread) && handed_[thread].front().index <= index) ||
               (!pushed_[thread].empty() && pushed_[thread].front().index <= index);
    }
    /// It comes there, and `known` is its clock.
    void take_until(unsigned thread, std::int64_t index, VectorClock& known, const Disregards& disregards);

private:
    struct Handed {
        std::int64_t index = 0;
        VectorClock known;
    };
    /// Accesses of its own core before it pushed a thread's instruction, if there are more than before the last one.
    struct Pushed {
        std::int64_t index = 0;
        std::uint32_t accesses = 0;
    };

    std::array<std::array<std::uint32_t, state::threads>, riscv_cores> handed_versions_{};
    std::array<Ring<Handed>, state::threads> handed_;
    std::array<Ring<Pushed>, state::threads> pushed_;
    std::array<std::uint32_t, state::threads> accesses_pushed_{};
};

}  // namespace tessera::hazards

// SPDX-License-Identifier: Apache-2.0
// The part of a program that has not been executed when a run hangs: it may hold what a wait lacks.
#pragma once

#include <string>

#include "diagnostics/places.hpp"
#include "engine/next_ops.hpp"
#include "frontend/expanders.hpp"

namespace tessera::engine {

/// The op whose instruction the front end issues next, of a thread whose core is at `core`.
inline std::size_t next_op_of(const frontend::Expanders& front, std::size_t core) {
    return front.gated() && front.gate().index >= 0 ? static_cast<std::size_t>(front.gate().index) : core;
}

struct RestOfProgram {
    const Program& program;
    NextOps cores{};       ///< the op that each core executes next
    NextOps front_ends{};  ///< the op of each front end's next instruction

    /// The actor that comes to an op which ends the thread's wait for a semaphore: "T1 front end, before SEMPOST at T1 op 12
    /// (math.tts:20)". Instructions that only an expansion issues are not looked at. Empty for another wait, or if there is none.
    std::string holder_of_semaphore(const Wait& wait, unsigned thread, const state::State& state,
                                    const diagnostics::Places& places) const;
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// The part of a program that has not been executed when a run hangs: it may hold what a wait lacks.
#pragma once

#include <string>

#include "diagnostics/places.hpp"
#include "engine/next_ops.hpp"
#include "frontend/expanders.hpp"

namespace tessera::engine {

class RestOfProgram {
public:
    /// `cores`: the op that each core executes next. `front(thread)`: its Expanders.
    template <class Front>
    RestOfProgram(const Program& program, const NextOps& cores, Front&& front)
        : program_(program), cores_(cores), front_ends_(cores) {
        for (unsigned t = 0; t < state::threads; ++t)
            if (const frontend::Expanders& one = front(t); one.gated() && one.gate().index >= 0)
                front_ends_[t] = static_cast<std::size_t>(one.gate().index);
    }
    /// The actor that comes to an op which ends the thread's wait for a semaphore: "T1 front end, before SEMPOST at T1 op 12
    /// (math.tts:20)". Instructions that only an expansion issues are not looked at. Empty for another wait, or if there is none.
    std::string holder_of_semaphore(const Wait& wait, unsigned thread, const state::State& state,
                                    const diagnostics::Places& places) const;

private:
    const Program& program_;
    NextOps cores_;
    NextOps front_ends_;  ///< the op of each front end's next instruction
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// Auto TTSync (auto_sync.hpp): resources used by instructions that a thread's core has pushed and that have not passed
// the wait gate.
#pragma once

#include <optional>

#include "frontend/wait_gate.hpp"
#include "isa/instruction.hpp"
#include "state/resources.hpp"
#include "state/state.hpp"
#include "util/ring.hpp"

namespace tessera::frontend {

class PushedUses {
public:
    /// Adds a pushed instruction of op `index` and returns its resources. Bank selection follows the order of pushes;
    /// if the thread is `idle`, its current bank counts.
    state::Uses push(const state::State& state, unsigned thread, const isa::Instruction& instruction,
                     std::int64_t index, bool idle);
    /// Whether the core may access these resources now. An instruction that passed the gate has read its operands; its own changes are
    /// visible once the fixed-latency units are done with it. `oldest` is the first op that has not passed the gate.
    bool may_access(state::Resources resources, bool store, std::int64_t oldest, const Activity& activity,
                    unsigned thread);
    /// Instructions behind op `last` will not come. -1: none will.
    void discard_behind(std::int64_t last);

private:
    struct Push {
        std::int64_t index = 0;
        state::Uses uses;
    };
    Ring<Push> pushes_;
    std::optional<unsigned> bank_;  ///< selected by the last SETC16 pushed
};

}  // namespace tessera::frontend

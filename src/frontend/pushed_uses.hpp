// SPDX-License-Identifier: Apache-2.0
// Auto TTSync (auto_sync.hpp): what the instructions use that a thread's core has pushed and that may still be in front of the wait gate.
#pragma once

#include <optional>

#include "isa/instruction.hpp"
#include "state/resources.hpp"
#include "state/state.hpp"
#include "util/ring.hpp"

namespace tessera::frontend {

class PushedUses {
public:
    /// The core of a tracked thread pushes an instruction of op `index`: what that uses. The choice of a bank counts in the order of pushing;
    /// when the thread is `idle`, the bank is the one that it has.
    state::Uses push(const state::State& state, unsigned thread, const isa::Instruction& instruction,
                     std::int64_t index, bool idle);
    /// Whether something from op `oldest` on, the first that has not passed the gate, uses these in a way that a store, or a load, of the
    /// core has to wait for.
    bool hold_up(state::Resources resources, bool store, std::int64_t oldest);

private:
    struct Push {
        std::int64_t index = 0;
        state::Uses uses;
    };
    Ring<Push> pushes_;
    std::optional<unsigned> bank_;  ///< that the last SETC16 pushed chooses
};

}  // namespace tessera::frontend

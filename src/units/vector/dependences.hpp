// SPDX-License-Identifier: Apache-2.0
// Dependences between vector instructions: two-cycle results, stalls by hardware, and distances that software must keep
// (Instruction scheduling of the instructions' pages).
#pragma once

#include <optional>

#include "plan/plan.hpp"
#include "state/state.hpp"

namespace tessera::units::vector {

/// The facts about a vector instruction that the next one is checked against.
struct RegisterUse {
    isa::Instruction instruction;
    std::uint32_t reads = 0, writes = 0;  ///< LRegs, a bit each
    std::uint8_t vd = 0;                  ///< as encoded
    bool late = false;                    ///< its result lands at the end of its second cycle
    std::uint8_t backdoor_shut = 0;       ///< lane columns with DISABLE_BACKDOOR_LOAD at its resolve
};
RegisterUse register_use(const plan::Plan& plan, const state::State& state);

/// Whether hardware stalls `next` for a cycle if `last` was issued in the preceding cycle.
bool holds_back(const RegisterUse& last, const RegisterUse& next);

/// The hazard of `next` right behind `last`, which is instruction `last_index` of the same thread.
std::optional<findings::Note> hazard(const RegisterUse& last, const RegisterUse& next, std::int64_t last_index);

/// A result corrupted by erratum TEN-2932 (spec-notes V60).
std::optional<findings::Note> spoiled_index(const RegisterUse& use, const state::State& state);

}  // namespace tessera::units::vector

// SPDX-License-Identifier: Apache-2.0
// Dependences between vector instructions: two-cycle results, stalls by hardware, and distances that software must keep
// (Instruction scheduling of the instructions' pages).
#pragma once

#include <optional>

#include "plan/plan.hpp"
#include "state/state.hpp"
#include "units/register_use.hpp"
#include "units/resolved.hpp"

namespace tessera::units::vector {

/// Of an instruction, without RegisterUse::backdoor_shut: what the plan alone says.
RegisterUse register_use(const plan::Plan& plan);
/// The lane columns with DISABLE_BACKDOOR_LOAD, a bit each.
std::uint8_t backdoor_shut(const state::State& state);
/// All of it, at the instruction's resolve. What the plan alone says is computed once.
inline RegisterUse register_use(const Resolved& resolved, const state::State& state) {
    if (!resolved.register_use) resolved.register_use = register_use(resolved.plan);
    RegisterUse use = *resolved.register_use;
    if (use.vd >= state::LRegs::recorded) use.backdoor_shut = backdoor_shut(state);
    return use;
}

/// Whether hardware stalls `next` for a cycle if `last` was issued in the preceding cycle.
inline bool holds_back(const RegisterUse& last, const RegisterUse& next) { return (last.held & next.believed_reads) != 0; }

/// RegisterUse::writes, and of those that LReg 7 chooses from only the ones that it names now in any lane.
std::uint32_t writes_now(const RegisterUse& use, const state::State& state);

/// The hazard of `next` right behind `last`, which is instruction `last_index` of the same thread.
std::optional<findings::Note> hazard(const RegisterUse& last, const RegisterUse& next, std::int64_t last_index);

/// A result corrupted by erratum TEN-2932 (spec-notes V60).
std::optional<findings::Note> spoiled_index(const RegisterUse& use, const state::State& state);

}  // namespace tessera::units::vector

// SPDX-License-Identifier: Apache-2.0
// What may follow what in the vector unit: which results take two cycles, what hardware waits for by itself, and what
// software has to keep apart (Instruction scheduling of the instructions' pages).
#pragma once

#include <optional>

#include "plan/plan.hpp"
#include "state/state.hpp"

namespace tessera::units::vector {

/// What is remembered of a vector instruction for the next one.
struct Footmark {
    isa::Instruction instruction;
    std::uint32_t reads = 0, writes = 0;  ///< LRegs, a bit each
    std::uint8_t vd = 0;                  ///< as encoded
    bool late = false;                    ///< writes at the end of its second cycle
    std::uint8_t backdoor_shut = 0;       ///< lane columns with DISABLE_BACKDOOR_LOAD when it was resolved
};
Footmark footmark(const plan::Plan& plan, const state::State& state);

/// Whether hardware holds `next` back for a cycle when `last` has been issued in the cycle before.
bool holds_back(const Footmark& last, const Footmark& next);

/// What is wrong with `next` right behind `last`, which is instruction `last_index` of the same thread.
std::optional<findings::Note> hazard(const Footmark& last, const Footmark& next, std::int64_t last_index);

/// A result that erratum TEN-2932 spoils (spec-notes V60).
std::optional<findings::Note> spoiled_index(const Footmark& mark, const state::State& state);

}  // namespace tessera::units::vector

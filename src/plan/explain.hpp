// SPDX-License-Identifier: Apache-2.0
// A plan in words.
#pragma once

#include <span>

#include "plan/plan.hpp"
#include "state/state.hpp"
#include "tessera/explanation.hpp"

namespace tessera::plan {

/// Everything a plan says: operands, what it captured (`captured`, as a recorder saw it), what it waits for, what it
/// costs, which counters move, its effects and work.
std::vector<Explanation::Line> explain(const Plan& plan, const state::State& state,
                                       std::span<const state::Cell> captured);

}  // namespace tessera::plan

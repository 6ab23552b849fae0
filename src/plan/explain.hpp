// SPDX-License-Identifier: Apache-2.0
// Explains a plan in words.
#pragma once

#include <string_view>

#include "plan/plan.hpp"
#include "plan/seen.hpp"
#include "state/state.hpp"
#include "tessera/explanation.hpp"

namespace tessera::plan {

/// All about a plan: operands, the registers and counters that its resolve read, waits, costs with their source,
/// effects as "old -> new", and work. For faults and findings also the responsible fields and their right values.
std::vector<Explanation::Line> explain(const Plan& plan, const state::State& state, const Seen& seen,
                                       std::string_view cost_source = {});

}  // namespace tessera::plan

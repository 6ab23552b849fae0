// SPDX-License-Identifier: Apache-2.0
// A plan in words.
#pragma once

#include <string_view>

#include "plan/plan.hpp"
#include "plan/seen.hpp"
#include "state/state.hpp"
#include "tessera/explanation.hpp"

namespace tessera::plan {

/// Everything a plan says: operands, the registers and counters that its resolve looked at and what it told, what it waits
/// for, what it costs and who says so, its effects as "old -> new", its work, and what is wrong with it: the fields
/// behind a fault or finding and what they should be.
std::vector<Explanation::Line> explain(const Plan& plan, const state::State& state, const Seen& seen,
                                       std::string_view cost_source = {});

}  // namespace tessera::plan

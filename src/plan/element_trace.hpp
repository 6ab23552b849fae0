// SPDX-License-Identifier: Apache-2.0
// Explains step by step how a plan computes one element.
#pragma once

#include <optional>

#include "plan/plan.hpp"
#include "state/state.hpp"
#include "tessera/element_trace.hpp"

namespace tessera::plan {

/// Whether the plan computes that element with the matrix unit.
bool computes(const Plan& plan, DstElement element);

/// The steps, from the state just before the plan's work. Empty unless computes().
std::optional<ElementTrace> trace(const Plan& plan, const state::State& state, DstElement element);

// The steps of each kind are beside its loop (units/matrix).
bool computes(const MultiplyWork& work, DstElement element);
bool computes(const ElementwiseWork& work, DstElement element);
bool computes(const PoolWork& work, DstElement element);
ElementTrace trace(const MultiplyWork& work, const state::State& state, DstElement element);
ElementTrace trace(const ElementwiseWork& work, const state::State& state, DstElement element);
ElementTrace trace(const PoolWork& work, const state::State& state, DstElement element);

}  // namespace tessera::plan

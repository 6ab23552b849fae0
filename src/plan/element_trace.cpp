// SPDX-License-Identifier: Apache-2.0
#include "plan/element_trace.hpp"

namespace tessera::plan {

namespace {

template <class W>
concept Computes = requires(const W& work, const state::State& state, DstElement element) {
    trace(work, state, element);
};

}  // namespace

bool computes(const Plan& plan, DstElement element) {
    return !plan.fault && std::visit(
                              [&](const auto& work) {
                                  if constexpr (Computes<std::decay_t<decltype(work)>>) return computes(work, element);
                                  return false;
                              },
                              plan.work);
}

std::optional<ElementTrace> trace(const Plan& plan, const state::State& state, DstElement element) {
    if (!computes(plan, element)) return std::nullopt;
    return std::visit(
        [&](const auto& work) -> std::optional<ElementTrace> {
            if constexpr (Computes<std::decay_t<decltype(work)>>) return trace(work, state, element);
            return std::nullopt;
        },
        plan.work);
}

}  // namespace tessera::plan

// SPDX-License-Identifier: Apache-2.0
// SFPNOP.
// Reference: reference/models/vector_config.cpp, reference/models/vector_macro.cpp.
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPNOP"),
     [](const StateView&, plan::Plan& plan) { plan.cost.fills_pause = true; },
     {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> sfpnop_rules() { return behaviours; }

}  // namespace tessera::units::vector

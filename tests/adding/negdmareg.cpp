// SPDX-License-Identifier: Apache-2.0
// NEGDMAREG, an instruction that no chip has: scripts/check_adding puts this file into src/units/scalar/rules/.
// Reference: reference/models/scalar_negate.cpp.
#include "units/scalar/gprs.hpp"
#include "units/scalar/scalar.hpp"

namespace tessera::units::scalar {

namespace {

constexpr auto result = isa::operand("NEGDMAREG", "ResultRegIndex");
constexpr auto operand = isa::operand("NEGDMAREG", "OpARegIndex");

void resolve_negdmareg(const StateView& view, plan::Plan& plan) {
    plan.effect(gpr_cell(view, view[result]), 0 - gpr(view, view[operand]), plan::When::end);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("NEGDMAREG"), resolve_negdmareg, {7, 9, {"no page: it is made up", Source::assumed}}},
};

}  // namespace

std::span<const Behaviour> negdmareg_rules() { return behaviours; }

}  // namespace tessera::units::scalar

// SPDX-License-Identifier: Apache-2.0
// SFPARECIP (its page, Functional model).
// Loops: loops/sfparecip_loops.cpp; reference: reference/models/vector_lut.cpp.
#include "isa/values/vector.hpp"
#include "units/vector/loops/sfparecip_loops.hpp"
#include "units/vector/named.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

void resolve_sfparecip(const StateView& view, plan::Plan& plan) {
    using isa::value, isa::values::approximation_modes;
    static constexpr auto operands = simple_operands("SFPARECIP");
    static constexpr auto vb = isa::operand("SFPARECIP", "imm12_math");
    Vector v = named_by(view, plan, operands.vd, operands.vc);
    if (!stores_d(plan, v)) return;
    if (!view.macro_step) v.b = view[vb];
    switch (view[operands.mode]) {
        case value(approximation_modes, "recip"):
            plan.work = writing_d(v, approximation_loop(Approximation::reciprocal), lreg_set({v.c}));
            break;
        case value(approximation_modes, "cond_recip"):
            plan.work =
                writing_d(v, approximation_loop(Approximation::reciprocal_where_negative), lreg_set({v.b, v.c}));
            break;
        default: plan.work = writing_d(v, approximation_loop(Approximation::exponential), lreg_set({v.c}));
    }
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPARECIP"), resolve_sfparecip, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> sfparecip_rules() { return behaviours; }

}  // namespace tessera::units::vector

// SPDX-License-Identifier: Apache-2.0
// SFPIADD, SFPLZ, SFPEXEXP, SFPABS (their pages, Functional model).
// Loops: loops/integers_loops.cpp; reference: reference/models/vector_fields.cpp, reference/models/vector_integer.cpp.
#include "isa/values/vector.hpp"
#include "units/vector/loops/integers_loops.hpp"

#include "units/vector/named.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

void give(plan::Plan& plan, const Vector& v, Integer operation, std::uint32_t reads, std::uint32_t immediate,
          FlagUpdate update) {
    // Results in LReg 16, which only SFPLOADMACRO can name, leave the flags alone.
    if (v.d >= state::LRegs::writable) update = FlagUpdate::none;
    plan::LaneWork work = writing_d(v, integer_loop(operation, update != FlagUpdate::none), reads);
    work.immediate = immediate;
    flag(work, update);
    plan.work = work;
}

void resolve_sfpiadd(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPIADD");
    static constexpr auto immediate = isa::operand("SFPIADD", "imm12_math");
    using isa::value, isa::values::iadd_modes;
    constexpr std::uint32_t by_immediate = value(iadd_modes, "arg_imm"),
                            subtract = value(iadd_modes, "arg_2scomp_lreg_dst"),
                            no_flags = value(iadd_modes, "cc_none"), complement = value(iadd_modes, "cc_gte0");
    const Vector v = named_by(view, plan, operands.vd, operands.vc);
    if (!stores_d(plan, v)) return;
    const std::uint32_t mode = view[operands.mode];
    const FlagUpdate update = flag_update(!(mode & no_flags), mode & complement);
    if (mode & by_immediate)
        return give(plan, v, Integer::add_immediate, lreg_set({v.c}), signed_12_bits(view[immediate]), update);
    give(plan, v, mode & subtract ? Integer::subtract : Integer::add, lreg_set({v.b, v.c}), 0, update);
}

void resolve_sfplz(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPLZ");
    using isa::value, isa::values::lz_modes;
    constexpr std::uint32_t set_not_zero = value(lz_modes, "cc_ne0"), without_sign = value(lz_modes, "nosgn_mask"),
                            complement = value(lz_modes, "cc_comp");
    const Vector v = named_by(view, plan, operands.vd, operands.vc);
    const std::uint32_t given = view[operands.mode];
    const std::uint32_t mode = acting(plan, given, given & (set_not_zero | without_sign | complement));
    if (!stores_d(plan, v)) return;
    give(plan, v, Integer::leading_zeros, lreg_set({v.c}), mode & without_sign ? 0x7FFFFFFF : ~0u,
         flag_update(mode & set_not_zero, mode & complement));
}

void resolve_sfpexexp(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPEXEXP");
    using isa::value, isa::values::exexp_modes;
    constexpr std::uint32_t without_bias = value(exexp_modes, "nodebias"),
                            set_negative = value(exexp_modes, "set_cc_sgn_exp"),
                            complement = value(exexp_modes, "set_cc_comp_exp");
    const Vector v = named_by(view, plan, operands.vd, operands.vc);
    const std::uint32_t given = view[operands.mode];
    const std::uint32_t mode = acting(plan, given, given & (without_bias | set_negative | complement));
    if (!stores_d(plan, v)) return;
    give(plan, v, Integer::exponent, lreg_set({v.c}), mode & without_bias ? 0 : 127,
         flag_update(mode & set_negative, mode & complement));
}

void resolve_sfpabs(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPABS");
    constexpr std::uint32_t floating = isa::value(isa::values::abs_modes, "float");
    const Vector v = named_by(view, plan, operands.vd, operands.vc);
    const std::uint32_t given = view[operands.mode], mode = acting(plan, given, given & floating);
    if (stores_d(plan, v))
        plan.work =
            writing_d(v, absolute_loop(mode & floating ? Absolute::floating : Absolute::integer), lreg_set({v.c}));
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPIADD"), resolve_sfpiadd, {1, 1, unit_page}},
    {isa::mnemonic("SFPLZ"), resolve_sfplz, {1, 1, unit_page}},
    {isa::mnemonic("SFPEXEXP"), resolve_sfpexexp, {1, 1, unit_page}},
    {isa::mnemonic("SFPABS"), resolve_sfpabs, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> integers_rules() { return behaviours; }

}  // namespace tessera::units::vector

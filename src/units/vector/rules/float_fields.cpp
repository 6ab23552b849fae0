// SPDX-License-Identifier: Apache-2.0
// SFPSETSGN, SFPSETEXP, SFPSETMAN, SFPDIVP2, SFPEXMAN (their pages, Functional model).
// Loops: loops/float_fields_loops.cpp; reference: reference/models/vector_fields.cpp.
#include "isa/values/vector.hpp"
#include "units/vector/loops/float_fields_loops.hpp"

#include "units/vector/named.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

void from_immediate(plan::Plan& plan, const Vector& v, plan::LaneWork::Loop loop, std::uint32_t bits) {
    plan::LaneWork work = writing_d(v, loop, lreg_set({v.c}));
    work.immediate = bits;
    plan.work = work;
}

void from_register(plan::Plan& plan, const Vector& v, plan::LaneWork::Loop loop) {
    plan.work = writing_d(v, loop, lreg_set({v.b, v.c}));
}

// SFPSETSGN, SFPSETMAN: replaces a field of VC by that of VB, or by the immediate, whose bits begin at `place`.
void resolve_field(const StateView& view, plan::Plan& plan, const SimpleOperands& operands,
                   const isa::Operand& immediate, Field field, unsigned place) {
    constexpr std::uint32_t by_immediate = isa::value(isa::values::field_modes, "arg_imm");
    const Vector v = named_by(view, plan, operands.vd, operands.vc);
    const std::uint32_t given = view[operands.mode], mode = acting(plan, given, given & by_immediate);
    if (!stores_d(plan, v)) return;
    if (mode & by_immediate)
        from_immediate(plan, v, field_of_immediate_loop(field), view[immediate] << place);
    else
        from_register(plan, v, field_of_register_loop(field));
}

void resolve_sfpsetsgn(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPSETSGN");
    static constexpr auto immediate = isa::operand("SFPSETSGN", "imm12_math");
    resolve_field(view, plan, operands, immediate, Field::sign, 31);
}

void resolve_sfpsetexp(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPSETEXP");
    static constexpr auto immediate = isa::operand("SFPSETEXP", "imm12_math");
    using isa::value, isa::values::setexp_modes;
    constexpr std::uint32_t by_immediate = value(setexp_modes, "arg_imm"),
                            by_exponent = value(setexp_modes, "arg_exponent");
    const Vector v = named_by(view, plan, operands.vd, operands.vc);
    const std::uint32_t given = view[operands.mode], mode = acting(plan, given, given & (by_immediate | by_exponent));
    if (!stores_d(plan, v)) return;
    if (mode & by_immediate)
        from_immediate(plan, v, field_of_immediate_loop(Field::exponent), (view[immediate] & 0xFF) << 23);
    else if (mode & by_exponent)
        from_register(plan, v, field_of_register_loop(Field::exponent));
    else
        from_register(plan, v, exponent_of_integer_loop());
}

void resolve_sfpsetman(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPSETMAN");
    static constexpr auto immediate = isa::operand("SFPSETMAN", "imm12_math");
    resolve_field(view, plan, operands, immediate, Field::mantissa, 11);
}

void resolve_sfpdivp2(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPDIVP2");
    static constexpr auto immediate = isa::operand("SFPDIVP2", "imm12_math");
    constexpr std::uint32_t add = isa::value(isa::values::divp2_modes, "add");
    const Vector v = named_by(view, plan, operands.vd, operands.vc);
    const std::uint32_t given = view[operands.mode], mode = acting(plan, given, given & add);
    if (!stores_d(plan, v)) return;
    from_immediate(plan, v, mode & add ? add_exponent_loop() : field_of_immediate_loop(Field::exponent),
                   (view[immediate] & 0xFF) << 23);
}

void resolve_sfpexman(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPEXMAN");
    constexpr std::uint32_t without_hidden_bit = isa::value(isa::values::exman_modes, "pad9");
    const Vector v = named_by(view, plan, operands.vd, operands.vc);
    const std::uint32_t given = view[operands.mode], mode = acting(plan, given, given & without_hidden_bit);
    if (!stores_d(plan, v)) return;
    from_immediate(plan, v, field_of_immediate_loop(Field::sign_and_exponent), mode & without_hidden_bit ? 0 : 1 << 23);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPSETSGN"), resolve_sfpsetsgn, {1, 1, unit_page}},
    {isa::mnemonic("SFPSETEXP"), resolve_sfpsetexp, {1, 1, unit_page}},
    {isa::mnemonic("SFPSETMAN"), resolve_sfpsetman, {1, 1, unit_page}},
    {isa::mnemonic("SFPDIVP2"), resolve_sfpdivp2, {1, 1, unit_page}},
    {isa::mnemonic("SFPEXMAN"), resolve_sfpexman, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> float_fields_rules() { return behaviours; }

}  // namespace tessera::units::vector

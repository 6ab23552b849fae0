// SPDX-License-Identifier: Apache-2.0
// SFPAND, SFPOR, SFPXOR, SFPNOT, SFPSHFT (their pages, Functional model).
// Loops: loops/bitwise_loops.cpp; reference: reference/models/vector_integer.cpp.
#include "isa/values/vector.hpp"
#include "units/vector/loops/bitwise_loops.hpp"
#include "units/vector/named.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

void combine(const StateView& view, plan::Plan& plan, std::uint32_t mode, const SimpleOperands& operands,
             const isa::Operand& vb, Bits operation) {
    Vector v = named_by(view, plan, operands.vd, operands.vc);
    if (!stores_d(plan, v)) return;
    // Wormhole's instructions have no VB of their own.
    constexpr std::uint32_t use_vb = isa::value(isa::values::combine_modes, "use_vb");
    if (view.blackhole() && mode & use_vb && !view.macro_step) v.b = view[vb];
    plan.work = writing_d(v, bits_loop(operation), lreg_set({v.b, v.c}));
}

void resolve_sfpand(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPAND");
    static constexpr auto vb = isa::operand("SFPAND", "imm12_math");
    combine(view, plan, view[operands.mode], operands, vb, Bits::bitwise_and);
}

void resolve_sfpor(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPOR");
    static constexpr auto vb = isa::operand("SFPOR", "imm12_math");
    combine(view, plan, view[operands.mode], operands, vb, Bits::bitwise_or);
}

void resolve_sfpxor(const StateView& view, plan::Plan& plan) {
    static constexpr auto vd = isa::operand("SFPXOR", "lreg_dest"), vc = isa::operand("SFPXOR", "lreg_c");
    const Vector v = named_by(view, plan, vd, vc);
    if (stores_d(plan, v)) plan.work = writing_d(v, bits_loop(Bits::bitwise_xor), lreg_set({v.b, v.c}));
}

void resolve_sfpnot(const StateView& view, plan::Plan& plan) {
    static constexpr auto vd = isa::operand("SFPNOT", "lreg_dest"), vc = isa::operand("SFPNOT", "lreg_c");
    const Vector v = named_by(view, plan, vd, vc);
    if (stores_d(plan, v)) plan.work = writing_d(v, bits_loop(Bits::bitwise_not), lreg_set({v.c}));
}

void resolve_sfpshft(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPSHFT");
    static constexpr auto immediate = isa::operand("SFPSHFT", "imm12_math");
    using isa::value, isa::values::shift_modes;
    constexpr std::uint32_t by_immediate = value(shift_modes, "arg_imm"), arithmetic = value(shift_modes, "arithmetic"),
                            use_vc = value(shift_modes, "arg_imm_use_vc");
    Vector v = named_by(view, plan, operands.vd, operands.vc);
    const std::uint32_t given = view[operands.mode];
    const std::uint32_t known =
        view.blackhole() ? by_immediate | arithmetic | (given & by_immediate ? use_vc : 0) : by_immediate;
    const std::uint32_t mode = acting(plan, given, given & known);
    if (!stores_d(plan, v)) return;
    if (mode & use_vc) v.b = v.c;
    if (mode & by_immediate) {
        plan::LaneWork work =
            writing_d(v, bits_loop(mode & arithmetic ? Bits::shift_arithmetic_immediate : Bits::shift_immediate),
                      lreg_set({v.b}));
        work.immediate = signed_12_bits(view[immediate]);
        plan.work = work;
    } else {
        plan.work =
            writing_d(v, bits_loop(mode & arithmetic ? Bits::shift_arithmetic : Bits::shift), lreg_set({v.b, v.c}));
    }
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPAND"), resolve_sfpand, {1, 1, unit_page}},
    {isa::mnemonic("SFPOR"), resolve_sfpor, {1, 1, unit_page}},
    {isa::mnemonic("SFPXOR"), resolve_sfpxor, {1, 1, unit_page}},
    {isa::mnemonic("SFPNOT"), resolve_sfpnot, {1, 1, unit_page}},
    {isa::mnemonic("SFPSHFT"), resolve_sfpshft, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> bitwise_rules() { return behaviours; }

}  // namespace tessera::units::vector

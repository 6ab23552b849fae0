// SPDX-License-Identifier: Apache-2.0
// Miscellaneous unit: SETADCXX, SETADCXY, SETADCZW, NOP. A counter is set together with its checkpoint.
#include "units/resolve.hpp"

namespace tessera::units::misc {

namespace {

using state::Adc;
using state::AdcUnit;

// SETADCXY and SETADCZW share one layout: the operand called X holds Z's value in the latter, and Y holds W's.
struct PairOperands {
    isa::Operand units, mask, thread;
    std::array<isa::Operand, 4> values;  // channel 0 first, channel 0 second, channel 1 first, channel 1 second
};

consteval PairOperands pair_operands(std::string_view name) {
    return {isa::operand(name, "CntSetMask"),
            isa::operand(name, "BitMask"),
            isa::operand(name, "ThreadOverride"),
            {isa::operand(name, "Ch0_X"), isa::operand(name, "Ch0_Y"), isa::operand(name, "Ch1_X"),
             isa::operand(name, "Ch1_Y")}};
}

constexpr PairOperands xy = pair_operands("SETADCXY"), zw = pair_operands("SETADCZW");
constexpr auto xx_units = isa::operand("SETADCXX", "CntSetMask");
constexpr auto xx_start = isa::operand("SETADCXX", "x_start");
constexpr auto xx_end = isa::operand("SETADCXX", "x_end2");

void set(plan::Plan& plan, unsigned thread, AdcUnit unit, unsigned channel, Adc counter, std::uint32_t value) {
    const Adc checkpoint = Adc(static_cast<unsigned>(counter) + 1);
    plan.effect(state::cells::adc(thread, unit, channel, counter), value, plan::When::issue);
    plan.effect(state::cells::adc(thread, unit, channel, checkpoint), value, plan::When::issue);
}

template <class F>
void for_each_unit(std::uint32_t mask, F&& f) {
    for (unsigned i = 0; i < state::cells::size<AdcUnit>; ++i)
        if (mask >> i & 1) f(AdcUnit(i));
}

void set_pairs(const Look& look, plan::Plan& plan, const PairOperands& operands, Adc first, Adc second) {
    const std::uint32_t override = look[operands.thread];
    const unsigned thread = override == 0 ? look.thread : override - 1;
    for_each_unit(look[operands.units], [&](AdcUnit unit) {
        for (unsigned i = 0; i < 4; ++i)
            if (look[operands.mask] >> i & 1)
                set(plan, thread, unit, i / 2, i % 2 ? second : first, look[operands.values[i]]);
    });
}

void resolve_setadcxy(const Look& look, plan::Plan& plan) { set_pairs(look, plan, xy, Adc::x, Adc::y); }
void resolve_setadczw(const Look& look, plan::Plan& plan) { set_pairs(look, plan, zw, Adc::z, Adc::w); }

void resolve_setadcxx(const Look& look, plan::Plan& plan) {
    for_each_unit(look[xx_units], [&](AdcUnit unit) {
        set(plan, look.thread, unit, 0, Adc::x, look[xx_start]);
        set(plan, look.thread, unit, 1, Adc::x, look[xx_end]);
    });
}

void resolve_nop(const Look&, plan::Plan&) {}

constexpr Behaviour table[] = {
    {isa::mnemonic("SETADCXX"), resolve_setadcxx},
    {isa::mnemonic("SETADCXY"), resolve_setadcxy},
    {isa::mnemonic("SETADCZW"), resolve_setadczw},
    {isa::mnemonic("NOP"), resolve_nop},
};

}  // namespace

constinit const std::span<const Behaviour> behaviours = table;

}  // namespace tessera::units::misc

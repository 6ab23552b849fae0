// SPDX-License-Identifier: Apache-2.0
// SFPLOADI (its page, Functional model).
// Loops: loops/sfpload_sfpstore_loops.cpp; reference: reference/models/vector_exchange.cpp.
#include "isa/values/vector.hpp"
#include "units/vector/lanes.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

constexpr auto lreg = isa::operand("SFPLOADI", "lreg_ind");
constexpr auto mode = isa::operand("SFPLOADI", "instr_mod0");
constexpr auto immediate = isa::operand("SFPLOADI", "imm16");

// An exponent of 0 is rebiased like any other.
constexpr std::uint32_t from_fp16(std::uint32_t x) {
    return (x & 0x8000) << 16 | ((x >> 10 & 0x1F) + 112) << 23 | (x & 0x3FF) << 13;
}

void resolve_sfploadi(const StateView& view, plan::Plan& plan) {
    const Vector v = vector_of(view, plan, lreg);
    note_constant(plan, v.d, state::LRegs::writable);
    if (v.d >= state::LRegs::writable) return;
    const std::uint32_t x = view[immediate];
    plan::ImmediateWork work;
    work.lreg = static_cast<std::uint8_t>(v.d);
    work.lanes = v.enabled;
    using isa::value, isa::values::immediate_modes;
    switch (view[mode]) {
        case value(immediate_modes, "floatb"): work.value = x << 16; break;
        case value(immediate_modes, "floata"): work.value = from_fp16(x); break;
        case value(immediate_modes, "ushort"): work.value = x; break;
        case value(immediate_modes, "short"): work.value = x & 0x8000 ? x | 0xFFFF0000 : x; break;
        case value(immediate_modes, "upper"):
            work.value = x << 16;
            work.keep = 0x0000FFFF;
            break;
        case value(immediate_modes, "lower"):
            work.value = x;
            work.keep = 0xFFFF0000;
            break;
        default: plan.note(findings::id("vector.undefined-mode"), {view[mode]}); return;
    }
    plan.work = work;
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPLOADI"), resolve_sfploadi, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> sfploadi_rules() { return behaviours; }

}  // namespace tessera::units::vector

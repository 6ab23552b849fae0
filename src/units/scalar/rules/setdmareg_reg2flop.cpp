// SPDX-License-Identifier: Apache-2.0
// SETDMAREG with an immediate; REG2FLOP to THCON configuration and to address counters (their pages, Functional model).
// Reference: reference/models/scalar_registers.cpp.
#include "units/config_access.hpp"
#include "units/scalar/scalar.hpp"

namespace tessera::units::scalar {

namespace {

constexpr auto set_special = isa::operand("SETDMAREG", "SetSignalsMode");
constexpr auto set_value = isa::operand("SETDMAREG", "Payload_SigSel");
constexpr auto set_value_high = isa::operand("SETDMAREG", "Payload_SigSelSize");
constexpr auto set_half = isa::operand("SETDMAREG", "RegIndex16b");

constexpr auto size_sel = isa::operand("REG2FLOP", "SizeSel");
constexpr auto target_sel = isa::operand("REG2FLOP", "TargetSel");
constexpr auto byte_offset = isa::operand("REG2FLOP", "ByteOffset");
constexpr auto thread_sel = isa::operand("REG2FLOP", "ContextId_2");
constexpr auto flop_index = isa::operand("REG2FLOP", "FlopIndex");
constexpr auto reg_index = isa::operand("REG2FLOP", "RegIndex");

constexpr auto first_thcon_field = registers::field("THCON_SEC0_REG0_TileDescriptor_InDataFormat");

void to_configuration(const StateView& view, plan::Plan& plan) {
    const std::uint32_t base = first_thcon_field[view.arch().arch].addr32;
    const std::uint32_t index = base + view[flop_index], reg = view[reg_index];
    if (index >= view.arch().shared_config_base) {
        plan.fail(findings::id("scalar.reg2flop-index"), {view[flop_index], view.arch().shared_config_base - base});
        return;
    }
    auto gpr = [&](std::uint32_t i) { return view[state::cells::gpr(view.thread, i)]; };
    if (view[size_sel]) {
        if (view.blackhole()) plan.note(findings::id("scalar.reg2flop-unsupported"), {}, "REG2FLOP on Blackhole");
        return write_config(view, plan, index, gpr(reg), plan::When::end);
    }
    plan.note(findings::id("scalar.reg2flop-unsupported"), {}, "REG2FLOP of 128 bits");
    for (unsigned i = 0; i < 4; ++i) write_config(view, plan, (index & ~3u) + i, gpr((reg & ~3u) + i), plan::When::end);
}

// The part of a GPR that size and shift select.
std::uint32_t selected(std::uint32_t value, std::uint32_t size, std::uint32_t shift) {
    switch (size) {
        case 1: return shift == 0 ? value : 0;
        case 2: return shift == 0 ? value & 0xFFFF : shift == 2 ? value >> 16 : 0;
        case 3: return value >> 8 * shift & 0xFF;
        default: return 0;
    }
}

void to_address_counter(const StateView& view, plan::Plan& plan) {
    plan.note(findings::id("scalar.reg2flop-unsupported"), {}, "REG2FLOP to an address counter");
    const std::uint32_t index = view[flop_index];
    const unsigned thread = view[target_sel] & 1 ? view[thread_sel] : view.thread;
    const unsigned unit = index >> 3 & 3;
    if (thread >= state::threads || unit == 3) return;
    const auto counter = state::Adc((index & 3) * 2 + (index >> 2 & 1));
    const std::uint32_t value =
        selected(view[state::cells::gpr(view.thread, view[reg_index])], view[size_sel], view[byte_offset]);
    const auto cell = state::cells::adc(thread, state::AdcUnit(unit), index >> 5 & 1, counter);
    plan.effect(cell, value & state::adc_mask(view.arch(), counter), plan::When::end);
}

void resolve_setdmareg(const StateView& view, plan::Plan& plan) {
    if (view[set_special]) return set_from_packers(view, plan);
    const std::uint32_t value = view[set_value] | view[set_value_high] << 14;
    const auto cell = state::cells::gpr(view.thread, view[set_half] / 2);
    const unsigned shift = view[set_half] % 2 * 16;
    plan.effect(cell, (view[cell] & ~(0xFFFFu << shift)) | value << shift, plan::When::end);
}

void resolve_reg2flop(const StateView& view, plan::Plan& plan) {
    if (view[target_sel] & 2) return to_address_counter(view, plan);
    if (view[target_sel] == 0) return to_configuration(view, plan);
    plan.fail(findings::id("scalar.reg2flop-target"));
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SETDMAREG"), resolve_setdmareg, {1, 1, unit_page}},
    {isa::mnemonic("REG2FLOP"), resolve_reg2flop, {2, 2, unit_page}},
};

}  // namespace

std::span<const Behaviour> setdmareg_reg2flop_rules() { return behaviours; }

}  // namespace tessera::units::scalar

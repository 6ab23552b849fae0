// SPDX-License-Identifier: Apache-2.0
// The address counters' eight instructions (their pages, Functional model; ADCs): set a counter together with its
// checkpoint, add to a counter, add to a checkpoint and continue from there. All wrap at the counter's width.
#include "units/misc/misc.hpp"

namespace tessera::units::misc {

namespace {

using state::Adc;
using state::AdcUnit;

constexpr Adc checkpoint_of(Adc counter) { return Adc(static_cast<unsigned>(counter) + 1); }

// The unit, counter and channel.
struct Place {
    unsigned thread;
    AdcUnit unit;
    unsigned channel;
    Adc counter;

    state::Cell cell() const { return state::cells::adc(thread, unit, channel, counter); }
    state::Cell checkpoint() const { return state::cells::adc(thread, unit, channel, checkpoint_of(counter)); }
};

void set_both(const StateView& view, plan::Plan& plan, const Place& at, std::uint32_t value) {
    value &= state::adc_mask(view.arch(), at.counter);
    plan.effect(at.cell(), value, plan::When::issue);
    plan.effect(at.checkpoint(), value, plan::When::issue);
}

void add_to_counter(const StateView& view, plan::Plan& plan, const Place& at, std::uint32_t value) {
    if (value)
        plan.effect(at.cell(), (view[at.cell()] + value) & state::adc_mask(view.arch(), at.counter), plan::When::issue);
}

void add_to_checkpoint(const StateView& view, plan::Plan& plan, const Place& at, std::uint32_t value) {
    set_both(view, plan, at, view[at.checkpoint()] + value);
}

using Change = void (*)(const StateView&, plan::Plan&, const Place&, std::uint32_t);

// The instructions on two counters of both channels share one layout. In the ZW forms operand X stands for Z, and Y
// for W.
struct PairOperands {
    isa::Operand units, thread;
    std::array<isa::Operand, 4> values;  // channel 0 first, channel 0 second, channel 1 first, channel 1 second
};

consteval PairOperands pair_operands(std::string_view name) {
    return {isa::operand(name, "CntSetMask"),
            isa::operand(name, "ThreadOverride"),
            {isa::operand(name, "Ch0_X"), isa::operand(name, "Ch0_Y"), isa::operand(name, "Ch1_X"),
             isa::operand(name, "Ch1_Y")}};
}

template <class F>
void for_each_unit(std::uint32_t mask, plan::Plan& plan, F&& f) {
    if (mask == 0) plan.note(findings::id("misc.no-counter"));
    for (unsigned i = 0; i < state::cells::size<AdcUnit>; ++i)
        if (mask >> i & 1) f(AdcUnit(i));
}

unsigned chosen_thread(const StateView& view, plan::Plan& plan, std::uint32_t override) {
    if (override == 0) return view.thread;
    plan.note(findings::id("misc.thread-override"), {override - 1});
    return override - 1;
}

void change_pairs(const StateView& view, plan::Plan& plan, const PairOperands& operands, std::uint32_t which,
                  std::array<Adc, 2> counters, Change change) {
    const unsigned thread = chosen_thread(view, plan, view[operands.thread]);
    for_each_unit(which ? view[operands.units] : 0, plan, [&](AdcUnit unit) {
        for (unsigned i = 0; i < 4; ++i)
            if (which >> i & 1) change(view, plan, {thread, unit, i / 2, counters[i % 2]}, view[operands.values[i]]);
    });
}

constexpr std::array xy = {Adc::x, Adc::y}, zw = {Adc::z, Adc::w};
constexpr std::uint32_t all_four = 0xF;

constexpr auto setadcxy_mask = isa::operand("SETADCXY", "BitMask");
constexpr auto setadczw_mask = isa::operand("SETADCZW", "BitMask");
constexpr auto addrcrxy_mask = isa::operand("ADDRCRXY", "BitMask");
constexpr auto addrcrzw_mask = isa::operand("ADDRCRZW", "BitMask");

constexpr auto setadc_units = isa::operand("SETADC", "CntSetMask");
constexpr auto setadc_channel = isa::operand("SETADC", "ChannelIndex");
constexpr auto setadc_counter = isa::operand("SETADC", "DimensionIndex");
constexpr auto setadc_value = isa::operand("SETADC", "Value");

constexpr auto xx_units = isa::operand("SETADCXX", "CntSetMask");
constexpr auto xx_start = isa::operand("SETADCXX", "x_start");
constexpr auto xx_end = isa::operand("SETADCXX", "x_end2");

void resolve_setadcxy(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = pair_operands("SETADCXY");
    change_pairs(view, plan, operands, view[setadcxy_mask], xy, set_both);
}
void resolve_setadczw(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = pair_operands("SETADCZW");
    change_pairs(view, plan, operands, view[setadczw_mask], zw, set_both);
}
void resolve_incadcxy(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = pair_operands("INCADCXY");
    change_pairs(view, plan, operands, all_four, xy, add_to_counter);
}
void resolve_incadczw(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = pair_operands("INCADCZW");
    change_pairs(view, plan, operands, all_four, zw, add_to_counter);
}
void resolve_addrcrxy(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = pair_operands("ADDRCRXY");
    change_pairs(view, plan, operands, view[addrcrxy_mask], xy, add_to_checkpoint);
}
void resolve_addrcrzw(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = pair_operands("ADDRCRZW");
    change_pairs(view, plan, operands, view[addrcrzw_mask], zw, add_to_checkpoint);
}

void resolve_setadc(const StateView& view, plan::Plan& plan) {
    // The two highest bits of the value choose the thread, so 16 bits are left for the counter (spec-notes A60).
    const std::uint32_t value = view[setadc_value];
    const unsigned thread = chosen_thread(view, plan, value >> 16);
    const Adc counter = Adc(view[setadc_counter] * 2);
    for_each_unit(view[setadc_units], plan, [&](AdcUnit unit) {
        set_both(view, plan, {thread, unit, view[setadc_channel], counter}, value & 0xFFFF);
    });
}

void resolve_setadcxx(const StateView& view, plan::Plan& plan) {
    for_each_unit(view[xx_units], plan, [&](AdcUnit unit) {
        set_both(view, plan, {view.thread, unit, 0, Adc::x}, view[xx_start]);
        set_both(view, plan, {view.thread, unit, 1, Adc::x}, view[xx_end]);
    });
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SETADCXY"), resolve_setadcxy, {1, 1, unit_page}},
    {isa::mnemonic("SETADCZW"), resolve_setadczw, {1, 1, unit_page}},
    {isa::mnemonic("INCADCXY"), resolve_incadcxy, {1, 1, unit_page}},
    {isa::mnemonic("INCADCZW"), resolve_incadczw, {1, 1, unit_page}},
    {isa::mnemonic("ADDRCRXY"), resolve_addrcrxy, {1, 1, unit_page}},
    {isa::mnemonic("ADDRCRZW"), resolve_addrcrzw, {1, 1, unit_page}},
    {isa::mnemonic("SETADC"), resolve_setadc, {1, 1, unit_page}},
    {isa::mnemonic("SETADCXX"), resolve_setadcxx, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> address_counters_rules() { return behaviours; }

}  // namespace tessera::units::misc

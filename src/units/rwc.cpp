// SPDX-License-Identifier: Apache-2.0
#include "units/rwc.hpp"

#include <algorithm>

#include "units/slot_tables.hpp"

namespace tessera::units {

namespace {

using registers::fields;
using state::Rwc;

constexpr auto a_incr = fields<8>("ADDR_MOD_AB_SEC#_SrcAIncr");
constexpr auto a_cr = fields<8>("ADDR_MOD_AB_SEC#_SrcACR");
constexpr auto a_clear = fields<8>("ADDR_MOD_AB_SEC#_SrcAClear");
constexpr auto b_incr = fields<8>("ADDR_MOD_AB_SEC#_SrcBIncr");
constexpr auto b_cr = fields<8>("ADDR_MOD_AB_SEC#_SrcBCR");
constexpr auto b_clear = fields<8>("ADDR_MOD_AB_SEC#_SrcBClear");
constexpr auto d_incr = fields<8>("ADDR_MOD_DST_SEC#_DestIncr");
constexpr auto d_cr = fields<8>("ADDR_MOD_DST_SEC#_DestCR");
constexpr auto d_clear = fields<8>("ADDR_MOD_DST_SEC#_DestClear");
constexpr auto d_c_to_cr = fields<8>("ADDR_MOD_DST_SEC#_DestCToCR");
constexpr auto fidelity_incr = fields<8>("ADDR_MOD_DST_SEC#_FidelityIncr");
constexpr auto fidelity_clear = fields<8>("ADDR_MOD_DST_SEC#_FidelityClear");
constexpr auto bias_incr = fields<8>("ADDR_MOD_BIAS_SEC#_BiasIncr");
constexpr auto bias_clear = fields<8>("ADDR_MOD_BIAS_SEC#_BiasClear");
constexpr auto set_base = registers::field("ADDR_MOD_SET_Base");
constexpr auto math_offset = registers::field("DEST_TARGET_REG_CFG_MATH_Offset");
constexpr auto regw_base = registers::field("DEST_REGW_BASE_Base");

using AddrMods = SlotTable<AddrMod, 64, SlotPlace::address_modifiers>;

constexpr std::uint16_t source_mask = 0x3F, dst_mask = 0x3FF;

AddrMod make_addr_mod(const StateView& view, unsigned i, bool update_fidelity) {
    const auto increment = [&](const registers::Field& field) { return static_cast<std::uint16_t>(view[field]); };
    AddrMod mod;
    mod.src_a = {view[a_clear[i]] != 0, false, view[a_cr[i]] != 0, increment(a_incr[i]), source_mask};
    mod.src_b = {view[b_clear[i]] != 0, false, view[b_cr[i]] != 0, increment(b_incr[i]), source_mask};
    mod.dst = {view[d_clear[i]] != 0, view[d_c_to_cr[i]] != 0, view[d_cr[i]] != 0, increment(d_incr[i]), dst_mask};
    if (update_fidelity) {
        mod.fidelity_clear = view[fidelity_clear[i]] != 0;
        if (!mod.fidelity_clear) mod.fidelity_increment = static_cast<std::uint8_t>(view[fidelity_incr[i]]);
    }
    mod.bias_clear = view[bias_clear[i]] != 0;
    mod.bias_flips = !mod.bias_clear && view[bias_incr[i]] & 3;
    return mod;
}

AddrMod look_at_addr_mod(const StateView& view, unsigned i, bool update_fidelity) {
    const auto make = [&](const StateView& at) { return make_addr_mod(at, i, update_fidelity); };
    if (!view.slots()) return make(view);
    using state::Group;
    return view.slots()->of<AddrMods>().get(view.thread | i << 2 | unsigned{update_fidelity} << 5,
                                            stamp(view.generations(), view.thread, 0, Group::none, Group::none), view,
                                            make);
}

unsigned number_of(const StateView& view, unsigned addr_mod) {
    return view.arch().addr_mod_set && (view.rwc(Rwc::extra_addr_mod_bit) || view[set_base]) ? addr_mod + 4 : addr_mod;
}

// A counter that stays as it is is not read, except for bits that no instruction leaves in it.
void add(const StateView& view, plan::Plan& plan, state::Cell counter, const AddrMod::Advance& how, bool moves) {
    if (!how.increment && !view.bits(counter, ~std::uint32_t{how.mask})) return;
    const std::uint32_t old = moves ? view.count(counter, how.mask) : view[counter];
    const std::uint32_t now = (old + how.increment) & how.mask;
    if (now != old) plan.effect(counter, now, plan::When::issue);
}

void advance(const StateView& view, plan::Plan& plan, Rwc counter, Rwc checkpoint, const AddrMod::Advance& how,
             bool moves = false) {
    if (how.only_adds()) return add(view, plan, state::cells::rwc(view.thread, counter), how, moves);
    const std::uint32_t old = view.rwc(counter), old_cr = view.rwc(checkpoint);
    std::uint32_t now = old, now_cr = old_cr;
    if (how.clear) {
        now = now_cr = 0;
    } else if (how.to_checkpoint) {
        now = now_cr = (old + how.increment) & how.mask;
    } else {
        now = now_cr = (old_cr + how.increment) & how.mask;
    }
    if (now != old) plan.effect(state::cells::rwc(view.thread, counter), now, plan::When::issue);
    if (now_cr != old_cr) plan.effect(state::cells::rwc(view.thread, checkpoint), now_cr, plan::When::issue);
}

}  // namespace

void apply_addr_mod(const StateView& view, plan::Plan& plan, unsigned addr_mod, bool update_fidelity, DstCounter dst) {
    const AddrMod mod = look_at_addr_mod(view, number_of(view, addr_mod), update_fidelity);
    advance(view, plan, Rwc::src_a, Rwc::src_a_cr, mod.src_a);
    advance(view, plan, Rwc::src_b, Rwc::src_b_cr, mod.src_b);
    advance(view, plan, Rwc::dst, Rwc::dst_cr, mod.dst, dst == DstCounter::moves);

    auto set = [&](Rwc counter, std::uint32_t value) {
        if (value != view.rwc(counter)) plan.effect(state::cells::rwc(view.thread, counter), value, plan::When::issue);
    };
    if (update_fidelity)
        set(Rwc::fidelity, mod.fidelity_clear ? 0 : (view.rwc(Rwc::fidelity) + mod.fidelity_increment) & 3);
    if (mod.bias_clear)
        set(Rwc::extra_addr_mod_bit, 0);
    else if (mod.bias_flips)
        set(Rwc::extra_addr_mod_bit, view.rwc(Rwc::extra_addr_mod_bit) ^ 1);
}

void move_dst_counter(const StateView& view, plan::Plan& plan, unsigned addr_mod) {
    if (plan.effects.empty()) return;
    const state::Cell counter = state::cells::rwc(view.thread, Rwc::dst);
    const auto effect = std::find_if(plan.effects.begin(), plan.effects.end(),
                                     [&](const plan::CellEffect& each) { return each.cell == counter; });
    if (effect == plan.effects.end()) return;
    const AddrMod::Advance how = look_at_addr_mod(view, number_of(view, addr_mod), false).dst;
    if (how.only_adds()) effect->value = (view[counter] + how.increment) & how.mask;
}

unsigned dst_row(const StateView& view, unsigned field) {
    return field + view[math_offset] + view.rwc(Rwc::dst) + view[regw_base];
}

}  // namespace tessera::units

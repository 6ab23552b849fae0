// SPDX-License-Identifier: Apache-2.0
// Bank ownership and SrcRow (UNPACR_Regular, end of the functional model).
#include "units/unpacker/unpacker.hpp"

namespace tessera::units::unpacker {

using state::Unpacker;
using state::cells::unpacker;

void flip_bank(const StateView& view, plan::Plan& plan, unsigned which, std::uint32_t src_set_base, DataFormat format) {
    const auto src = state::Src(which);
    const unsigned bank = view[unpacker(which, Unpacker::next_bank)];
    plan.effect(unpacker(which, Unpacker::next_bank), bank ^ 1, plan::When::issue);
    plan.effect(unpacker(which, Unpacker::src_row_t0, view.thread), src_set_base << 4 & 63, plan::When::issue);
    plan.effect(state::cells::bank_owner(src, bank), static_cast<std::uint32_t>(state::Owner::matrix), plan::When::end);
    plan.effect(unpacker(which, Unpacker::bank), bank ^ 1, plan::When::end);
    if (view.arch().implied_formats)
        plan.effect(state::cells::implied_format(src, bank), static_cast<std::uint32_t>(format), plan::When::end);
}

void hand_over(const StateView& view, plan::Plan& plan, unsigned which, bool writes, bool flip, const Setup& setup) {
    const unsigned bank = view[unpacker(which, Unpacker::next_bank)];
    if (writes)
        plan.banks.push_back({state::Src(which), static_cast<std::uint8_t>(bank), state::Owner::unpackers, true});
    if (flip) {
        flip_bank(view, plan, which, setup.src_set_base, setup.out);
    } else if (setup.advance_src_row) {
        const auto cell = unpacker(which, Unpacker::src_row_t0, view.thread);
        plan.effect(cell, (view[cell] + 16 + (setup.src_set_base << 4)) & 63, plan::When::issue);
    }
}

}  // namespace tessera::units::unpacker

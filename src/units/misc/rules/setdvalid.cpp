// SPDX-License-Identifier: Apache-2.0
// SETDVALID (its page, Functional model; spec-notes A82).
// Reference: reference/models/unpacr_nop.cpp.
#include "units/misc/misc.hpp"

namespace tessera::units::misc {

namespace {

using state::Src;
using state::Unpacker;

constexpr auto which = isa::operand("SETDVALID", "setvalid");
constexpr std::array set_base = {registers::field("SRCA_SET_Base"), registers::field("SRCB_SET_Base")};
constexpr std::string_view letters[] = {"A", "B"};

void resolve_setdvalid(const StateView& view, plan::Plan& plan) {
    for (unsigned u = 0; u < 2; ++u) {
        if (!(view[which] >> u & 1)) continue;
        const auto next = state::cells::unpacker(u, Unpacker::next_bank);
        const unsigned bank = view[next];
        if (bank != view.remark(state::cells::unpacker(u, Unpacker::bank)))
            plan.note(findings::id("unpack.setdvalid-queued"), {}, letters[u]);
        if (view.arch().implied_formats) plan.note(findings::id("unpack.setdvalid-format"), {}, letters[u]);
        plan.effect(next, bank ^ 1, plan::When::issue);
        plan.effect(state::cells::unpacker(u, Unpacker::src_row_t0, view.thread), view[set_base[u]] << 4 & 63,
                    plan::When::issue);
        plan.effect(state::cells::bank_owner(Src(u), bank), static_cast<std::uint32_t>(state::Owner::matrix),
                    plan::When::end);
        plan.effect(state::cells::unpacker(u, Unpacker::bank), bank ^ 1, plan::When::end);
    }
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SETDVALID"), resolve_setdvalid, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> setdvalid_rules() { return behaviours; }

}  // namespace tessera::units::misc

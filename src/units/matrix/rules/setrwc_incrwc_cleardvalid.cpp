// SPDX-License-Identifier: Apache-2.0
// SETRWC, INCRWC, CLEARDVALID (their pages, Functional model; spec-notes B17 to B21).
// Reference: reference/models/matrix_banks.cpp.
#include "isa/values/matrix.hpp"
#include "units/matrix/matrix.hpp"
#include "units/resolved.hpp"

namespace tessera::units::matrix {

namespace {

using state::Rwc;
using state::Src;

constexpr auto flip = isa::operand("SETRWC", "clear_ab_vld");
constexpr auto cr = isa::operand("SETRWC", "rwc_cr");
constexpr auto dst_value = isa::operand("SETRWC", "rwc_d");
constexpr auto b_value = isa::operand("SETRWC", "rwc_b");
constexpr auto a_value = isa::operand("SETRWC", "rwc_a");
constexpr auto mask = isa::operand("SETRWC", "BitMask");
constexpr auto incr_cr = isa::operand("INCRWC", "rwc_cr");
constexpr auto incr_d = isa::operand("INCRWC", "rwc_d");
constexpr auto incr_b = isa::operand("INCRWC", "rwc_b");
constexpr auto incr_a = isa::operand("INCRWC", "rwc_a");
constexpr auto cleardvalid = isa::operand("CLEARDVALID", "cleardvalid");
constexpr auto reset = isa::operand("CLEARDVALID", "reset");

void set(const StateView& view, plan::Plan& plan, Rwc counter, Rwc checkpoint, std::uint32_t value) {
    plan.effect(state::cells::rwc(view.thread, counter), value, plan::When::issue);
    plan.effect(state::cells::rwc(view.thread, checkpoint), value, plan::When::issue);
}

// Neither SETRWC nor CLEARDVALID waits for the bank that it gives back.
void note_holder(const StateView& view, plan::Plan& plan, Src src) {
    const unsigned bank = matrix_bank(view, src);
    if (view.remark(state::cells::bank_owner(src, bank)) != static_cast<std::uint32_t>(state::Owner::matrix))
        plan.note(findings::id("matrix.bank-not-held"), {bank}, src == Src::a ? "SrcA" : "SrcB");
}

void resolve_setrwc(const StateView& view, plan::Plan& plan) {
    using isa::value, isa::values::checkpoints, isa::values::counters;
    const std::uint32_t which = view[mask], from_cr = view[cr];
    constexpr std::uint32_t a = value(counters, "a"), b = value(counters, "b"), d = value(counters, "d"),
                            fidelity = value(counters, "f"), a_cr = value(checkpoints, "a"),
                            b_cr = value(checkpoints, "b"), d_cr = value(checkpoints, "d"),
                            c_to_cr = value(checkpoints, "c_to_cr");
    if (which & a)
        set(view, plan, Rwc::src_a, Rwc::src_a_cr,
            (view[a_value] + (from_cr & a_cr ? view.rwc(Rwc::src_a_cr) : 0)) & 0x3F);
    if (which & b)
        set(view, plan, Rwc::src_b, Rwc::src_b_cr,
            (view[b_value] + (from_cr & b_cr ? view.rwc(Rwc::src_b_cr) : 0)) & 0x3F);
    if ((which & d) || (from_cr & c_to_cr)) {
        const std::uint32_t base = from_cr & c_to_cr ? view.rwc(Rwc::dst) : from_cr & d_cr ? view.rwc(Rwc::dst_cr) : 0;
        set(view, plan, Rwc::dst, Rwc::dst_cr, (view[dst_value] + base) & 0x3FF);
    }
    if (which & fidelity) plan.effect(state::cells::rwc(view.thread, Rwc::fidelity), 0, plan::When::issue);
    const std::uint32_t given_back = view[flip];
    for (Src src : {Src::a, Src::b})
        if (given_back >> static_cast<unsigned>(src) & 1) note_holder(view, plan, src);
    release_banks(view, plan, given_back);
}

void resolve_incrwc(const StateView& view, plan::Plan& plan) {
    const std::uint32_t from_cr = view[incr_cr];
    const auto now = [&](Rwc counter, std::uint32_t bits) {
        return view.rows_are_places() ? view.count(state::cells::rwc(view.thread, counter), bits) : view.rwc(counter);
    };
    auto add = [&](unsigned bit, Rwc counter, Rwc checkpoint, std::uint32_t by, std::uint32_t bits) {
        if (from_cr >> bit & 1)
            set(view, plan, counter, checkpoint, (view.rwc(checkpoint) + by) & bits);
        else if (by)
            plan.effect(state::cells::rwc(view.thread, counter), (now(counter, bits) + by) & bits, plan::When::issue);
    };
    add(0, Rwc::src_a, Rwc::src_a_cr, view[incr_a], 0x3F);
    add(1, Rwc::src_b, Rwc::src_b_cr, view[incr_b], 0x3F);
    add(2, Rwc::dst, Rwc::dst_cr, view[incr_d], 0x3FF);
}

bool move_incrwc(const StateView& view, std::span<const std::uint32_t>, Resolved& kept) {
    kept.plan.effects.clear();
    resolve_incrwc(view, kept.plan);
    return true;
}

void resolve_cleardvalid(const StateView& view, plan::Plan& plan) {
    const auto unpackers = static_cast<std::uint32_t>(state::Owner::unpackers);
    using isa::value, isa::values::source_resets;
    if (view[reset] & value(source_resets, "reset")) {
        plan.note(findings::id("matrix.cleardvalid-reset"));
        for (Src src : {Src::a, Src::b}) {
            const unsigned u = static_cast<unsigned>(src);
            plan.effect(state::cells::matrix_bank(src), 0, plan::When::issue);
            plan.effect(state::cells::unpacker(u, state::Unpacker::next_bank), 0, plan::When::issue);
            plan.effect(state::cells::unpacker(u, state::Unpacker::bank), 0, plan::When::end);
            for (unsigned bank = 0; bank < 2; ++bank) {
                plan.effect(state::cells::bank_owner(src, bank), unpackers, plan::When::end);
                if (view.arch().implied_formats)
                    plan.effect(state::cells::implied_format(src, bank), 0, plan::When::end);
            }
        }
        return;
    }
    const bool keep_reading = view[reset] & value(source_resets, "keep_reading");
    for (Src src : {Src::a, Src::b}) {
        if (!(view[cleardvalid] >> static_cast<unsigned>(src) & 1)) continue;
        const unsigned bank = matrix_bank(view, src);
        plan.effect(state::cells::bank_owner(src, bank), unpackers, plan::When::end);
        if (keep_reading) continue;
        note_holder(view, plan, src);
        plan.effect(state::cells::matrix_bank(src), bank ^ 1, plan::When::issue);
    }
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SETRWC"), resolve_setrwc, {1, 1, unit_page}},
    {isa::mnemonic("INCRWC"), resolve_incrwc, {1, 1, unit_page}, move_incrwc},
    {isa::mnemonic("CLEARDVALID"), resolve_cleardvalid, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> setrwc_incrwc_cleardvalid_rules() { return behaviours; }

}  // namespace tessera::units::matrix

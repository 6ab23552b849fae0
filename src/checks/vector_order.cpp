// SPDX-License-Identifier: Apache-2.0
// Distances that the vector unit's instructions need (Instruction scheduling of their pages). Between a thread's
// adjacent instructions the program decides; for scheduled instructions the cycle does.
#include "checks/checker.hpp"
#include "units/vector/dependences.hpp"
#include "units/vector/schedule.hpp"
#include "util/set_bits.hpp"

namespace tessera::checks {

namespace vector = units::vector;

void Checker::check_vector(const plan::Plan& plan, const units::RegisterUse& use, const At& at, std::uint64_t issued) {
    const auto report = [&](const findings::Note& what) { note(what, plan, at); };
    if (const auto spoiled = vector::spoiled_index(use, state_)) report(*spoiled);
    if (!ordered_) return;
    if (use.in_mad && memory_.scheduled_swap_at == at.now)
        report({findings::id("vector.macro-swap"), {}, "this instruction beside it in the MAD sub-unit"});

    const auto& last = memory_.last_vector;
    if (last && last->thread == plan.thread && last->issued + 1 == issued)
        if (const auto found = vector::hazard(last->use, use, last->index)) report(*found);
    for (const unsigned lreg : util::SetBits(use.reads)) {
        const LateLReg& late = memory_.late_lregs[lreg];
        if (late.scheduled && late.ready == at.now + 1)
            report({findings::id("hazard.vector-schedule"), {lreg, static_cast<std::uint32_t>(late.index)}});
    }
    if (use.late)
        for (const unsigned lreg : util::SetBits(vector::writes_now(use, state_)))
            memory_.late_lregs[lreg] = {at.now + 2, at.index, false};
    remember_vector(plan.thread, use, issued, at.index);
}

// All instructions of a cycle read the state before it, so an instruction in its first cycle conflicts with none.
void Checker::check_due(const Due& due, Cycle now) {
    using vector::SubUnit;
    const auto busy = [&](SubUnit unit) {
        const plan::Plan* plan = due[static_cast<unsigned>(unit)].plan;
        return plan && !plan->instruction.is(isa::mnemonic("SFPNOP"));
    };
    const auto report = [&](SubUnit unit, const findings::Note& what) {
        const Scheduled& one = due[static_cast<unsigned>(unit)];
        note(what, *one.plan, {one.index, one.position, 0, now});
    };

    std::array<units::RegisterUse, vector::sub_units> uses;
    for (unsigned u = 0; u < vector::sub_units; ++u) {
        if (!due[u].plan) continue;
        uses[u] = vector::register_use(*due[u].plan);
        if (const auto spoiled = vector::spoiled_index(uses[u], state_)) report(SubUnit(u), *spoiled);
        if (!ordered_) continue;
        for (const unsigned lreg : util::SetBits(uses[u].reads)) {
            const LateLReg& late = memory_.late_lregs[lreg];
            if (late.ready == now + 1)
                report(SubUnit(u), {findings::id("hazard.vector-schedule"), {lreg, static_cast<std::uint32_t>(late.index)}});
        }
    }
    for (unsigned u = 0; u < vector::sub_units; ++u)
        if (uses[u].late)
            for (const unsigned lreg : util::SetBits(vector::writes_now(uses[u], state_)))
                memory_.late_lregs[lreg] = {now + 2, due[u].index, true};

    if (busy(SubUnit::simple) && busy(SubUnit::round)) {
        const auto vd = [&](SubUnit unit) { return vector::scheduled_vd(state_, static_cast<unsigned>(unit)); };
        const unsigned first = vd(SubUnit::simple), second = vd(SubUnit::round);
        if (!vector::may_write_together(state_.arch().arch, first, second))
            report(SubUnit::round, {findings::id("vector.macro-two-results"), {first, second}});
    }
    if (memory_.scheduled_swap_at + 1 == now && state_.arch().arch == Arch::blackhole)
        for (SubUnit unit : {SubUnit::simple, SubUnit::round})
            if (busy(unit))
                report(unit, {findings::id("vector.macro-swap"), {}, "another instruction in its second cycle"});
    if (const plan::Plan* simple = due[static_cast<unsigned>(SubUnit::simple)].plan;
        simple && simple->instruction.is(isa::mnemonic("SFPSWAP"))) {
        memory_.scheduled_swap_at = now;
        if (busy(SubUnit::mad))
            report(SubUnit::simple,
                   {findings::id("vector.macro-swap"), {}, "another instruction beside it in the MAD sub-unit"});
    }
}

}  // namespace tessera::checks

// SPDX-License-Identifier: Apache-2.0
// What the vector unit's instructions must keep apart (Instruction scheduling of their pages): what two instructions of a
// thread in a row need is known from the program; what scheduled instructions meet, from the cycle.
#include <bit>

#include "engine/engine.hpp"
#include "units/vector/schedule.hpp"

namespace tessera::engine {

namespace vector = units::vector;

namespace {

template <class F>
void for_each_lreg(std::uint32_t mask, F&& f) {
    for (; mask; mask &= mask - 1) f(static_cast<std::size_t>(std::countr_zero(mask)));
}

}  // namespace

// Blackhole stalls a thread for the result of the instruction before it, as far as it sees that one is needed.
bool Engine::vector_held_back(unsigned actor, const plan::Plan& plan, Cycle now) {
    if (costs_.completes_at_issue || !last_vector_ || last_vector_->start + 1 != now || !last_vector_->mark.late)
        return false;
    if (!vector::holds_back(last_vector_->mark, vector::footmark(plan, state_))) return false;
    wait_until(actor, {Wait::Kind::unit_busy, static_cast<std::uint8_t>(plan::Pipe::vector)}, now + 1);
    return true;
}

void Engine::check_vector(const plan::Plan& plan, const GateWord& at, Cycle now) {
    const vector::Footmark mark = vector::footmark(plan, state_);
    const auto tell = [&](const findings::Note& what) {
        note(what, plan.thread, at.index, plan.instruction.word, at.position);
    };
    if (const auto spoiled = vector::spoiled_index(mark, state_)) tell(*spoiled);
    if (costs_.completes_at_issue) return;

    const std::uint64_t issued = threads_[plan.thread].issued;
    const auto& last = last_vector_;
    if (last && last->thread == plan.thread && last->issued + 1 == issued)
        if (const auto found = vector::hazard(last->mark, mark, last->index)) tell(*found);
    for_each_lreg(mark.reads, [&](std::size_t lreg) {
        const LateLReg& late = late_lregs_[lreg];
        if (late.scheduled && late.ready == now + 1)
            tell({findings::id("hazard.vector-schedule"),
                  {static_cast<std::uint32_t>(lreg), static_cast<std::uint32_t>(late.index)}});
    });
    if (mark.late)
        for_each_lreg(mark.writes, [&](std::size_t lreg) { late_lregs_[lreg] = {now + 2, at.index, false}; });
    last_vector_ = VectorPast{mark, plan.thread, issued, at.index, now};
}

// In its first cycle an instruction has written nothing yet, and is in nobody's way: all of a cycle see what was before.
void Engine::check_due(const Due& due, Cycle now) {
    using vector::SubUnit;
    const auto busy = [&](SubUnit unit) {
        const auto& plan = due[static_cast<unsigned>(unit)];
        return plan && !plan->instruction.is(isa::mnemonic("SFPNOP"));
    };
    const auto tell = [&](SubUnit unit, const findings::Note& what) {
        const auto& plan = *due[static_cast<unsigned>(unit)];
        const Origin& origin = schedule_.origins[static_cast<unsigned>(unit)][0];
        note(what, plan.thread, origin.index, plan.instruction.word, origin.position);
    };

    std::array<vector::Footmark, vector::sub_units> marks;
    for (unsigned u = 0; u < vector::sub_units; ++u) {
        if (!due[u]) continue;
        marks[u] = vector::footmark(*due[u], state_);
        if (const auto spoiled = vector::spoiled_index(marks[u], state_)) tell(SubUnit(u), *spoiled);
        if (costs_.completes_at_issue) continue;
        for_each_lreg(marks[u].reads, [&](std::size_t lreg) {
            const LateLReg& late = late_lregs_[lreg];
            if (late.ready == now + 1)
                tell(SubUnit(u), {findings::id("hazard.vector-schedule"),
                                  {static_cast<std::uint32_t>(lreg), static_cast<std::uint32_t>(late.index)}});
        });
    }
    for (unsigned u = 0; u < vector::sub_units; ++u)
        if (marks[u].late)
            for_each_lreg(marks[u].writes, [&](std::size_t lreg) {
                late_lregs_[lreg] = {now + 2, schedule_.origins[u][0].index, true};
            });

    if (busy(SubUnit::simple) && busy(SubUnit::round)) {
        const auto vd = [&](SubUnit unit) { return vector::scheduled_vd(state_, static_cast<unsigned>(unit)); };
        const unsigned first = vd(SubUnit::simple), second = vd(SubUnit::round);
        if (!vector::may_write_together(state_.arch().arch, first, second))
            tell(SubUnit::round, {findings::id("vector.macro-two-results"), {first, second}});
    }
    if (scheduled_swap_at_ + 1 == now && state_.arch().arch == Arch::blackhole)
        for (SubUnit unit : {SubUnit::simple, SubUnit::round})
            if (busy(unit))
                tell(unit, {findings::id("vector.macro-swap"), {}, "another instruction in its second cycle"});
    if (due[static_cast<unsigned>(SubUnit::simple)] &&
        due[static_cast<unsigned>(SubUnit::simple)]->instruction.is(isa::mnemonic("SFPSWAP"))) {
        scheduled_swap_at_ = now;
        if (!due[static_cast<unsigned>(SubUnit::mad)] || busy(SubUnit::mad))
            tell(SubUnit::simple, {findings::id("vector.macro-swap"), {}, "no SFPNOP beside it in the MAD sub-unit"});
    }
}

}  // namespace tessera::engine

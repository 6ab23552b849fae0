// SPDX-License-Identifier: Apache-2.0
#include "engine/gates.hpp"

#include "checks/checker.hpp"
#include "hazards/order.hpp"
#include "state/mmio.hpp"
#include "util/set_bits.hpp"

namespace tessera::engine {

void Gates::latch(unsigned t, const frontend::GateWord& at, Cycle now) {
    Gate& gate = gates_[t];
    if (frontend::has_latch(state_, t) && !gate.released && !frontend::conditions_met(state_, work_.activity(), t)) {
        const auto replaced = static_cast<std::uint32_t>(gate.latched.index);
        diagnostics_.note({findings::id("sync.wait-replaced"), {replaced}},
                          {t, at.index, at.position, at.instruction.word, scheduler_.now()});
    }
    gate.latched = {at.index, at.position, at.instruction.word};
    gate.released = false;
    gate.met = false;
    if (!gate.check_scheduled) schedule_check(t, now + 1);
}

// Inlined, so that what asks about ends alone decides by a few bits.
inline bool Gates::is_about(unsigned t, Signals signals, const Changed& changed) const {
    const auto kind = state::LatchKind(state_[state::cells::latch(t, state::Latch::kind)]);
    if (kind == state::LatchKind::none) return false;
    if (kind == state::LatchKind::sem) return static_cast<bool>(signals & Signal::semaphore);
    if (kind == state::LatchKind::stream || signals != Signal::unit) return true;
    constexpr plan::PipeMask of_all_threads = bit(plan::Pipe::mover) | bit(plan::Pipe::config);
    const plan::PipeMask pipes =
        changed.pipes & frontend::pipes_of(state_[state::cells::latch(t, state::Latch::conditions)]);
    return changed.thread == no_thread || changed.thread == t ? pipes : pipes & of_all_threads;
}

void Gates::conditions_changed(Signals signals, Cycle now, const Changed& changed) {
    const bool causes_are_asked_for = static_cast<bool>(options_.on_wait);
    for (unsigned t = 0; t < state::threads; ++t) {
        const Gate& gate = gates_[t];
        if (causes_are_asked_for) note_met(t, scheduler_.cause());
        if (gate.check_scheduled || gate.released || !is_about(t, signals, changed)) continue;
        // A check that comes next and fails changes nothing; the next change asks again.
        if (scheduler_.clock().next() > now && !frontend::conditions_met(state_, work_.activity(), t)) continue;
        schedule_check(t, now);
    }
}

// An instruction that writes Dst is in the matrix unit longer than it keeps its rows.
Cycle Gates::drained_at(unsigned t) const {
    const auto kind = state::LatchKind(state_[state::cells::latch(t, state::Latch::kind)]);
    if (kind != state::LatchKind::stall) return 0;
    const plan::PipeMask pipes = frontend::pipes_of(state_[state::cells::latch(t, state::Latch::conditions)]);
    return pipes & bit(plan::Pipe::matrix) ? pipes_.drained_at(t) : 0;
}

bool Gates::is_end_awaited_by_latch(plan::PipeMask pipes, unsigned thread) const {
    for (unsigned t = 0; t < state::threads; ++t)
        if (is_about(t, Signal::unit, {pipes, thread, true})) return true;
    return false;
}

void Gates::check(unsigned t, Cycle now) {
    Gate& gate = gates_[t];
    gate.check_scheduled = false;
    if (!frontend::has_latch(state_, t) || gate.released) return;
    if (!frontend::conditions_met(state_, work_.activity(), t)) return;
    if (const Cycle drained = drained_at(t); drained > now) return schedule_check(t, drained);
    // The block mask is removed one cycle after the conditions are met.
    gate.released = true;
    scheduler_.clock().schedule(now + 1, Event::Kind::release_latch, t);
}

void Gates::forget(unsigned t, Cycle now) {
    Gate& gate = gates_[t];
    if (!gate.released) return;  // a newer wait has replaced it
    const auto kind = state::LatchKind(state_[state::cells::latch(t, state::Latch::kind)]);
    const auto conditions = static_cast<state::ConditionMask>(state_[state::cells::latch(t, state::Latch::conditions)]);
    const bool blocks_now = fronts_[t].gated() && frontend::blocks(state_, t, fronts_[t].gate().instruction);
    if (blocks_now || !order_.is_on()) {
        learn(t, kind, conditions);
        checker_.awaited_is_over(t);
    } else {
        gate.blocked = static_cast<std::uint16_t>(state_[state::cells::latch(t, state::Latch::block_mask)]);
        order_.learn_for_blocked(t, [&] { learn(t, kind, conditions); });
    }
    state_.write(state::cells::latch(t, state::Latch::kind), static_cast<std::uint32_t>(state::LatchKind::none));
    scheduler_.caused_by(gate.met_by);
    scheduler_.raise(Signal::latch, now);
}

void Gates::learn(unsigned t, state::LatchKind kind, state::ConditionMask conditions) {
    switch (kind) {
        case state::LatchKind::none: break;
        case state::LatchKind::stall: return checker_.waited(t, conditions, gates_[t].latched.index);
        case state::LatchKind::stream:
            return order_.acquire_word(t, state::mmio::stream_word(frontend::awaited_stream_register(state_, t)));
        case state::LatchKind::sem:
            const frontend::LatchedWait wait = frontend::latched_wait(state_, t);
            for (const unsigned i : util::SetBits(wait.mask))
                order_.semaphore_seen(
                    t, i,
                    {wait.for_non_zero(), wait.for_below_maximum(), state_[state::cells::semaphore_value(i)],
                     state_[state::cells::semaphore_max(i)]});
    }
}

void Gates::pass_ended_wait(unsigned t, const isa::Instruction& instruction) {
    Gate& gate = gates_[t];
    if (frontend::blocks(gate.blocked, instruction, state_.arch())) {
        order_.reaches_blocked(t);
        checker_.awaited_is_over(t);
    } else if (!instruction.is(isa::mnemonic("SEMWAIT"))) {  // it might have replaced the wait
        return;
    }
    gate.blocked = 0;
}

void Gates::note_met(unsigned t, const Cause& by) {
    Gate& gate = gates_[t];
    if (gate.met || !frontend::has_latch(state_, t) || !frontend::conditions_met(state_, work_.activity(), t)) return;
    gate.met = true;
    gate.met_by = by;
}

}  // namespace tessera::engine

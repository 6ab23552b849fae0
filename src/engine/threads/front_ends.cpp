// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/front_ends.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "checks/checker.hpp"
#include "engine/run_recorder.hpp"
#include "hazards/order.hpp"
#include "isa/names.hpp"
#include "units/slots.hpp"
#include "units/vector/dependences.hpp"

namespace tessera::engine {

namespace {

constexpr Cycle most_front_end_delay = 6;  // under a seed: bubbles between expanders and gate

checks::At at_of(const frontend::GateWord& at, Cycle now) { return {at.index, at.position, at.pushed, now}; }

/// The part of [from, to) at or after `at`.
Cycle behind(Cycle at, Cycle from, Cycle to) {
    const Cycle begin = std::max(at, from);
    return to > begin ? to - begin : 0;
}

}  // namespace

FrontEnds::FrontEnds(const Context& context, const FrontEndsParts& parts)
    : Context(context),
      FrontEndsParts(parts),
      window_instruction_(options_.window.empty() ? nullptr : isa::find_spec(options_.window, state_.arch().arch)) {}

// RESOURCEDECL ends before the wait gate (spec-notes C16). Words pushed by the thread's own core took effect at the push.
void FrontEnds::end_declaration(unsigned t, const frontend::GateWord& at, Cycle now) {
    count_issue(t, at, now);
    scheduler_.caused_by({false, static_cast<int>(t), at.index, now});
    if (!fronts_[t].gate_is_from_own_core()) auto_sync_.declare(t, at.instruction, at.index);
    leave_gate(t, now);
    raise_issued(t, {});
    feed_.refill(t);
    scheduler_.acted(front_end_of(t), now + 1);
}

// Holds that do not depend on the plan: Auto TTSync, a latched wait, the thread's own scalar instruction. False: the
// front end waits.
inline bool FrontEnds::pass_holds_or_wait(unsigned t, frontend::GateWord& at) {
    if (at.uses.any() && !auto_sync_.pass_gate_or_wait(t, at)) return false;
    if (frontend::has_latch(state_, t) && frontend::blocks(state_, t, at.instruction)) {
        const auto latched = frontend::latched_wait(state_, t);
        scheduler_.park(front_end_of(t),
                        {Wait::Kind::latched, static_cast<std::uint8_t>(latched.what), 0, latched.mask}, Signal::latch);
        return false;
    }
    if (!held_.is_of(t)) return true;
    scheduler_.park(front_end_of(t), {Wait::Kind::own_scalar}, Signal::unit);
    return false;
}

FrontEnds::Act FrontEnds::act(unsigned t) {
    const unsigned actor = front_end_of(t);
    const Cycle now = scheduler_.now();
    scheduler_.leave_entrance(actor);
    if (!fronts_[t].gated() && !expansion_.fill_gate(t)) return waits(now);
    if (outcome_.stopped()) return Act::observable;
    frontend::GateWord& at = fronts_[t].gate();
    const isa::Instruction& instruction = at.instruction;

    const bool stays_in_front = frontend::stays_in_front(instruction);
    if (stays_in_front && instruction.is(isa::mnemonic("RESOURCEDECL"))) {
        end_declaration(t, at, now);
        return Act::observable;
    }
    if (!pass_holds_or_wait(t, at)) return waits(now);
    if (stays_in_front) {
        outcome_.stop({findings::id("frontend.nested"), {}, instruction.spec->name},
                      places_.where(t, at.index, instruction.word, now, at.position), now);
        return Act::observable;
    }

    const bool again = std::exchange(at.resolved, true);
    const units::PlanRef& resolved = slots_.plans.resolve(instruction, t, state_, costs_, slots_, again);
    if (recorder_) recorder_->looked(*resolved);
    const plan::Plan& plan = resolved->plan;
    if (plan.fault) {
        explainer_.explain_if_asked(plan, at.index, now);
        scheduler_.acted(actor, now);  // an earlier wait is over
        // Words that it captures may be wrong for want of an order.
        if (resolved->captures) checker_.check_at_gate(*resolved, at_of(at, now));
        outcome_.stop(*plan.fault, places_.where(t, at.index, instruction.word, now, at.position), now);
        return Act::observable;
    }
    if (!interlocks_.pass_or_wait(actor, plan, now)) return waits(now);
    gates_.pass(t, instruction);
    if (is_unobservable(*resolved)) {
        issue_unobservable(t, *resolved, now);
        issued_unobservable_ = &resolved;
        return Act::unobservable;
    }
    if (!interlocks_.gprs_written_or_wait(actor, plan, now)) return waits(now);
    issue(t, resolved.share(), now);
    return Act::observable;
}

inline FrontEnds::Act FrontEnds::waits(Cycle now) {
    if (window_instruction_) note_window(false, now);
    return Act::observable;
}

// The cycle of the last issue belongs to the window with what other threads do in it.
void FrontEnds::note_window(bool ends, Cycle now) {
    if (ends || window_.ends_at(now + 1)) window_.end(tally(now + 1));
}

// The instruction at the thread's gate was issued.
inline void FrontEnds::raise_issued(unsigned t, Signals signals) {
    scheduler_.raise(signals | Signal::issued);
    if (fronts_[t].gate().source == frontend::Source::fifo)
        scheduler_.raise(Signal::popped, scheduler_.now(), {.fifo = static_cast<std::uint8_t>(t)});
}

// The hazard checker learns of the issue.
inline hazards::Ticket FrontEnds::order_issue(unsigned t, const units::Resolved& resolved, std::int64_t index) {
    if (resolved.plan.mutex >= 0) order_.mutex_taken(t, static_cast<unsigned>(resolved.plan.mutex));
    const hazards::Ticket ticket = order_.issue(t, resolved.plan.pipes, index);
    for (const state::Src src : {state::Src::a, state::Src::b})
        if (resolved.flips >> static_cast<unsigned>(src) & 1) order_.bank_flips(ticket, src);
    return ticket;
}

// Returns when the front end can act again.
inline Cycle FrontEnds::hold_front_end(unsigned t, const plan::Plan& plan, const Cause& issued) {
    const Cycle now = issued.cycle;
    if (plan.cost.address) {
        pipes_.take_address_phase(now + plan.cost.address);
        waits_.take_address_phase(issued);
        return now + plan.cost.address;
    }
    if (plan.waits_in_unit) held_.begin(t);
    return now + std::max<Cycle>(plan.cost.hold, 1);
}

// The instruction latched a wait. Lazy ends get events, since the wait may be for them.
inline void FrontEnds::note_latched(unsigned t, const Cause& issued) {
    effects_.last_causes().awaited |= awaited_posts(t, state_);
    scheduler_.watch_lazy_ends();
    if (options_.on_wait) gates_.note_met(t, issued);
}

// The front end goes on at `next`, under a seed perhaps later.
inline void FrontEnds::go_on(unsigned t, plan::PipeMask pipes, Cycle now, Cycle next, bool in_step) {
    const Cycle drawn = delays_.up_to(3) == 3 ? delays_.up_to(most_front_end_delay) : 0;
    const Cycle delay = in_step ? 0 : drawn;
    scheduler_.acted(front_end_of(t), next + delay);
    if (delay && options_.on_wait) waits_.delayed(t, next, next + delay);
    count_cycles(t, pipes, now, next);
    if (delay) scheduler_.waited(t)[{Wait::Kind::delayed}] += delay;
    counts_[t].delayed_until = next + delay;
}

inline void FrontEnds::issue(unsigned t, units::PlanRef resolved, Cycle now) {
    const frontend::GateWord& entry = fronts_[t].gate();  // the entry stays until the gate is filled again
    const std::int64_t explanation =
        options_.explain ? explainer_.explain_if_asked(resolved->plan, entry.index, now) : -1;
    const bool discarded = resolved->plan.pipes & bit(plan::Pipe::vector) && !schedule_.issue_vector(resolved, entry);
    const plan::Plan& plan = resolved->plan;
    const Cycle start = plan.pipes & bit(plan::Pipe::vector) && !discarded ? issue_vector(*resolved, entry, now) : now;
    checker_.check_issue(*resolved, at_of(entry, now));
    if (resolved->has(plan::When::end)) interlocks_.note_late_gprs(plan, now);
    if (outcome_.stopped()) return;
    const bool in_window = window_instruction_ && entry.instruction.spec == window_instruction_;
    if (in_window) window_.begin([&] { return tally(now); });

    leave_gate(t, now);
    count_issue(t, entry, now);
    if (plan.latches_wait) gates_.latch(t, entry, now);
    Cause issued{false, static_cast<int>(t), entry.index, now};
    // A functional model does the whole work at once, with the counters.
    Signals signals = options_.reference ? Signals() : effects_.write(*resolved, plan::When::issue, issued);
    issued.number = records_.next_number();
    const hazards::Ticket ticket = order_issue(t, *resolved, entry.index);
    const Cycle next = hold_front_end(t, plan, issued);
    const bool latches_wait = plan.latches_wait;
    const plan::PipeMask pipes = plan.pipes;
    const bool in_step = delays_.drawn() && goes_in_step(t, entry);
    const Origin origin{entry.index, entry.position};
    if (lazy_ends_.may_pass(*resolved))
        signals |= lazy_ends_.pass(*resolved, ticket, origin, now, start);
    else
        execution_.take_up(
            std::move(resolved), ticket,
            {issued.number, origin, entry.pushed, entry.arrived, now, explanation, discarded, start - now});
    if (latches_wait) note_latched(t, issued);
    scheduler_.caused_by(issued);
    raise_issued(t, signals);
    feed_.refill(t);
    go_on(t, pipes, now, next, in_step);
    if (window_instruction_) note_window(in_window, now);
}

inline bool FrontEnds::is_unobservable(const units::Resolved& resolved) const {
    const unsigned thread = resolved.plan.thread;
    return resolved.unobservable && shortcuts_.no_issue_observers && !checker_.any_awaits_reader() &&
           !(scheduler_.awaited() & Signal::issued) &&
           !(fronts_[thread].gate().source == frontend::Source::fifo && scheduler_.is_room_awaited(thread)) &&
           !checker_.any_late_writes(thread) &&
           (!(resolved.plan.pipes & bit(plan::Pipe::vector)) || schedule_.is_empty(scheduler_.now())) &&
           lazy_ends_.may_pass(resolved);
}

inline void FrontEnds::issue_unobservable(unsigned t, const units::Resolved& resolved, Cycle now) {
    const frontend::GateWord& at = fronts_[t].gate();
    const plan::Plan& plan = resolved.plan;
    const Cycle start = plan.pipes & bit(plan::Pipe::vector) ? issue_vector(resolved, at, now) : now;
    checker_.check_at_gate(resolved, at_of(at, now));
    if (outcome_.stopped()) return;
    leave_gate(t, now);
    count_issue(t, at, now);
    records_.pass_numbers(1);
    if (resolved.has(plan::When::issue)) plan::apply(plan, plan::When::issue, state_);
    lazy_ends_.pass(resolved, order_.issue(t, plan.pipes, at.index), {at.index, at.position}, now, start);
    feed_.refill(t);
    scheduler_.acted(front_end_of(t), now + 1);
    count_cycles(t, plan.pipes, now, now + 1);
}

// Returns when the vector unit executes it.
Cycle FrontEnds::issue_vector(const units::Resolved& resolved, const frontend::GateWord& at, Cycle now) {
    const plan::Plan& plan = resolved.plan;
    const units::RegisterUse use = units::vector::register_use(resolved, state_);
    checker_.check_vector(plan, use, at_of(at, now), counts_[plan.thread].issued);
    const Cycle start = interlocks_.vector_start(plan, use, now);
    interlocks_.remember_vector(use, start);
    return start;
}

// Instructions of one expansion come one per cycle, to whichever unit, and SFPLOADMACRO's schedule is meant for the cycles
// of those that follow.
bool FrontEnds::goes_in_step(unsigned t, const frontend::GateWord& at) const {
    if (at.position < 0 || fronts_[t].idle(state_)) return false;
    return at.instruction.is(isa::mnemonic("SFPLOADMACRO")) || schedule_.has_any_of(t);
}

void FrontEnds::count_issue(unsigned t, const frontend::GateWord& at, Cycle now) {
    ++counts_[t].issued;
    ++issued_;
    last_issued_ = {{t, at.index, at.position, at.instruction.word, now}};
}

void FrontEnds::count_cycles(unsigned t, plan::PipeMask pipes, Cycle now, Cycle next) {
    Count& count = counts_[t];
    count.issued_to = plan::Pipe(std::countr_zero(pipes));
    count.issuing[static_cast<unsigned>(count.issued_to)] += next - now;
    count.issue_done = count.delayed_until = next;
}

Tally FrontEnds::tally(Cycle at) const {
    Tally tally;
    tally.at = at;
    for (unsigned t = 0; t < state::threads; ++t) {
        const Count& count = counts_[t];
        const Actor& front_end = scheduler_.actor(front_end_of(t));
        tally.waited[t] = scheduler_.waited(t);
        tally.issuing[t] = count.issuing;
        if (front_end.wait.kind != Wait::Kind::none) tally.waited[t][front_end.wait] += behind(front_end.since, 0, at);
        // Counted in advance at the last issue.
        tally.issuing[t][static_cast<unsigned>(count.issued_to)] -= behind(at, 0, count.issue_done);
        if (const Cycle delay = behind(at, count.issue_done, count.delayed_until))
            tally.waited[t][{Wait::Kind::delayed}] -= delay;
    }
    for (unsigned p = 0; p < plan::pipes; ++p) {
        tally.busy[p] = work_.load(p).busy_at(at);
        tally.instructions[p] = pipes_.instructions(p);
    }
    return tally;
}

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/known_traces.hpp"

#include <algorithm>

#include "checks/checker.hpp"
#include "engine/run_recorder.hpp"
#include "hazards/order.hpp"
#include "units/slots.hpp"
#include "units/vector/dependences.hpp"

namespace tessera::engine {

KnownTraces::KnownTraces(const Context& context, const KnownTracesParts& parts)
    : Context(context),
      KnownTracesParts(parts),
      next_(state_, slots_, costs_),
      stops_at_hazards_(
          outcome_.log().any_stops({findings::id("hazard.dst"), findings::id("hazard.src"), findings::id("hazard.l1"),
                                    findings::id("hazard.config-use"), findings::id("state.read-before-write")})) {}

// Conditions that hold for all instructions of the trace while no other actor acts.
bool KnownTraces::may_replay(const units::Trace& trace, unsigned t) const {
    if (checker_.any_awaits_reader() || frontend::has_latch(state_, t) || front_ends_.may_be_blocked(t, trace.pipes) ||
        checker_.stores_may_matter(trace, t, front_ends_.last_issued().index))
        return false;
    if (fronts_[t].source(state_) == frontend::Source::fifo && scheduler_.is_room_awaited(t)) return false;
    const bool any_awaited = scheduler_.awaited() & Signal::unit || frontend::any_latch(state_);
    for (unsigned pipes = any_awaited ? trace.pipes : 0u; pipes; pipes &= pipes - 1)
        if (lazy_ends_.is_end_awaited(static_cast<plan::PipeMask>(pipes & -pipes), t)) return false;
    // Entries scheduled so long ago are over. New ones are due at the earliest two cycles after the trace, when its
    // last result is available.
    constexpr Cycle past = 4;
    return !(trace.pipes & bit(plan::Pipe::vector)) ||
           (schedule_.is_empty(scheduler_.now()) &&
            (schedule_.last_due() == never || schedule_.last_due() + past < scheduler_.now()));
}

// Runs from the last issued instruction as far as the trace is valid.
KnownTraces::Replayed KnownTraces::replay(unsigned t, units::PlanRef first, Cycle limit) {
    Replayed replayed{std::move(first)};
    while (!outcome_.stopped()) {
        const units::Trace* const known = next_.behind(*replayed.last, t, fronts_[t]);
        replayed.is_known = known;
        if (!known || !may_replay(*known, t)) break;
        const std::size_t steps = replay_steps(*known, t, limit);
        if (steps == 0) break;
        slots_.plans.count_followed(steps);
        replayed.last = known->steps[steps - 1].plan.share();
        replayed.steps += steps;
        replayed.is_known = steps == known->steps.size();
        if (!replayed.is_known || outcome_.count_and_poll(scheduler_.now(), steps)) break;
    }
    return replayed;
}

// One step executes in the cycle of its issue. If its accesses are checked, it is numbered here as issued.
void KnownTraces::execute(const units::Trace::Step& step, unsigned t, std::int64_t index, std::int64_t position) {
    const units::Resolved& resolved = *step.plan;
    if (step.has_effects_at_issue) plan::apply(resolved.plan, plan::When::issue, state_);
    if (is_asked_about(step))
        checker_.check_start(resolved, order_.issue(t, resolved.plan.pipes, index), order_.known(t), position,
                             scheduler_.now());
    if (step.has_effects_at_start) plan::apply(resolved.plan, plan::When::start, state_);
    if (recorder_) recorder_->executes(resolved);
    if (step.has_work) plan::run_work(resolved.plan, state_);
}

bool KnownTraces::is_asked_about(const units::Trace::Step& step) const {
    return step.asks_for_order || (step.reaches_memory && checker_.asks_for_written(*step.plan));
}

// The first `done` steps were issued, the last one at `at`.
void KnownTraces::count_issued(const units::Trace& trace, std::size_t done, unsigned t, const Issued& at) {
    const units::Trace::Step& last = trace.steps[done - 1];
    front_ends_.count(t, done, {t, at.index, at.position, last.word, false, at.cycle}, plan::Pipe(last.pipe));
}

// Whether the trace's first vector instruction must wait for the result of the one before the trace.
bool KnownTraces::holds_back_first(const units::Trace::Step& step, Cycle now) const {
    const plan::Plan& plan = step.plan->plan;
    return interlocks_.vector_start(plan, units::vector::register_use(*step.plan, state_), now) > now;
}

// Remembers a vector instruction for the interlock with the next one.
void KnownTraces::remember_vector(const units::Trace::Step& step, unsigned t, std::uint64_t issued, const Issued& at,
                                  Cycle start) {
    const units::RegisterUse use = units::vector::register_use(*step.plan, state_);
    checker_.remember_vector(t, use, issued, at.index);
    interlocks_.remember_vector(use, start);
}

// Issues as many steps as possible while no other actor is due; returns their number.
std::size_t KnownTraces::replay_steps(const units::Trace& trace, unsigned t, Cycle limit) {
    const unsigned actor = front_end_of(t);
    frontend::NextWords at(fronts_[t], state_, t);
    if (at.source == frontend::Source::fifo && fronts_[t].fifo.size() < trace.steps.size()) feed_.catch_up(t);
    if (fits_timing(trace, t, at, limit)) {
        replay_at_once(trace, t, at);
        return trace.steps.size();
    }
    std::size_t done = 0;
    Cycle now = scheduler_.due(actor);
    Issued issued{0, -1, front_ends_.last_issued().cycle};
    const units::Trace::Step* last_vector = nullptr;
    std::uint64_t vector_issued = 0;
    Issued vector_at;
    Cycle vector_start = 0;
    const bool has_place = costs_.interlocks.vector_place;
    Cycle place_free = interlocks_.vector_place_free_at();
    // The cycle in which this wait ends if no other actor acts before; otherwise the front end waits as usual.
    const auto waits = [&](Wait::Kind why, unsigned pipe, Cycle until) {
        if (until > limit || until >= scheduler_.due(t)) return false;
        scheduler_.waited(t)[{why, static_cast<std::uint8_t>(pipe)}] += until - now;
        now = until;
        return true;
    };
    for (const units::Trace::Step& step : trace.steps) {
        if (now > limit || now >= scheduler_.due(t) || !at.comes(step.word) || at.out_of_replay > now) break;
        const plan::Plan& plan = step.plan->plan;
        if (step.is_gated)
            if (const Cycle opens = interlocks_.opens_at(plan, now);
                opens > now && !waits(Wait::Kind::dst_block, 0, opens))
                break;
        const bool waits_in_place = has_place && step.of_vector;
        if (!waits_in_place && step.is_adjacent && issued.cycle + 1 == now && !waits(Wait::Kind::unit_busy, step.pipe, now + 1)) break;
        const Cycle opens = pipes_.opens_at(step.pipe, step.interval, step.fills_pause, step.chain);
        if (const Cycle free = waits_in_place ? place_free : opens; free > now && !waits(Wait::Kind::unit_busy, step.pipe, free)) break;
        Cycle start = now;
        if (waits_in_place) {
            start = std::max(now, opens);
            if (place_free == start) start += last_vector ? step.held_back : holds_back_first(step, start);
            place_free = start + 1;
        }

        scheduler_.pass_to(now);
        scheduler_.take_turn(actor);
        if (recorder_) recorder_->looked(*step.plan);
        if (order_.has_handed(t)) order_.reached(t, at.index);
        if (step.is_gated)
            for (const auto& need : plan.banks) order_.bank_seen(t, need.src, need.bank);
        if (step.uses_config) checker_.check_config_at_gate(*step.plan, {at.index, at.position, 0, now});
        if (outcome_.stopped()) break;
        issued.index = at.index;
        issued.position = at.position;
        issued.cycle = now;
        at.take(state_, now, expansion_);
        if (at.source == frontend::Source::fifo) feed_.refill(t);
        occupation_.run(plan, now, start);
        if (!is_asked_about(step)) order_.issue(t, plan::Pipe(step.pipe));
        execute(step, t, issued.index, issued.position);
        if (step.of_vector) {
            last_vector = &step;
            vector_issued = front_ends_.issued(t) + done;
            vector_at = issued;
            vector_start = start;
        }
        front_ends_.count_issuing(t, step.pipe, 1);
        ++now;
        ++done;
        if (outcome_.stopped()) break;
    }
    scheduler_.go_on_at(actor, now);
    if (done == 0) return 0;
    at.played(state_);
    if (last_vector) remember_vector(*last_vector, t, vector_issued, vector_at, vector_start);
    count_issued(trace, done, t, issued);
    return done;
}

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/known_traces.hpp"

#include <algorithm>

#include "engine/run_recorder.hpp"
#include "hazards/order.hpp"
#include "units/slots.hpp"
#include "units/vector/dependences.hpp"

namespace tessera::engine {

KnownTraces::KnownTraces(const Context& context, const KnownTracesParts& parts)
    : Context(context),
      KnownTracesParts(parts),
      next_(state_, slots_, costs_) {}

// Conditions that hold for all instructions of the trace while no other actor acts.
bool KnownTraces::may_replay(const units::Trace& trace, unsigned t) const {
    if (checker_.any_awaits_reader() || frontend::has_latch(state_, t) || gates_.may_be_blocked(t, trace.pipes) ||
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
void KnownTraces::count_issued(const units::Trace& trace, std::size_t done, unsigned t, const At& at) {
    const units::Trace::Step& last = trace.steps[done - 1];
    front_ends_.count(t, done, {{t, at.index, at.position, last.word, at.now}}, plan::Pipe(last.pipe));
}

// Whether the trace's first vector instruction must wait for the result of the one before the trace.
bool KnownTraces::holds_back_first(const units::Trace::Step& step, Cycle now) const {
    const plan::Plan& plan = step.plan->plan;
    return interlocks_.vector_start(plan, units::vector::register_use(*step.plan, state_), now) > now;
}

// Remembers a vector instruction for the interlock with the next one.
void KnownTraces::remember_vector(const units::Trace::Step& step, unsigned t, std::uint64_t issued, const At& at,
                                  Cycle start) {
    const units::RegisterUse use = units::vector::register_use(*step.plan, state_);
    checker_.remember_vector(t, use, issued, at.index);
    interlocks_.remember_vector(use, start);
}

// Whether the wait ends while no other actor acts. Otherwise the front end waits as usual.
inline bool KnownTraces::try_wait(Walk& walk, unsigned t, Wait::Kind why, unsigned pipe, Cycle until) {
    if (until > walk.limit || until >= scheduler_.due(t)) return false;
    scheduler_.waited(t)[{why, static_cast<std::uint8_t>(pipe)}] += until - walk.now;
    walk.now = until;
    return true;
}

// Whether the step comes next and passes the interlocks, if need be after a wait. Then Walk::start is known.
inline bool KnownTraces::pass_interlocks(const units::Trace::Step& step, unsigned t, Walk& walk) {
    const Cycle& now = walk.now;
    if (now > walk.limit || now >= scheduler_.due(t) || !walk.at.comes(step.word) || walk.at.out_of_replay > now)
        return false;
    if (step.is_gated)
        if (const Cycle opens = interlocks_.opens_at(step.plan->plan, now);
            opens > now && !try_wait(walk, t, Wait::Kind::dst_block, 0, opens))
            return false;
    const bool waits_in_place = costs_.interlocks.vector_place && step.of_vector;
    if (!waits_in_place && step.is_adjacent && walk.last.now + 1 == now &&
        !try_wait(walk, t, Wait::Kind::unit_busy, step.pipe, now + 1))
        return false;
    const Cycle opens = pipes_.opens_at(step.pipe, step.interval, step.fills_pause, step.chain);
    const Cycle free = waits_in_place ? walk.place_free : opens;
    if (free > now && !try_wait(walk, t, Wait::Kind::unit_busy, step.pipe, free)) return false;
    walk.start = now;
    if (waits_in_place) {
        walk.start = std::max(now, opens);
        if (walk.place_free == walk.start)
            walk.start += walk.vector ? step.held_back : holds_back_first(step, walk.start);
        walk.place_free = walk.start + 1;
    }
    return true;
}

// Observers see the step at the gate. Whether it still passes.
inline bool KnownTraces::pass_gate(const units::Trace::Step& step, unsigned t, const Walk& walk) {
    scheduler_.pass_to(walk.now);
    scheduler_.take_turn(front_end_of(t));
    if (recorder_) recorder_->looked(*step.plan);
    if (order_.has_handed(t)) order_.reached(t, walk.at.index);
    if (step.is_gated)
        for (const auto& need : step.plan->plan.banks) order_.bank_seen(t, need.src, need.bank);
    if (step.uses_config) checker_.check_config_at_gate(*step.plan, {walk.at.index, walk.at.position, 0, walk.now});
    return !outcome_.stopped();
}

inline void KnownTraces::issue(const units::Trace::Step& step, unsigned t, Walk& walk) {
    walk.last = {walk.at.index, walk.at.position, 0, walk.now};
    walk.at.take(state_, walk.now, expansion_);
    if (walk.at.source == frontend::Source::fifo) feed_.refill(t);
    occupation_.run(step.plan->plan, walk.now, walk.start);
    if (!is_asked_about(step)) order_.issue(t, plan::Pipe(step.pipe));
    execute(step, t, walk.last.index, walk.last.position);
    if (step.of_vector) {
        walk.vector = &step;
        walk.vector_number = front_ends_.issued(t) + walk.done;
        walk.vector_at = walk.last;
        walk.vector_start = walk.start;
    }
    front_ends_.count_issuing(t, step.pipe, 1);
    ++walk.now;
    ++walk.done;
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
    Walk walk{
        at, limit, scheduler_.due(actor), interlocks_.vector_place_free_at(), {0, -1, 0, front_ends_.last_issued().at}};
    for (const units::Trace::Step& step : trace.steps) {
        if (!pass_interlocks(step, t, walk) || !pass_gate(step, t, walk)) break;
        issue(step, t, walk);
        if (outcome_.stopped()) break;
    }
    scheduler_.go_on_at(actor, walk.now);
    if (walk.done == 0) return 0;
    at.played(state_);
    if (walk.vector) remember_vector(*walk.vector, t, walk.vector_number, walk.vector_at, walk.vector_start);
    count_issued(trace, walk.done, t, walk.last);
    return walk.done;
}

}  // namespace tessera::engine

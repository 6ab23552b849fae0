// SPDX-License-Identifier: Apache-2.0
// A front end alone. Most instructions change counters and data, and nobody waits for that: such a one is issued in few steps, and as
// long as nobody else acts its thread goes on to the next.
#include "engine/engine.hpp"

namespace tessera::engine {

namespace {

constexpr Cycle worth_learning = 8;  // so long nobody else acts

}  // namespace

bool Engine::issues_unnoticed(const units::Resolved& resolved) const {
    constexpr auto issued = static_cast<Signals>(Signal::issued);
    const unsigned thread = resolved.plan.thread;
    return resolved.unnoticed && unobserved_ && !checker_.any_awaits_reader() && !(awaited_ & issued) &&
           !(threads_[thread].front.gate().source == Source::fifo && is_room_awaited(thread)) &&
           !checker_.any_late_writes(resolved.plan.thread) &&
           (!(resolved.plan.pipes & bit(plan::Pipe::vector)) || nothing_scheduled()) && ends_unseen(resolved);
}

void Engine::issue_unnoticed(unsigned t, const units::Resolved& resolved, Cycle now) {
    const GateWord& at = threads_[t].front.gate();
    const plan::Plan& plan = resolved.plan;
    if (plan.pipes & bit(plan::Pipe::vector)) issues_vector(plan, at, now);
    checker_.comes_to(resolved, at_of(at, now));
    if (stopped_) return;
    leave_gate(t, now);
    count_issue(t, at, now);
    ++next_number_;
    if (resolved.has(plan::When::issue)) plan::apply(plan, plan::When::issue, state_);
    pass_unseen(resolved, order_.issue(t, plan.pipes, at.index), {at.index, at.position}, now);
    refill(t);
    acted(state::threads + t, now + 1);
    count_cycles(t, plan.pipes, now, now + 1);
}

// What waits for its unit or for a block of Dst, until a cycle that is known, is nobody else's concern either.
bool Engine::waits_at_gate(unsigned t) const {
    const Actor& actor = actors_[state::threads + t];
    const bool for_time = actor.wait.kind == Wait::Kind::unit_busy || actor.wait.kind == Wait::Kind::dst_block;
    return threads_[t].front.gated() && for_time && !actor.parked && !stopped_;
}

// As many as are in the FIFO at once are gone through at once.
bool Engine::begins_to_learn(unsigned t, const units::PlanRef& first) {
    const Source source = threads_[t].front.source(state_);
    if (source == Source::other) return false;
    const std::size_t most = source == Source::fifo ? costs_.thread.fifo_words[t] - 1u : units::Stretches::most_steps;
    return slots_.stretches.begin(first, state_, most);
}

// The front end has issued an instruction unnoticed, so that what the others wait for, and until when, is as it was. Only its own core
// may have come to something. What has come behind the instruction again and again is learned: go_through().
void Engine::go_ahead(unsigned t) {
    const unsigned actor = state::threads + t;
    const Cycle limit = turn_limit(actor);
    const auto is_alone = [&] { return due_[actor] <= limit && due_[actor] < due_[t] && !stopped_; };
    units::Stretches& stretches = slots_.stretches;
    units::PlanRef last = issued_unnoticed_->share();
    Source source = Source::other;
    bool learns = false, waits = false;
    // So many of the same plan are in front of the last one: what is learned is to begin with the first.
    std::size_t alike = 0;
    while (is_alone()) {
        if (!learns && !waits && !costs_.completes_at_issue) {
            Gone gone = go_through_known(t, last.share(), limit);
            if (gone.steps) alike = 0;
            last = std::move(gone.last);
            if (!is_alone()) break;
            learns = !gone.is_known && alike % units::Stretches::most_steps == 0 &&
                     limit - due_[actor] >= worth_learning && begins_to_learn(t, last);
        }
        if (interrupted()) break;
        if (!waits) source = threads_[t].front.source(state_);
        pass_to(due_[actor]);
        takes_turn(actor);
        const Act act = act_front_end(t);
        waits = act == Act::noticed;
        if (waits && !waits_at_gate(t)) break;
        if (waits) continue;
        const bool goes_on = source == threads_[t].front.gate().source;
        alike = goes_on && &**issued_unnoticed_ == &*last ? alike + 1 : 0;
        last = issued_unnoticed_->share();
        if (!learns) continue;
        learns = goes_on && stretches.add(last) && !known_behind(*last, t);
        if (!learns) stretches.end(costs_);
    }
    stretches.end(costs_);
}

}  // namespace tessera::engine

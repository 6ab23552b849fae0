// SPDX-License-Identifier: Apache-2.0
#include "engine/scheduler.hpp"

#include <algorithm>

#include "engine/pipes/pipes.hpp"
#include "util/set_bits.hpp"

namespace tessera::engine {

namespace {

// Whether the actor may act after signals that it waits for. Most wait for one unit, or for their own thread's
// instructions.
bool concerns(const Actor& actor, unsigned which, Signals awaited, const Changed& changed) {
    if (changed.fifo != no_fifo) {
        if (actor.room_of != no_fifo) return actor.room_of == changed.fifo;
        if (actor.wait.kind == Wait::Kind::fifo_empty) return which - state::threads == changed.fifo;
    }
    if (awaited != Signal::unit) return true;
    switch (actor.wait.kind) {
        case Wait::Kind::queue_full:
            if (changed.ends) return false;
            [[fallthrough]];
        case Wait::Kind::unit_busy: return Pipes::first_of(changed.pipes) == actor.wait.a || changed.pipes == all_pipes;
        case Wait::Kind::own_scalar: return changed.thread == no_thread || changed.thread == which - state::threads;
        case Wait::Kind::drain: return changed.thread == no_thread || changed.thread == which;
        default: return true;
    }
}

constexpr Cycle before(Cycle time) { return time - (time != 0); }

}  // namespace

// Events come before actors; of actors, the lowest number comes first. An actor that waits for a unit may
// come before another one that would only now take it (waits_longer()).
Cycle Scheduler::turn_limit(unsigned actor) const {
    Cycle limit = before(clock_.next());
    for (unsigned i = 0; i < actors; ++i)
        if (i != actor) limit = std::min(limit, i < actor || actors_[i].behind ? before(due_[i]) : due_[i]);
    return limit;
}

bool Scheduler::all_finished() const {
    return std::all_of(actors_.begin(), actors_.end(), [](const Actor& actor) { return actor.finished; });
}

void Scheduler::wait_until(unsigned i, const Wait& wait, Cycle time, const Cause& begun_by) {
    Actor& actor = actors_[i];
    if (actor.wait != wait) {
        account_wait(i, now_);
        actor.wait = wait;
        if (waits_) waits_->begins(i);
    }
    if (waits_) actor.ended_by = begun_by;
    actor.behind = 0;
    due_[i] = time;
}

void Scheduler::park(unsigned i, const Wait& wait, Signals wakes, std::uint8_t room_of) {
    wait_until(i, wait, never);
    Actor& actor = actors_[i];
    wait_for(i, wakes);
    actor.room_of = room_of;
    actor.not_before = now_;
    if (wakes & Signal::unit && wait.kind != Wait::Kind::queue_full) watch_lazy_ends();
}

void Scheduler::sleep(unsigned core, Cycle next, Cycle period, Signals wakes) {
    Actor& actor = actors_[core];
    account_wait(core, now_);
    actor.wait = {};
    actor.room_of = no_fifo;
    actor.repeats_since = never;
    actor.not_before = next;
    actor.period = period;
    due_[core] = never;
    wait_for(core, wakes);
}

Cycle Scheduler::next_poll(unsigned core, Cycle now) const {
    const Actor& actor = actors_[core];
    // A core's act may go on for many cycles. It is in this one now.
    const bool in_act = actor_ < actors && core <= actor_;
    const Cycle first = actor.not_before;
    const Cycle open = std::max(std::max(now, now_) + (has_acted(core) || in_act ? 1 : 0), first);
    return first + (open - first + actor.period - 1) / actor.period * actor.period;
}

bool Scheduler::count_wait(unsigned i, Cycle now) {
    const Actor& actor = actors_[i];
    if (actor.wait.kind == Wait::Kind::none || now <= actor.since) return false;
    if (is_front_end(i)) waited_[i - state::threads][actor.wait] += now - actor.since;
    return true;
}

void Scheduler::account_wait(unsigned i, Cycle now) {
    if (count_wait(i, now) && waits_) waits_->waited(i, now, true);
    actors_[i].since = now;
}

void Scheduler::account_open_wait(unsigned i, Cycle now, bool tell) {
    if (count_wait(i, now) && waits_ && tell) waits_->waited(i, now, false);
}

void Scheduler::finish(unsigned i, Cycle at) {
    Actor& actor = actors_[i];
    actor.finished_at = at;
    account_wait(i, now_);
    actor.since = std::max(now_, at);
    actor.wait = {Wait::Kind::finished};
    if (waits_) {
        waits_->has_finished(i);
        actor.ended_by = {};
    }
    actor.finished = true;
    actor.period = 0;
    unpark(i);
    due_[i] = never;
}

Cycle Scheduler::next_finish() const {
    Cycle next = never;
    for (const Actor& actor : actors_)
        if (actor.finished && actor.finished_at > now_) next = std::min(next, actor.finished_at);
    return next;
}

// It has waited for cores until the last of them finished, which may lie ahead.
void Scheduler::retire(unsigned i) {
    Cycle until = now_;
    for (const Actor& actor : actors_) until = std::max(until, actor.finished_at);
    account_wait(i, until);
    leave_out(i, {});
}

void Scheduler::leave_out(unsigned i, const Wait& wait) {
    actors_[i].finished = true;
    actors_[i].wait = wait;
    due_[i] = never;
}

void Scheduler::start(unsigned i, Cycle time) {
    account_wait(i, now_);
    actors_[i].finished = false;
    actors_[i].period = 0;
    act_at(i, time);
}

void Scheduler::await_room(unsigned i, Cycle not_before) {
    Actor& actor = actors_[i];
    actor.wait = {Wait::Kind::fifo_full};
    actor.not_before = not_before;
    due_[i] = never;
}

// Wakes the actors parked on it.
void Scheduler::wake_concerned(Signals signals, Cycle now, const Changed& changed) {
    Signals left;
    for (const unsigned i : util::SetBits(waiters_)) {
        const Signals awaited = wakes_[i] & signals;
        if (awaited && concerns(actors_[i], i, awaited, changed)) wake(i, now);
        left |= wakes_[i];
    }
    awaited_ = left;
}

bool Scheduler::is_room_awaited(unsigned thread) const {
    if (!(awaited_ & Signal::popped)) return false;
    for (unsigned i = 0; i < actors; ++i)
        if (actors_[i].room_of == thread && is_parked(i)) return true;
    return false;
}

bool Scheduler::is_end_awaited_by_actor(plan::PipeMask pipes, unsigned thread) const {
    for (const unsigned i : util::SetBits(waiters_))
        if (const Signals awaited = wakes_[i] & Signal::unit;
            awaited && concerns(actors_[i], i, awaited, {pipes, thread, true}))
            return true;
    return false;
}

void Scheduler::watch_lazy_ends() {
    work_.for_each_end(now_, [&](unsigned pipe, unsigned thread, Cycle end) {
        clock_.schedule(end, Event::Kind::lazy_end, pipe * state::threads + thread);
    });
}

void Scheduler::mutex_released(unsigned thread, unsigned mutex, Cycle now) {
    for (unsigned k = 1; k < state::threads; ++k) {
        const unsigned i = front_end_of((thread + k) % state::threads);
        const Actor& actor = actors_[i];
        if (!is_parked(i) || actor.wait.kind != Wait::Kind::mutex || actor.wait.a != mutex) continue;
        return wake(i, now);
    }
}

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// Instructions that take a fixed time and change nothing when it is over: while nobody waits for that they take one step from start to end,
// and whoever asks later finds until when (Activity::busy_until).
#include <algorithm>
#include <bit>

#include "engine/engine.hpp"
#include "engine/run_recorder.hpp"

namespace tessera::engine {

bool Engine::end_is_awaited(plan::PipeMask pipes, unsigned thread) const {
    if (awaits_idle_) return true;
    constexpr auto unit = static_cast<Signals>(Signal::unit);
    const Changed changed{pipes, thread, true};
    if (awaited_ & unit)
        for (unsigned i = 0; i < actors; ++i)
            if (actors_[i].parked && concerns(actors_[i], i, unit, changed)) return true;
    if (!frontend::any_latch(state_)) return false;
    for (unsigned t = 0; t < state::threads; ++t)
        if (frontend::has_latch(state_, t) && latch_concerns(t, unit, changed)) return true;
    return false;
}

// Whether nobody needs to be told when the instruction ends: who asks later finds Activity::busy_until.
bool Engine::ends_unseen(const units::Resolved& resolved) const {
    if (!resolved.plain || !unwatched_ || waiting_in_units_) return false;
    return pipes_.all_landed(resolved.plan.pipes, now_) && !end_is_awaited(resolved.plan.pipes, resolved.plan.thread);
}

// The same of one that starts now and has waited in a queue: once it has executed nothing is left of it but its end. A record that reads
// L1 is asked for by the other unpacker, and who goes on from a snapshot may want to be told.
bool Engine::rest_is_unseen(const Record& record) const {
    const units::Resolved& resolved = *record.resolved;
    const plan::Plan& plan = resolved.plan;
    const Times& times = record.times;
    return unwatched_ && goes_ahead_ && !waiting_in_units_ && times.land == times.start && times.end > times.start &&
           !plan.cost.transfer.bytes && !resolved.has(plan::When::end) && !end_is_awaited(plan.pipes, plan.thread);
}

void Engine::watch_unseen_ends() {
    work_.for_each_end(now_, [&](unsigned pipe, unsigned thread, Cycle end) {
        clock_.schedule(end, Event::Kind::unseen_end, pipe * state::threads + thread);
    });
}

// It has executed: no more is kept of it than until when it is at work.
void Engine::end_unseen(std::uint32_t id) {
    Record& record = records_[id];
    const plan::Plan& plan = record.plan();
    work_.remove(plan.pipes, plan.thread, false, false);
    work_.run(plan.pipes, plan.thread, now_, record.times.end);
    record.used = false;
    free_records_.push_back(id);
}

// What its time in its unit leaves behind.
void Engine::occupy_unseen(const plan::Plan& plan, Cycle now) {
    const Cycle end = pipes_.take(plan, now);
    postpone_waiters(plan.pipes);
    work_.run(plan.pipes, plan.thread, now, end);
}

// From start to end at once, without a record.
Signals Engine::pass_unseen(const units::Resolved& resolved, const hazards::Ticket& ticket, const Origin& origin,
                            Cycle now) {
    const plan::Plan& plan = resolved.plan;
    occupy_unseen(plan, now);
    checker_.begins(resolved, ticket, order_.known(plan.thread), origin.position, now);
    Signals signals = 0;
    if (resolved.has(plan::When::start))
        signals = effects_at_start(resolved, {false, static_cast<int>(plan.thread), origin.index, now}, now);
    if (recorder_) recorder_->executes(resolved);
    if (resolved.has_work) plan::run_work(plan, state_);
    if (plan.pipes & bit(plan::Pipe::vector)) remember_scheduled(plan, origin);
    return signals & static_cast<Signals>(~static_cast<Signals>(Signal::mutex));
}

}  // namespace tessera::engine

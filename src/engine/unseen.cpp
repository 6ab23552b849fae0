// SPDX-License-Identifier: Apache-2.0
// Instructions that take a fixed time and change nothing when it is over: while nobody waits for that they take one step from start to end,
// and whoever asks later finds until when (Activity::busy_until).
#include <algorithm>
#include <bit>

#include "engine/engine.hpp"
#include "engine/run_recorder.hpp"

namespace tessera::engine {

bool Engine::end_is_awaited(plan::PipeMask pipes, unsigned thread) const {
    constexpr auto unit = static_cast<Signals>(Signal::unit);
    const Changed changed{pipes, thread};
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
    const auto& pipe = pipes_[queue_of(resolved.plan.pipes)];
    return pipe.last_land <= now_ && !end_is_awaited(resolved.plan.pipes, resolved.plan.thread);
}

void Engine::watch_unseen_ends() {
    if (unseen_until_ <= now_) return;
    std::array<bool, state::threads> busy{};
    for (unsigned t = 0; t < state::threads; ++t) busy[t] = threads_[t].busy_until > now_;
    for (unsigned p = 0; p < plan::pipes; ++p)
        for (unsigned t = 0; t < state::threads; ++t)
            if (const Cycle until = busy[t] ? activity_.busy_until[p][t] : 0; until > now_)
                clock_.schedule(until, Event::Kind::unseen_end, p * state::threads + t);
}

void Engine::multiplies(Cycle now, Cycle end) {
    Load& load = groups_[multiplying];
    if (load.until < now) count_overlap(now);
    load.until = std::max(load.until, end);
}

// What its time in its unit leaves behind.
void Engine::occupy_unseen(const plan::Plan& plan, Cycle now) {
    const auto which = static_cast<unsigned>(std::countr_zero(plan.pipes));
    PipeState& pipe = pipes_[which];
    const Cycle end = now + plan.cost.latency;
    const auto until = [](Cycle& last, Cycle time) { last = std::max(last, time); };
    until(pipe.free_at, now + plan.cost.occupancy);
    if (plan.cost.interval) pipe.interval_over_at = now + plan.cost.interval;
    pipe.last_land = now;
    ++pipe.instructions;
    hold_back_readers(plan, now);
    if (pipe.load.until < now) pipe.load.count(now);
    until(pipe.load.until, end);
    if (plan.pipes & bit(plan::Pipe::matrix)) multiplies(now, end);
    until(activity_.busy_until[which][plan.thread], end);
    until(threads_[plan.thread].busy_until, end);
    until(unseen_until_, end);
}

// From start to end at once, without a record.
Signals Engine::pass_unseen(const units::Resolved& resolved, const Ticket& ticket, const Origin& origin, Cycle now) {
    const plan::Plan& plan = resolved.plan;
    occupy_unseen(plan, now);
    if (resolved.has_work) check_accesses(resolved, ticket, order_.known(plan.thread), origin.position);
    Signals signals = 0;
    if (resolved.has(plan::When::start))
        signals = effects_at_start(resolved, {false, static_cast<int>(plan.thread), origin.index, now}, now);
    if (recorder_) recorder_->executes(resolved);
    if (resolved.has_work) plan::run_work(plan, state_);
    if (plan.pipes & bit(plan::Pipe::vector)) remember_scheduled(plan, origin);
    return signals & static_cast<Signals>(~static_cast<Signals>(Signal::mutex));
}

}  // namespace tessera::engine

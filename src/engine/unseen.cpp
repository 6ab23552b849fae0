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
    const auto& pipe = pipes_[queue_of(resolved.plan.pipes)];
    return pipe.last_land <= now_ && !end_is_awaited(resolved.plan.pipes, resolved.plan.thread);
}

// The same of one that starts now and has waited in a queue: once it has executed nothing is left of it but its end. A record that reads
// L1 is asked for by the other unpacker, and who goes on from a snapshot may want to be told.
bool Engine::rest_is_unseen(const Record& record) const {
    const units::Resolved& resolved = *record.resolved;
    const plan::Plan& plan = resolved.plan;
    return unwatched_ && goes_ahead_ && !waiting_in_units_ && record.land == record.start &&
           record.end > record.start && !plan.cost.transfer.bytes && !resolved.has(plan::When::end) &&
           !end_is_awaited(plan.pipes, plan.thread);
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

// It has executed: no more is kept of it than until when it is at work.
void Engine::end_unseen(std::uint32_t id) {
    Record& record = records_[id];
    const plan::Plan& plan = record.plan();
    for (unsigned rest = plan.pipes; rest; rest &= rest - 1) {
        const auto which = static_cast<unsigned>(std::countr_zero(rest));
        work_unseen(plan, which, record.end);
        --activity_.in_pipe[which][plan.thread];
    }
    if (const unsigned group = group_of(plan.pipes); group != work_groups) work_in_group(group, record.end);
    --threads_[plan.thread].in_flight;
    record.used = false;
    free_records_.push_back(id);
}

void Engine::work_in_group(unsigned group, Cycle end) {
    Load& load = groups_[group];
    if (load.until < now_) count_overlap(now_);
    load.until = std::max(load.until, end);
}

void Engine::work_unseen(const plan::Plan& plan, unsigned pipe, Cycle end) {
    Load& load = pipes_[pipe].load;
    if (load.until < now_) load.count(now_);
    const auto until = [end](Cycle& last) { last = std::max(last, end); };
    until(load.until);
    until(activity_.busy_until[pipe][plan.thread]);
    until(threads_[plan.thread].busy_until);
    until(unseen_until_);
}

// What its time in its unit leaves behind.
void Engine::occupy_unseen(const plan::Plan& plan, Cycle now) {
    const auto which = static_cast<unsigned>(std::countr_zero(plan.pipes));
    PipeState& pipe = pipes_[which];
    const Cycle end = now + plan.cost.latency;
    pipe.free_at = std::max<Cycle>(pipe.free_at, now + plan.cost.occupancy);
    if (plan.cost.interval) pipe.interval_over_at = now + plan.cost.interval;
    pipe.last_land = now;
    ++pipe.instructions;
    postpone_waiters(plan.pipes);
    hold_back_readers(plan, now);
    work_unseen(plan, which, end);
    if (plan.pipes & bit(plan::Pipe::matrix)) work_in_group(multiplying, end);
}

// From start to end at once, without a record.
Signals Engine::pass_unseen(const units::Resolved& resolved, const hazards::Ticket& ticket, const Origin& origin,
                            Cycle now) {
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

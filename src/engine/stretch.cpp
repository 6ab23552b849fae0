// SPDX-License-Identifier: Apache-2.0
// Instructions that have come one behind the other before (units/stretches.hpp): while their thread is alone, what the engine would ask
// about each of them is asked once, or not at all. What is left is when each is issued, what it does, and what was before it.
#include <algorithm>

#include "engine/engine.hpp"
#include "engine/run_recorder.hpp"
#include "frontend/mop_expander.hpp"
#include "frontend/replay_expander.hpp"

namespace tessera::engine {

using state::ReplayMode;

bool Engine::nothing_scheduled() const {
    return !schedule_.any && schedule_.due_at == never && schedule_.taken_at != now_;
}

std::uint32_t Engine::next_word(unsigned t, Source source) const {
    if (source == Source::replay) return frontend::replay_word(state_, t);
    return source == Source::mop ? frontend::mop_word(state_, t) : threads_[t].front.fifo.front().word;
}

// What is the same for all instructions of the stretch, as nobody else acts.
bool Engine::may_go_through(const units::Stretch& stretch, unsigned t) const {
    if (checker_.any_awaits_reader() || frontend::has_latch(state_, t) ||
        order_.stores_may_matter(t, last_issued_.index))
        return false;
    if (threads_[t].front.source(state_) == Source::fifo && is_room_awaited(t)) return false;
    const bool any_awaited = awaited_ & static_cast<Signals>(Signal::unit) || frontend::any_latch(state_);
    for (unsigned pipes = any_awaited ? stretch.pipes : 0u; pipes; pipes &= pipes - 1)
        if (end_is_awaited(static_cast<plan::PipeMask>(pipes & -pipes), t)) return false;
    // What was scheduled so long ago is in nobody's way. What will be is due two cycles behind the stretch at the earliest, when its last
    // result is there.
    constexpr Cycle past = 4;
    return !(stretch.pipes & bit(plan::Pipe::vector)) ||
           (nothing_scheduled() && (schedule_.taken_at == never || schedule_.taken_at + past < now_));
}

// What has come behind the instruction that has just been issued, if the same comes now.
const units::Stretch* Engine::known_behind(const units::Resolved& last, unsigned t) const {
    const Source source = threads_[t].front.source(state_);
    return source == Source::other ? nullptr : slots_.stretches.behind(last, next_word(t, source), state_);
}

// From the instruction that has just been issued on, as far as is known.
Engine::Gone Engine::go_through_known(unsigned t, units::PlanRef first, Cycle limit) {
    Gone gone{std::move(first)};
    while (!stopped_) {
        const units::Stretch* const known = known_behind(*gone.last, t);
        gone.is_known = known;
        if (!known || !may_go_through(*known, t)) break;
        const std::size_t steps = go_through(*known, t, threads_[t].front.source(state_), limit);
        if (steps == 0) break;
        slots_.plans.count_followed(steps);
        gone.last = known->steps[steps - 1].plan.share();
        gone.steps += steps;
        gone.is_known = steps == known->steps.size();
        if (!gone.is_known || interrupted(steps)) break;
    }
    return gone;
}

Engine::Coming Engine::coming(unsigned t, Source source) const {
    const Thread& thread = threads_[t];
    Coming at;
    at.source = source;
    at.index = thread.front.expanding();
    if (source != Source::replay) return at;
    at.words = frontend::replay_words(state_, t);
    at.recorded = frontend::replay_recorded(state_, t);
    at.slot = frontend::replay_slot(state_, t);
    at.left = frontend::replay_left(state_, t);
    return at;
}

// Whether it is this word that comes next, and from nowhere else.
bool Engine::comes(unsigned t, std::uint32_t word, Coming& at) const {
    const Thread& thread = threads_[t];
    at.position = thread.front.position();
    switch (at.source) {
        case Source::replay:
            at.out_of_replay = thread.front.replay_free();
            return at.left != 0 && at.words[at.slot] == word && (at.recorded >> at.slot & 1);
        case Source::mop:
            if (!frontend::mop_active(state_, t) || frontend::mop_word(state_, t) != word) return false;
            at.out_of_mop = thread.front.mop_free();
            break;
        case Source::fifo: {
            if (thread.front.fifo.empty()) return false;
            const FifoEntry& entry = thread.front.fifo.front();
            if (entry.word != word || entry.mop_register >= 0 || entry.uses.any()) return false;
            at.out_of_mop = std::max(thread.front.mop_free(), entry.visible);
            at.index = entry.index;
            at.position = -1;
            break;
        }
        case Source::other: return false;
    }
    at.out_of_replay = std::max(at.out_of_mop, thread.front.replay_free());
    return true;
}

void Engine::takes(unsigned t, Coming& at) {
    threads_[t].front.pass(state_, at.source, at.out_of_mop, at.out_of_replay, now_, *this);
    if (at.source == Source::fifo) refill(t);
    if (at.source != Source::replay) return;
    at.slot = (at.slot + 1) % state::cells::replay_words;
    --at.left;
    ++at.played;
}

// From when on the step's banks and blocks of Dst are there; never: others decide about that.
Cycle Engine::gate_opens(const plan::Plan& plan, Cycle now) const {
    if (!banks_ready(plan, false)) return never;
    return std::max(now, pipes_.dst_ready(plan.dst_reads).at);
}

// One step executes, in the cycle in which it is issued. Where its accesses are asked about, it counts as issued from here on.
void Engine::execute(const units::Stretch::Step& step, unsigned t, std::int64_t index, std::int64_t position) {
    const units::Resolved& resolved = *step.plan;
    if (step.has_effects_at_issue) plan::apply(resolved.plan, plan::When::issue, state_);
    if (is_asked_about(step))
        checker_.begins(resolved, order_.issue(t, resolved.plan.pipes, index), order_.known(t), position, now_);
    if (step.has_effects_at_start) plan::apply(resolved.plan, plan::When::start, state_);
    if (recorder_) recorder_->executes(resolved);
    if (step.has_work) plan::run_work(resolved.plan, state_);
}

bool Engine::is_asked_about(const units::Stretch::Step& step) const {
    return step.asks_for_order || (step.has_work && checker_.asks_for_written(*step.plan));
}

// The first `done` steps have been issued, the last one as `at` says.
void Engine::gone_through(const units::Stretch& stretch, std::size_t done, unsigned t, const Issued& at) {
    Thread& thread = threads_[t];
    const units::Stretch::Step& last = stretch.steps[done - 1];
    thread.issued += done;
    issued_ += done;
    next_number_ += static_cast<std::int64_t>(done);
    last_issued_ = {t, at.index, at.position, last.word, false, at.cycle};
    thread.issued_to = plan::Pipe(last.pipe);
    thread.issue_done = thread.delayed_until = at.cycle + 1;
}

// A vector instruction that one behind it in the next cycle has to keep away from.
void Engine::remember_vector(const units::Stretch::Step& step, unsigned t, std::uint64_t issued, const Issued& at) {
    const units::vector::Footmark mark = units::vector::footmark(step.plan->plan, state_);
    checker_.remember_vector(t, mark, issued, at.index);
    last_vector_ = VectorPast{mark, at.cycle};
}

// As far as is possible, and as nobody else acts. How many steps that were.
std::size_t Engine::go_through(const units::Stretch& stretch, unsigned t, Source source, Cycle limit) {
    Thread& thread = threads_[t];
    const unsigned actor = state::threads + t;
    Coming at = coming(t, source);
    if (source == Source::fifo && thread.front.fifo.size() < stretch.steps.size()) catch_up(t);
    if (keeps_pace(stretch, t, at, limit)) {
        go_at_once(stretch, t, at);
        return stretch.steps.size();
    }
    std::size_t done = 0;
    Cycle now = due_[actor];
    Issued issued{0, -1, last_issued_.cycle};
    const units::Stretch::Step* last_vector = nullptr;
    std::uint64_t vector_issued = 0;
    Issued vector_at;
    // Until when the instruction waits for that, if nobody else acts before; else the front end waits as it always does.
    const auto waits = [&](Wait::Kind why, unsigned pipe, Cycle until) {
        if (until > limit || until >= due_[t]) return false;
        thread.waited[{why, static_cast<std::uint8_t>(pipe)}] += until - now;
        now = until;
        return true;
    };
    for (const units::Stretch::Step& step : stretch.steps) {
        if (now > limit || now >= due_[t] || !comes(t, step.word, at) || at.out_of_replay > now) break;
        const plan::Plan& plan = step.plan->plan;
        if (step.is_gated)
            if (const Cycle opens = gate_opens(plan, now); opens > now && !waits(Wait::Kind::dst_block, 0, opens))
                break;
        if (step.held_back && issued.cycle + 1 == now && !waits(Wait::Kind::unit_busy, step.pipe, now + 1)) break;
        if (!(bit(plan::Pipe(step.pipe)) & plan::one_per_thread)) {
            const Cycle free = pipes_.free_at(step.pipe, step.interval);
            if (free > now + step.fills_pause && !waits(Wait::Kind::unit_busy, step.pipe, free)) break;
        }

        pass_to(now);
        takes_turn(actor);
        if (recorder_) recorder_->looked(*step.plan);
        if (order_.has_handed(t)) order_.reached(t, at.index);
        if (step.is_gated)
            for (const auto& need : plan.banks) order_.bank_seen(t, need.src, need.bank);
        if (step.uses_config) checker_.comes_to_config(*step.plan, {at.index, at.position, 0, now});
        if (stopped_) break;
        issued.index = at.index;
        issued.position = at.position;
        issued.cycle = now;
        takes(t, at);
        occupy_unseen(plan, now);
        if (!is_asked_about(step)) order_.issue(t, plan::Pipe(step.pipe));
        execute(step, t, issued.index, issued.position);
        if (step.of_vector) {
            last_vector = &step;
            vector_issued = thread.issued + done;
            vector_at = issued;
        }
        ++thread.issuing[step.pipe];
        ++now;
        ++done;
        if (stopped_) break;
    }
    due_[actor] = actors_[actor].since = now;
    if (done == 0) return 0;
    if (at.played) frontend::replay_advance(state_, t, at.played);
    if (last_vector) remember_vector(*last_vector, t, vector_issued, vector_at);
    gone_through(stretch, done, t, issued);
    return done;
}

}  // namespace tessera::engine

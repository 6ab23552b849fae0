// SPDX-License-Identifier: Apache-2.0
// A stretch as a whole: where nothing but its own instructions is in their way it goes at its pace (units/pace.hpp), and of each is left
// what it does.
#include <algorithm>

#include "engine/engine.hpp"
#include "engine/run_recorder.hpp"
#include "frontend/replay_expander.hpp"

namespace tessera::engine {

// Whether the words are there when they are to be issued, without anything else among them.
bool Engine::comes_all(const units::Pace& pace, unsigned t, const Coming& at, Cycle start) const {
    const Thread& thread = threads_[t];
    const std::size_t count = pace.words.size();
    if (at.source == Source::replay) {
        const std::uint64_t slots = ((std::uint64_t{1} << count) - 1) << at.slot;
        return count <= at.left && at.slot + count <= state::cells::replay_words &&
               !(slots & ~std::uint64_t{at.recorded}) &&
               std::equal(pace.words.begin(), pace.words.end(), at.words + at.slot);
    }
    if (at.source != Source::fifo || thread.front.fifo.size() < count || thread.front.mop_free() > start ||
        order_.has_handed(t))
        return false;
    // What its core pushes meanwhile is words alone, so that they can be pushed behind it.
    const std::size_t capacity = costs_.thread.fifo_words[t];
    if (thread.next_op < program_->threads[t].size() && thread.next_op + capacity > thread.plain_end) return false;
    Cycle comes = start;
    for (std::size_t i = 0; i < count; ++i) {
        const FifoEntry& entry = thread.front.fifo[i];
        if (entry.word != pace.words[i] || entry.mop_register >= 0 || entry.uses.any() || entry.visible > comes)
            return false;
        comes = start + pace.issued[i] + 1;
    }
    return true;
}

// Whether nothing but the steps themselves is in their way, from the turn of the front end on, and nobody else acts until the last.
bool Engine::keeps_pace(const units::Stretch& stretch, unsigned t, const Coming& at, Cycle limit) const {
    const units::Pace& pace = stretch.pace;
    const Thread& thread = threads_[t];
    const Cycle start = due_[state::threads + t], last = start + pace.cycles - 1;
    if (last > limit || last >= due_[t] || thread.front.replay_free() > start || stops_at_hazards_ || recorder_)
        return false;
    if (stretch.steps.front().held_back && last_issued_.cycle + 1 != start) return false;
    if (!comes_all(pace, t, at, start)) return false;
    for (const units::Pace::OfPipe& each : pace.pipes) {
        const auto pipe = static_cast<unsigned>(each.pipe);
        const bool waited_for = !(bit(each.pipe) & plan::one_per_thread);
        if (waited_for && pipes_.free_at(pipe, true) > start + each.asked) return false;
        if (each.resumed != each.first && work_.load(pipe).until() > start + each.paused) return false;
    }
    for (const units::Pace::OfBlock& each : pace.blocks)
        if (pipes_.dst_ready(each.block) > start + each.asked) return false;
    return std::all_of(pace.banks.begin(), pace.banks.end(), [&](const auto& need) { return bank_ready(need); });
}

// What the stretch as a whole does to its units.
void Engine::occupy(const units::Pace& pace, unsigned t, Cycle start) {
    for (const units::Pace::OfPipe& each : pace.pipes) {
        pipes_.take(each, start);
        work_.run(static_cast<unsigned>(each.pipe), t, start + each.first, each.busy, start + each.resumed,
                  start + each.end);
        threads_[t].issuing[static_cast<unsigned>(each.pipe)] += each.instructions;
        postpone_waiters(bit(each.pipe));
    }
    work_.run_until(t, start + pace.end);
    for (const units::Pace::Waited& each : pace.waits) {
        const Wait wait = each.for_dst ? Wait{Wait::Kind::dst_block}
                                       : Wait{Wait::Kind::unit_busy, static_cast<std::uint8_t>(each.pipe)};
        threads_[t].waited[wait] += each.cycles;
    }
}

// All of it, each step when its pace says.
void Engine::go_at_once(const units::Stretch& stretch, unsigned t, const Coming& at) {
    Thread& thread = threads_[t];
    const units::Pace& pace = stretch.pace;
    const unsigned actor = state::threads + t;
    const Cycle start = due_[actor];
    const std::size_t count = stretch.steps.size();
    const bool replays = at.source == Source::replay;
    const auto issued = [&](std::size_t i) {
        const Cycle cycle = start + pace.issued[i];
        return replays ? Issued{at.index, thread.front.position() + static_cast<std::int64_t>(i), cycle}
                       : Issued{thread.front.fifo[i].index, -1, cycle};
    };
    std::size_t counted = 0;
    for (const std::uint32_t i : pace.acting) {
        const units::Stretch::Step& step = stretch.steps[i];
        const Issued here = issued(i);
        pass_to(here.cycle);
        if (step.is_gated)
            for (const auto& need : step.plan->plan.banks) order_.bank_seen(t, need.src, need.bank);
        if (step.uses_config || is_asked_about(step)) {
            for (; counted < i; ++counted) order_.issue(t, plan::Pipe(stretch.steps[counted].pipe));
            counted += is_asked_about(step);
        }
        if (step.uses_config) checker_.comes_to_config(*step.plan, {here.index, here.position, 0, here.cycle});
        if (step.writes_dst) pipes_.write_dst(step.plan->plan.dst_writes, now_);
        if (step.pipe == static_cast<unsigned>(plan::Pipe::matrix))
            work_.run_in_group(bit(plan::Pipe::matrix), now_, now_ + step.latency);
        execute(step, t, here.index, here.position);
    }
    if (counted == 0)
        for (const units::Pace::OfPipe& each : pace.pipes) order_.issue(t, each.pipe, each.instructions);
    else
        for (; counted < count; ++counted) order_.issue(t, plan::Pipe(stretch.steps[counted].pipe));
    occupy(pace, t, start);
    if (pace.last_of_vector) {
        const std::uint32_t i = *pace.last_of_vector;
        remember_vector(stretch.steps[i], t, thread.issued + i, issued(i));
    }
    const Issued last = issued(count - 1);
    pass_to(last.cycle);
    takes_turn(actor);
    if (replays) {
        thread.front.play(state_, static_cast<unsigned>(count), now_);
    } else {
        thread.front.take(pace.issued, start);
        refill(t);
    }
    gone_through(stretch, count, t, last);
    due_[actor] = actors_[actor].since = start + pace.cycles;
}

}  // namespace tessera::engine

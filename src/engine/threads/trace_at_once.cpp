// SPDX-License-Identifier: Apache-2.0
// Runs a trace as a whole: if only its own instructions delay each other, their timing is known
// (units/trace_timing.hpp) and only their work remains.
#include <algorithm>

#include "engine/threads/known_traces.hpp"
#include "hazards/order.hpp"

namespace tessera::engine {

// Whether all words are available at their issue times, without other words between them.
bool KnownTraces::comes_all(const units::TraceTiming& timing, unsigned t, const frontend::NextWords& at, Cycle start) const {
    const std::size_t count = timing.words.size();
    if (at.source == frontend::Source::replay) return at.replays(timing.words);
    if (at.source != frontend::Source::fifo || fronts_[t].fifo.size() < count || fronts_[t].mop_free() > start ||
        order_.has_handed(t))
        return false;
    // Its core pushes only words meanwhile, so the pushes can follow afterwards.
    if (!feed_.only_pushes(t)) return false;
    Cycle comes = start;
    for (std::size_t i = 0; i < count; ++i) {
        const frontend::FifoEntry& entry = fronts_[t].fifo[i];
        if (entry.word != timing.words[i] || entry.mop_register >= 0 || entry.uses.any() || entry.visible > comes)
            return false;
        comes = start + timing.issued[i] + 1;
    }
    return true;
}

// Whether the first vector instruction waits for the one before the trace as its timing assumes: the first step, if it reads its result.
bool KnownTraces::knows_place(const units::Trace& trace, Cycle asked) const {
    const Cycle free = interlocks_.vector_place_free_at();
    const auto first = std::find_if(trace.steps.begin(), trace.steps.end(), [](const auto& step) { return step.of_vector; });
    const bool waits = free == asked && holds_back_first(*first, asked);
    return free <= asked && waits == (first == trace.steps.begin() && first->held_back);
}

// Whether only the steps themselves delay each other, from the front end's turn on, and no other actor is due before
// the last.
bool KnownTraces::fits_timing(const units::Trace& trace, unsigned t, const frontend::NextWords& at, Cycle limit) const {
    const units::TraceTiming& timing = trace.timing;
    const Cycle start = scheduler_.due(front_end_of(t)), last = start + timing.cycles - 1;
    if (last > limit || last >= scheduler_.due(t) || fronts_[t].replay_free() > start || !shortcuts_.no_stops || recorder_)
        return false;
    const bool has_place = costs_.interlocks.vector_place;
    if (!has_place && trace.steps.front().is_adjacent && front_ends_.last_issued().at + 1 != start) return false;
    if (!comes_all(timing, t, at, start)) return false;
    for (const units::TraceTiming::OfPipe& each : timing.pipes) {
        const auto pipe = static_cast<unsigned>(each.pipe);
        const bool waited_for = !(bit(each.pipe) & plan::one_per_thread);
        if (waited_for && pipes_.free_with_interval_at(pipe) > start + each.asked) return false;
        if (has_place && each.pipe == plan::Pipe::vector && !knows_place(trace, start + each.asked)) return false;
        if (each.resumed != each.first && work_.load(pipe).until() > start + each.paused) return false;
    }
    for (const units::TraceTiming::OfBlock& each : timing.blocks)
        if (pipes_.dst_ready(each.block) > start + each.asked) return false;
    return std::all_of(timing.banks.begin(), timing.banks.end(), [&](const auto& need) { return banks_.ready(need); });
}

// Occupancy of units by the whole trace.
void KnownTraces::occupy(const units::TraceTiming& timing, unsigned t, Cycle start) {
    for (const units::TraceTiming::OfPipe& each : timing.pipes) {
        occupation_.run(each, t, start);
        front_ends_.count_issuing(t, static_cast<unsigned>(each.pipe), each.instructions);
    }
    work_.run_until(t, start + timing.end);
    for (const units::TraceTiming::Waited& each : timing.waits) {
        const Wait wait = each.for_dst ? Wait{Wait::Kind::dst_block}
                                       : Wait{Wait::Kind::unit_busy, static_cast<std::uint8_t>(each.pipe)};
        scheduler_.waited(t)[wait] += each.cycles;
    }
}

// Step `i` of a replay that begins at `start`.
inline KnownTraces::At KnownTraces::issued(const units::TraceTiming& timing, unsigned t, const frontend::NextWords& at,
                                           Cycle start, std::size_t i) const {
    const Cycle cycle = start + timing.issued[i];
    if (at.source != frontend::Source::replay) return {fronts_[t].fifo[i].index, -1, 0, cycle};
    return {at.index, fronts_[t].position() + static_cast<std::int64_t>(i), 0, cycle};
}

// Executes the steps that do more than occupy a unit. The hazard checker learns of all steps' issue.
inline void KnownTraces::execute_acting(const units::Trace& trace, unsigned t, const frontend::NextWords& at,
                                        Cycle start) {
    const units::TraceTiming& timing = trace.timing;
    std::size_t counted = 0;  // steps that the checker knows
    const auto count_until = [&](std::size_t end) {
        for (; counted < end; ++counted) order_.issue(t, plan::Pipe(trace.steps[counted].pipe));
    };
    for (const std::uint32_t i : timing.acting) {
        const units::Trace::Step& step = trace.steps[i];
        const At here = issued(timing, t, at, start, i);
        scheduler_.pass_to(here.now);
        if (step.is_gated)
            for (const auto& need : step.plan->plan.banks) order_.bank_seen(t, need.src, need.bank);
        if (step.uses_config || is_asked_about(step)) {
            count_until(i);
            counted += is_asked_about(step);
        }
        if (step.uses_config) checker_.check_config_at_gate(*step.plan, here);
        if (step.writes_dst) pipes_.write_dst(step.plan->plan, scheduler_.now());
        if (step.pipe == static_cast<unsigned>(plan::Pipe::matrix))
            work_.run_in_group(bit(plan::Pipe::matrix), scheduler_.now(), scheduler_.now() + step.latency);
        execute(step, t, here.index, here.position);
    }
    if (counted) return count_until(trace.steps.size());
    for (const units::TraceTiming::OfPipe& each : timing.pipes) order_.issue(t, each.pipe, each.instructions);
}

// Runs all steps at their known times.
void KnownTraces::replay_at_once(const units::Trace& trace, unsigned t, const frontend::NextWords& at) {
    const units::TraceTiming& timing = trace.timing;
    const unsigned actor = front_end_of(t);
    const Cycle start = scheduler_.due(actor);
    const std::size_t count = trace.steps.size();
    execute_acting(trace, t, at, start);
    occupy(timing, t, start);
    if (timing.last_of_vector) {
        const std::uint32_t i = *timing.last_of_vector;
        const auto vector = std::find_if(timing.pipes.begin(), timing.pipes.end(),
                                         [](const auto& each) { return each.pipe == plan::Pipe::vector; });
        remember_vector(trace.steps[i], t, front_ends_.issued(t) + i, issued(timing, t, at, start, i),
                        start + vector->last);
    }
    const At last = issued(timing, t, at, start, count - 1);
    scheduler_.pass_to(last.now);
    scheduler_.take_turn(actor);
    if (at.source == frontend::Source::replay) {
        fronts_[t].play(state_, static_cast<unsigned>(count), scheduler_.now());
    } else {
        fronts_[t].take(timing.issued, start);
        feed_.refill(t);
    }
    count_issued(trace, count, t, last);
    scheduler_.go_on_at(actor, start + timing.cycles);
}

}  // namespace tessera::engine

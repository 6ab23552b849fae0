// SPDX-License-Identifier: Apache-2.0
#include "functional/traces.hpp"

#include <utility>

namespace tessera::functional {

using frontend::Source;
using units::Trace;
using units::TraceCache;

Traces::Traces(state::State& state, units::Slots& slots, const units::CostTable& costs)
    : state_(state), slots_(slots), costs_(costs) {
    for (unsigned pipe = 0; pipe < plan::pipes; ++pipe)
        if (costs.queue_depth[pipe]) queued_ |= bit(plan::Pipe(pipe));
}

const Trace* Traces::behind(const units::Resolved& last, unsigned t, const frontend::Expanders& front) const {
    const Source source = front.source(state_);
    if (source == Source::other) return nullptr;
    const Trace* const trace = slots_.traces.behind(last, frontend::next_word(front, state_, t, source), state_);
    return trace && !(trace->pipes & queued_) ? trace : nullptr;
}

// Traces end where a long one is known to follow.
bool Traces::goes_on_known(const units::Resolved& last, unsigned t, const frontend::Expanders& front) const {
    constexpr std::size_t is_long = 8;
    const Trace* const known = behind(last, t, front);
    return known && known->steps.size() >= is_long;
}

std::size_t Traces::follow(unsigned t, frontend::Expanders& front, const units::PlanRef& issued, std::size_t most,
                           Gate& gate, frontend::ExpanderListener& listener) {
    const bool goes_on = last_ && source_ == front.gate().source;
    alike_ = goes_on && &*issued == &*last_ ? alike_ + 1 : 0;
    last_ = issued.share();
    if (learns_) {
        learns_ = goes_on && slots_.traces.add(issued) && !goes_on_known(*issued, t, front);
        if (!learns_) slots_.traces.end(costs_);
    }
    std::size_t done = 0;
    if (!learns_) {
        bool is_known = true;
        while (is_known && done < most) {
            const Trace* const trace = behind(*last_, t, front);
            const std::size_t steps = trace ? go(*trace, t, front, most - done, gate, listener) : 0;
            is_known = trace && steps == trace->steps.size();
            if (steps == 0) break;
            slots_.plans.count_followed(steps);
            last_ = trace->steps[steps - 1].plan.share();
            alike_ = 0;
            done += steps;
        }
        learns_ = !is_known && alike_ % TraceCache::most_steps == 0 && begin(t, front);
    }
    source_ = front.source(state_);
    return done;
}

// From the FIFO, a trace handles at once what it can hold.
bool Traces::begin(unsigned t, const frontend::Expanders& front) {
    const Source source = front.source(state_);
    if (source == Source::other) return false;
    return slots_.traces.begin(last_, state_,
                               source == Source::fifo ? costs_.thread.fifo_words[t] - 1u : TraceCache::most_steps);
}

void Traces::stop() {
    if (std::exchange(learns_, false)) slots_.traces.end(costs_);
    last_.release();
}

std::size_t Traces::go(const Trace& trace, unsigned t, frontend::Expanders& front, std::size_t most, Gate& gate,
                       frontend::ExpanderListener& listener) {
    const auto execute = [&](const Trace::Step& step) {
        const plan::Plan& plan = step.plan->plan;
        if (step.has_effects_at_issue) plan::apply(plan, plan::When::issue, state_);
        if (step.has_effects_at_start) plan::apply(plan, plan::When::start, state_);
        if (step.has_work) plan::run_work(plan, state_);
    };
    const auto is_held = [&](const Trace::Step& step) { return step.is_gated && !gate.lets_enter(t, step.plan->plan); };
    frontend::NextWords next(front, state_, t);
    if (trace.steps.size() <= most && next.replays(trace.timing.words)) {
        std::size_t done = trace.steps.size();
        for (const std::uint32_t i : trace.timing.acting) {
            if (is_held(trace.steps[i])) {
                done = i;
                break;
            }
            execute(trace.steps[i]);
        }
        if (done) front.play(state_, static_cast<unsigned>(done), 0);
        return done;
    }
    std::size_t done = 0;
    for (const Trace::Step& step : trace.steps) {
        if (done == most || !next.comes(step.word) || is_held(step)) break;
        next.take(state_, 0, listener);
        execute(step);
        ++done;
    }
    next.played(state_);
    return done;
}

}  // namespace tessera::functional

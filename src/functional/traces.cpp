// SPDX-License-Identifier: Apache-2.0
#include "functional/traces.hpp"

#include <utility>

#include "units/resolve.hpp"

namespace tessera::functional {

using units::Trace;
using units::TraceCache;

Traces::Traces(state::State& state, units::Slots& slots, const units::CostTable& costs)
    : state_(state), slots_(slots), costs_(costs), next_(state, slots, costs) {}

std::size_t Traces::follow(unsigned t, frontend::Expanders& front, const units::PlanRef& issued, std::size_t most,
                           Gate& gate, frontend::ExpanderListener& listener) {
    if (!issued->captures) {  // its reads are not known
        stop();
        return 0;
    }
    const bool goes_on = last_ && source_ == front.gate().source;
    alike_ = goes_on && &*issued == &*last_ ? alike_ + 1 : 0;
    last_ = issued.share();
    if (learns_) {
        learns_ = goes_on && slots_.traces.add(issued);
        if (!learns_) slots_.traces.end();
    }
    std::size_t done = 0;
    if (!learns_) {
        bool is_known = true;
        while (is_known && done < most) {
            const Trace* const trace = next_.behind(*last_, t, front);
            const std::size_t steps = trace ? replay(*trace, t, front, most - done, gate, listener) : 0;
            is_known = trace && steps == trace->steps.size();
            if (steps == 0) break;
            slots_.plans.count_followed(steps);
            last_ = trace->steps[steps - 1].plan.share();
            alike_ = 0;
            done += steps;
        }
        learns_ = !is_known && alike_ % TraceCache::most_steps == 0 && next_.begin(last_, t, front);
    }
    source_ = front.source(state_);
    return done;
}

void Traces::stop() {
    if (std::exchange(learns_, false)) slots_.traces.end();
    last_.release();
}

// False: it is another plan there.
bool Traces::move(const Trace::Step& step, unsigned t) const {
    units::Resolved& moved = step.plan.to_move();
    const units::StateView view(moved.plan.instruction, t, state_, costs_, &slots_);
    return units::move(view, {}, moved);
}

std::size_t Traces::replay(const Trace& trace, unsigned t, frontend::Expanders& front, std::size_t most, Gate& gate,
                       frontend::ExpanderListener& listener) {
    const auto execute = [&](const Trace::Step& step) {
        const plan::Plan& plan = step.plan->plan;
        if (step.has_effects_at_issue) plan::apply(plan, plan::When::issue, state_);
        if (step.has_effects_at_start) plan::apply(plan, plan::When::start, state_);
        if (step.has_work) plan::run_work(plan, state_);
    };
    const auto is_held = [&](const Trace::Step& step) {
        if (step.moves && !move(step, t)) return true;
        return step.is_gated && !gate.admit_or_wait(t, step.plan->plan);
    };
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

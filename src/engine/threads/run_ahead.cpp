// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/run_ahead.hpp"

#include "units/slots.hpp"

namespace tessera::engine {

namespace {

constexpr Cycle worth_learning = 16;  // cycles without another actor
constexpr Cycle least_gain = 4;       // cycles for which cores are let ahead

}  // namespace

// A wait for a unit or a block of Dst until a known cycle affects no other actor either.
bool RunAhead::waits_at_gate(unsigned t) const {
    const Actor& actor = scheduler_.actor(front_end_of(t));
    const bool for_time = actor.wait.kind == Wait::Kind::unit_busy || actor.wait.kind == Wait::Kind::dst_block;
    return fronts_[t].gated() && for_time && !scheduler_.is_parked(front_end_of(t)) && !outcome_.stopped();
}

// Instructions of the vector unit touch registers alone, and while they are replayed the front end takes nothing from its FIFO.
Cycle RunAhead::limit_behind_cores(unsigned t, const units::Resolved& issued, Cycle limit) {
    const unsigned actor = front_end_of(t);
    const Cycle next = scheduler_.due(actor);
    const bool is_of_vector = issued.plan.pipes & bit(plan::Pipe::vector);
    if (!cores_ || !is_of_vector || limit >= next + state::cells::replay_words) return limit;
    // Each takes a cycle at least. With the last one, the front end may take what comes behind them.
    const Cycle last = next + frontend::NextWords(fronts_[t], state_, t).replayed_of(isa::Unit::vector);
    if (last <= limit + least_gain || scheduler_.awaited() & Signal::issued ||
        lazy_ends_.is_end_awaited(bit(plan::Pipe::vector), t))
        return limit;
    kernels_.act_ahead_of(t, last - 2);
    return limits_.of(actor);
}

void RunAhead::go_on(unsigned t) {
    const unsigned actor = front_end_of(t);
    units::PlanRef last = front_ends_.issued_unobservable().share();
    Cycle limit = limits_.of(actor);
    if (limit >= scheduler_.due(actor)) limit = limit_behind_cores(t, *last, limit);
    const auto is_alone = [&] {
        return scheduler_.due(actor) <= limit && scheduler_.due(actor) < scheduler_.due(t) && !outcome_.stopped();
    };
    // A word that left the FIFO has woken its core, which acts ahead of what that word replays.
    const auto is_alone_again = [&] {
        if (is_alone()) return true;
        if (outcome_.stopped() || scheduler_.due(t) > scheduler_.now()) return false;
        limit = limit_behind_cores(t, *last, limits_.of(actor));
        return is_alone();
    };
    frontend::Source source = frontend::Source::other;
    bool learns = false, waits = false;
    // Instructions of the same plan precede the last one: the trace is to start with the first.
    std::size_t alike = 0;
    while (is_alone_again()) {
        if (!learns && !waits && !options_.reference) {
            KnownTraces::Replayed replayed = traces_.replay(t, last.share(), limit);
            if (replayed.steps) alike = 0;
            last = std::move(replayed.last);
            if (!is_alone()) break;
            learns = !replayed.is_known && alike % units::TraceCache::most_steps == 0 &&
                     limit - scheduler_.due(actor) >= worth_learning && next_.begin(last, t, fronts_[t]);
        }
        if (outcome_.count_and_poll(scheduler_.now())) break;
        if (!waits) source = fronts_[t].source(state_);
        scheduler_.pass_to(scheduler_.due(actor));
        scheduler_.take_turn(actor);
        const FrontEnds::Act act = front_ends_.act(t);
        waits = act == FrontEnds::Act::observable;
        if (waits && !waits_at_gate(t)) break;
        if (waits) continue;
        const bool goes_on = source == fronts_[t].gate().source;
        alike = goes_on && &*front_ends_.issued_unobservable() == &*last ? alike + 1 : 0;
        last = front_ends_.issued_unobservable().share();
        if (!learns) continue;
        learns = goes_on && slots_.traces.add(last);
        if (!learns) slots_.traces.end();
    }
    slots_.traces.end();
}

}  // namespace tessera::engine

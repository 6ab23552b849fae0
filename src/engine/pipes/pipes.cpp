// SPDX-License-Identifier: Apache-2.0
#include "engine/pipes/pipes.hpp"

namespace tessera::engine {

namespace {

constexpr Cycle most_start_delay = 12;  // contention for ports of L1

}  // namespace

void Pipes::when(const plan::Plan& plan, Cycle now, Delays& delays, Times& times) const {
    const plan::Cost& cost = plan.cost;
    const bool request = cost.lands_at_end;
    times.start = now;
    const Cycle extra = cost.latency > 1 && queue_depth(plan.pipes) > 0 ? delays.up_to(most_start_delay) : 0;
    times.end = now + cost.latency + extra + (request ? delays.up_to(most_start_delay) : 0);
    times.land = request || plan.waits_in_unit ? times.end : now;
    // No other unit uses the vector unit's registers, and scheduled instructions must find them unchanged.
    if (delays.drawn() && times.end > times.land && !(plan.pipes & bit(plan::Pipe::vector))) {
        Cycle latest = times.end - 1;
        if (!plan.dst_writes.empty()) latest = std::min<Cycle>(latest, now + costs_->interlocks.dst_block_cycles);
        times.land = now + delays.up_to(latest - now);
    }
    times.free = plan.waits_in_unit ? never : now + cost.occupancy + extra;
    for_each_pipe(plan.pipes, [&](const Pipe& pipe) {
        times.land = std::max(times.land, request ? pipe.last_request : pipe.last_land);
    });
    times.end = std::max(times.end, times.land);
}

void Pipes::take(const plan::Plan& plan, const Times& times) {
    for_each_pipe(plan.pipes, [&](Pipe& pipe) {
        begin(pipe, plan, times.start, times.free);
        (plan.cost.lands_at_end ? pipe.last_request : pipe.last_land) = times.land;
    });
    write_dst(plan, times.start);
}

Cycle Pipes::take(const plan::Plan& plan, Cycle now) {
    Pipe& pipe = pipes_[static_cast<unsigned>(std::countr_zero(plan.pipes))];
    begin(pipe, plan, now, now + plan.cost.occupancy);
    pipe.last_land = now;
    write_dst(plan, now);
    return now + plan.cost.latency;
}

void Pipes::take(const units::TraceTiming::OfPipe& work, Cycle start) {
    Pipe& pipe = pipes_[static_cast<unsigned>(work.pipe)];
    pipe.free_at = std::max(pipe.free_at, start + work.free);
    pipe.started_at = start + work.last;
    pipe.chain = work.chain;
    if (work.interval_over) pipe.interval_over_at = start + work.interval_over;
    pipe.last_land = start + work.last;
    pipe.instructions += work.instructions;
}

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// Occupancy: instructions take units. Updates units, counts and the actors that wait for the units.
#pragma once

#include "engine/observe/waits.hpp"
#include "engine/pipes/pipes.hpp"
#include "engine/pipes/workload.hpp"
#include "engine/scheduler.hpp"

namespace tessera::engine {

class Occupation {
public:
    Occupation(Pipes& pipes, Workload& work, Scheduler& scheduler, const Waits& waits)
        : pipes_(pipes), work_(work), scheduler_(scheduler), waits_(waits) {}

    /// An instruction starts; its end is an event.
    void take(const plan::Plan& plan, const Times& times) {
        pipes_.take(plan, times);
        postpone_waiters(plan.pipes);
    }
    /// An instruction starts, now or after it has waited in front of its unit, with the latency of its cost and a lazy end.
    void run(const plan::Plan& plan, Cycle now, Cycle start) {
        const Cycle end = pipes_.take(plan, start);
        postpone_waiters(plan.pipes);
        work_.run(plan.pipes, plan.thread, now, end);
    }
    /// The occupancy of a trace in one pipe, from `start` on.
    void run(const units::TraceTiming::OfPipe& each, unsigned thread, Cycle start) {
        pipes_.take(each, start);
        work_.run(static_cast<unsigned>(each.pipe), thread, start + each.first, each.busy, start + each.resumed,
                  start + each.end);
        postpone_waiters(bit(each.pipe));
    }
    /// An instruction has its unit's turn, and waits for Dst until then.
    void keep_turn(const plan::Plan& plan, Cycle until) {
        pipes_.keep_turn(plan, until);
        postpone_waiters(plan.pipes);
    }

private:
    void postpone_waiters(plan::PipeMask taken) {
        scheduler_.postpone(
            taken, [&](plan::PipeMask pipes) { return pipes_.accepts_at(pipes); },
            [&](plan::PipeMask pipes) { return waits_.pipe_taker(Pipes::first_of(pipes)); });
    }

    Pipes& pipes_;
    Workload& work_;
    Scheduler& scheduler_;
    const Waits& waits_;
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
// Instructions in flight, and the busy time of each unit. An instruction is in flight from issue to end, and busy from
// start to end. Most ends are known at the start (lazy ends) and need no event. The others are reported by end calls.
#pragma once

#include <algorithm>
#include <array>

#include "engine/clock.hpp"
#include "frontend/wait_gate.hpp"
#include "plan/pipe.hpp"

namespace tessera::engine {

/// Busy time of a unit.
class Load {
public:
    void begin(Cycle now) {
        count(now);
        ++running_;
    }
    void end(Cycle now) {
        count(now);
        --running_;
    }
    /// Busy from `now` until `end`, a lazy end.
    void run(Cycle now, Cycle end) {
        if (until_ < now) count(now);
        until_ = std::max(until_, end);
    }
    /// The same for many instructions, with a pause: `worked` cycles until `resumed`, then until `end`.
    void run(Cycle first, Cycle worked, Cycle resumed, Cycle end) {
        if (until_ < first || resumed != first) count(first);
        if (resumed != first && !running_) {
            busy_ += worked;
            counted_ = resumed;
        }
        until_ = std::max(until_, end);
    }

    /// The last known end.
    Cycle until() const { return until_; }
    Cycle counted_until() const { return counted_; }
    /// Busy cycles until `now`.
    Cycle busy_at(Cycle now) const { return busy_ + (now > counted_ ? since_counted(now) : 0); }
    Cycle since_counted(Cycle now) const {
        return running_ ? now - counted_ : std::min(until_, now) - std::min({until_, now, counted_});
    }
    void count(Cycle now) {
        if (now <= counted_) return;
        busy_ += since_counted(now);
        counted_ = now;
    }

private:
    std::uint32_t running_ = 0;
    Cycle until_ = 0;
    Cycle counted_ = 0;  ///< busy_ counts up to this cycle
    Cycle busy_ = 0;
};

class Workload {
public:
    /// For conditions of the wait gate.
    const frontend::Activity& activity() const { return activity_; }
    void pass_to(Cycle now) { activity_.now = now; }
    /// A core's stores that are not processed yet.
    void store_emitted(unsigned thread) { ++activity_.pending_stores[thread]; }
    void store_processed(unsigned thread) { --activity_.pending_stores[thread]; }

    /// An instruction of the thread is in flight. A `command` belongs to no thread, although it carries a thread's
    /// number. `request`: to memory, as the scalar unit's conditions count them.
    void add(plan::PipeMask pipes, unsigned thread, bool command, bool request) {
        plan::for_each_pipe(pipes, [&](unsigned p) { ++activity_.in_pipe[p][thread]; });
        in_flight_[thread] += !command;
        activity_.scalar_requests[thread] += request;
    }
    /// It ended, or its end became lazy.
    void remove(plan::PipeMask pipes, unsigned thread, bool command, bool request) {
        plan::for_each_pipe(pipes, [&](unsigned p) { --activity_.in_pipe[p][thread]; });
        in_flight_[thread] -= !command;
        activity_.scalar_requests[thread] -= request;
    }
    /// Scheduled instructions of the vector unit are in flight for their thread, or no longer.
    void hold_vector(unsigned thread, bool on) {
        const std::uint32_t by = on ? 1 : ~std::uint32_t{0};
        activity_.in_pipe[static_cast<unsigned>(plan::Pipe::vector)][thread] += by;
        in_flight_[thread] += by;
    }
    bool idle(unsigned thread, Cycle now) const { return !in_flight_[thread] && busy_until_[thread] <= now; }

    void begin(plan::PipeMask pipes, Cycle now) { change(pipes, now, &Load::begin); }
    void end(plan::PipeMask pipes, Cycle now) { change(pipes, now, &Load::end); }
    /// An instruction of the thread is busy until `end`, a lazy end.
    void run(plan::PipeMask pipes, unsigned thread, Cycle now, Cycle end);
    /// The same for many instructions of one pipe (Load::run()); run_in_group() counts their group.
    void run(unsigned pipe, unsigned thread, Cycle first, Cycle worked, Cycle resumed, Cycle end) {
        loads_[pipe].run(first, worked, resumed, end);
        raise(activity_.busy_until[pipe][thread], end);
    }
    void run_in_group(plan::PipeMask pipes, Cycle now, Cycle end);
    /// The last lazy end of the thread.
    void run_until(unsigned thread, Cycle end) {
        raise(busy_until_[thread], end);
        raise(last_end_, end);
    }
    /// The last lazy end.
    Cycle last_end() const { return last_end_; }
    /// Calls f(pipe, thread, end) for each lazy end that is still ahead.
    template <class F>
    void for_each_end(Cycle now, F&& f) const {
        if (last_end_ <= now) return;
        for (unsigned p = 0; p < plan::pipes; ++p) {
            if (loads_[p].until() <= now) continue;
            for (unsigned t = 0; t < state::threads; ++t)
                if (const Cycle until = activity_.busy_until[p][t]; until > now) f(p, t, until);
        }
    }

    const Load& load(unsigned pipe) const { return loads_[pipe]; }
    /// Cycles in which at least two of unpackers, matrix unit and packers were busy.
    Cycle overlapped(Cycle now);

private:
    enum Group : unsigned { unpacking, multiplying, packing, groups };
    static unsigned group_of(plan::PipeMask pipes) {
        if (pipes & plan::unpackers) return unpacking;
        if (pipes & plan::packers) return packing;
        return pipes & bit(plan::Pipe::matrix) ? multiplying : groups;
    }
    static void raise(Cycle& cycle, Cycle to) { cycle = std::max(cycle, to); }
    void change(plan::PipeMask pipes, Cycle now, void (Load::*how)(Cycle));
    void count_overlap(Cycle now);

    frontend::Activity activity_;
    std::array<std::uint32_t, state::threads> in_flight_{};
    std::array<Cycle, state::threads> busy_until_{};
    std::array<Load, plan::pipes> loads_{};
    std::array<Load, groups> of_group_{};
    Cycle overlapped_ = 0;  ///< cycles with several groups busy
    Cycle last_end_ = 0;
};

}  // namespace tessera::engine

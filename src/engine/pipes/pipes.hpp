// SPDX-License-Identifier: Apache-2.0
// Occupancy of units, and the interlocks between them. when() says when an instruction that starts now lands and ends;
// take() is the same when its cost alone decides.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "engine/clock.hpp"
#include "engine/delays.hpp"
#include "plan/plan.hpp"
#include "units/costs/costs.hpp"
#include "units/trace_timing.hpp"

namespace tessera::engine {

/// An instruction that starts at `start`: effects are visible from `land` on, it ends at `end`, and its units accept
/// the next one at `free`.
struct Times {
    Cycle start = 0, land = 0, end = 0, free = 0;
};

class Pipes {
public:
    /// The pipe that queues for several: Wormhole's packers take their work together.
    static unsigned first_of(plan::PipeMask pipes) {
        return static_cast<unsigned>(pipes & plan::packers ? static_cast<int>(plan::Pipe::packer0)
                                                           : std::countr_zero(pipes));
    }

    explicit Pipes(const units::CostTable& costs) : costs_(&costs) {}

    /// Capacity of the queue in front of a unit.
    std::uint8_t queue_depth(plan::PipeMask pipes) const { return pipes ? costs_->queue_depth[first_of(pipes)] : 0; }

    /// When an instruction that starts now lands and ends. It lands at its start, unless it is a memory request or
    /// `delays` are drawn. A delay respects the interlocks: order within a unit, and no read of Dst blocks that are
    /// still written. An instruction held in its unit lands and ends when it continues. `times` is where they stay: a copy would wait
    /// for its bytes.
    void when(const plan::Plan& plan, Cycle now, Delays& delays, Times& times) const;
    /// An instruction starts.
    void take(const plan::Plan& plan, const Times& times);
    /// The same for one that lands at once and whose cost gives its end; returns the end.
    Cycle take(const plan::Plan& plan, Cycle now);
    /// All occupancy of a trace, from `start` on.
    void take(const units::TraceTiming::OfPipe& work, Cycle start);
    /// An instruction held in its unit continues, and so does the unit.
    void release(plan::PipeMask pipes, Cycle now) {
        for_each_pipe(pipes, [&](Pipe& pipe) { pipe.free_at = now; });
    }
    /// An occupancy turns out longer or shorter than expected.
    void taken_until(unsigned pipe, Cycle time) { pipes_[pipe].free_at = time; }

    /// The cycle in which all of these pipes can start an instruction; never: not known yet.
    Cycle free_at(plan::PipeMask pipes) const {
        Cycle free = 0;
        for_each_pipe(pipes, [&](const Pipe& pipe) { free = std::max(free, pipe.free_at); });
        return free;
    }
    /// The same for an instruction to be issued: it can wait in the place in front of the vector unit.
    Cycle accepts_at(plan::PipeMask pipes) const {
        const Pipe& vector = pipes_[static_cast<unsigned>(plan::Pipe::vector)];
        return costs_->interlocks.vector_place && pipes == bit(plan::Pipe::vector) ? vector.started_at + 1 : free_at(pipes);
    }
    /// The cycle from which this instruction can start. One that fills a pause can start in the last cycle of an instruction that
    /// started before.
    Cycle opens_at(const plan::Plan& plan) const {
        if (const int mutex = plan::mutex_of(plan); mutex >= 0) return mutex_free_at_[static_cast<unsigned>(mutex)];
        const plan::Cost& cost = plan.cost;
        const unsigned first = first_of(plan.pipes);
        const bool has_interval = cost.entry == plan::Entry::main || (cost.interval != 0 && cost.entry == plan::Entry::none);
        const Cycle opens = opens_at(first, plan.pipes, has_interval, cost.fills_pause, cost.chain);
        return cost.entry == plan::Entry::early ? std::max(opens, pipes_[first].early_interval_over_at) : opens;
    }
    /// The same for an instruction for one pipe.
    Cycle opens_at(unsigned pipe, bool has_interval, bool fills_pause, plan::Chain chain) const {
        return opens_at(pipe, 1u << pipe, has_interval, fills_pause, chain);
    }
    /// The same for one with an interval that neither fills a pause nor goes on with a chain.
    Cycle free_with_interval_at(unsigned pipe) const {
        return std::max(pipes_[pipe].free_at, pipes_[pipe].interval_over_at);
    }
    /// Nothing that started there lands after now.
    bool all_landed(plan::PipeMask pipes, Cycle now) const { return pipes_[first_of(pipes)].last_land <= now; }

    /// Blocks of Dst stay unreadable for some cycles after a write: the last of these blocks to become readable, and
    /// when.
    struct DstReady {
        Cycle at = 0;
        unsigned block = 0;
    };
    DstReady dst_ready(const plan::Plan& plan) const {
        DstReady ready;
        plan.dst_reads.for_each([&](unsigned block) {
            if (dst_ready_[block] > ready.at) ready = {dst_ready_[block], block};
        });
        return ready;
    }
    Cycle dst_ready(unsigned block) const { return dst_ready_[block]; }
    void write_dst(const plan::Plan& plan, Cycle now) {
        const units::Interlocks& interlocks = costs_->interlocks;
        if (!interlocks.dst_block_cycles || plan.dst_writes.empty()) return;
        plan.dst_writes.for_each([&](unsigned block) { dst_ready_[block] = now + interlocks.dst_block_cycles + 1; });
        drained_at_[plan.thread] = now + interlocks.drain_cycles;
    }
    /// When a latched wait can find the matrix unit done with what the thread has written to Dst.
    Cycle drained_at(unsigned thread) const { return drained_at_[thread]; }

    /// The instruction has its unit's turn and waits for Dst in front of it: until then instructions of other threads come behind it.
    void keep_turn(const plan::Plan& plan, Cycle until) {
        keeper_ = plan.thread;
        kept_until_ = until;
        for_each_pipe(plan.pipes, [&](Pipe& pipe) {
            pipe.take_until(until + 1, false);
            pipe.chain = {};
        });
    }
    /// Whether the thread's instruction has kept its unit until now.
    bool has_kept_turn(const plan::Plan& plan, Cycle now) const { return keeper_ == plan.thread && kept_until_ == now; }

    /// The unpackers share one address phase.
    Cycle address_phase_over_at() const { return address_phase_over_at_; }
    void take_address_phase(Cycle until) { address_phase_over_at_ = until; }

    std::uint64_t instructions(unsigned pipe) const { return pipes_[pipe].instructions; }

private:
    struct Pipe {
        /// An instruction occupies it.
        void take_until(Cycle time, bool with_half) {
            if (with_half && !(half = !half)) ++time;
            free_at = std::max(free_at, time);
        }
        /// An instruction with these intervals starts.
        void keep_apart(const plan::Cost& cost, Cycle start) {
            if (cost.interval) interval_over_at = std::max(interval_over_at, start + cost.interval);
            if (cost.early_interval) early_interval_over_at = std::max(early_interval_over_at, start + cost.early_interval);
        }

        Cycle free_at = 0;
        Cycle started_at = 0;                   ///< last start
        Cycle last_land = 0, last_request = 0;  ///< requests arrive in order
        Cycle interval_over_at = 0, early_interval_over_at = 0;
        plan::Chain chain{};  ///< of the last start
        bool half = false;    ///< of a cycle, left by instructions with Cost::half
        std::uint64_t instructions = 0;
    };
    /// An instruction starts and occupies the pipe; ATGETM and ATRELM occupy only their mutex (SyncUnit, Throughput).
    void begin(Pipe& pipe, const plan::Plan& plan, Cycle start, Cycle free) {
        if (const int mutex = plan::mutex_of(plan); mutex >= 0)
            mutex_free_at_[static_cast<unsigned>(mutex)] = free;
        else
            pipe.take_until(free, plan.cost.half);
        pipe.started_at = start;
        pipe.chain = plan.cost.chain;
        pipe.keep_apart(plan.cost, start);
        ++pipe.instructions;
    }
    Cycle opens_at(unsigned first, plan::PipeMask pipes, bool has_interval, bool fills_pause, plan::Chain chain) const {
        const Pipe& one = pipes_[first];
        if (chain != plan::Chain::none && chain == one.chain) return one.started_at + 1;
        // Each thread has its own way into such a unit; only intervals are common.
        Cycle free = pipes & plan::one_per_thread ? 0 : free_at(pipes);
        if (has_interval) free = std::max(free, one.interval_over_at);
        return fills_pause && one.started_at + 1 < free ? free - 1 : free;
    }
    template <class F>
    void for_each_pipe(plan::PipeMask mask, F&& f) const {
        plan::for_each_pipe(mask, [&](unsigned pipe) { f(pipes_[pipe]); });
    }
    template <class F>
    void for_each_pipe(plan::PipeMask mask, F&& f) {
        plan::for_each_pipe(mask, [&](unsigned pipe) { f(pipes_[pipe]); });
    }

    const units::CostTable* costs_;
    std::array<Pipe, plan::pipes> pipes_{};
    std::array<Cycle, state::cells::max_mutexes> mutex_free_at_{};
    std::array<Cycle, plan::DstBlocks::count> dst_ready_{};
    std::array<Cycle, state::threads> drained_at_{};
    unsigned keeper_ = state::threads;  ///< thread
    Cycle kept_until_ = 0;
    Cycle address_phase_over_at_ = 0;
};

}  // namespace tessera::engine

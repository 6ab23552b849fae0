// SPDX-License-Identifier: Apache-2.0
// Units as timing sees them: until when each is taken, and what hardware keeps apart. when() says when an instruction that starts now lands
// and ends; take(plan, now) is the same where nothing but its cost decides.
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

/// Of an instruction that starts at `start`: its effects are visible from `land` on, it is done at `end`, and its units can start the next
/// one at `free`.
struct Times {
    Cycle start = 0, land = 0, end = 0, free = 0;
};

class Pipes {
public:
    /// The pipe that stands for several: Wormhole's packers take their work together, so they queue together.
    static unsigned first_of(plan::PipeMask pipes) {
        return static_cast<unsigned>(pipes & plan::packers ? static_cast<int>(plan::Pipe::packer0)
                                                           : std::countr_zero(pipes));
    }

    explicit Pipes(const units::CostTable& costs) : costs_(&costs) {}

    /// Instructions that may wait in front of them.
    std::uint8_t queue_depth(plan::PipeMask pipes) const { return pipes ? costs_->queue_depth[first_of(pipes)] : 0; }

    /// When an instruction that starts now lands and ends: lands when it starts, unless it is a request to memory or `delays` are drawn, then
    /// anywhere that no interlock forbids: in order within a unit, and before the blocks of Dst that it writes can be read again. What waits
    /// in its unit lands and ends when it goes on.
    Times when(const plan::Plan& plan, Cycle now, Delays& delays) const;
    /// It starts.
    void take(const plan::Plan& plan, const Times& times);
    /// The same of one that lands at once and takes the time that its cost says; its end.
    Cycle take(const plan::Plan& plan, Cycle now);
    /// All that a trace does, from `start` on.
    void take(const units::TraceTiming::OfPipe& work, Cycle start);
    /// What has waited in its unit goes on, and the unit with it.
    void release(plan::PipeMask pipes, Cycle now) {
        for_each_pipe(pipes, [&](Pipe& pipe) { pipe.free_at = now; });
    }
    /// Something takes a unit for longer or shorter than was thought.
    void taken_until(unsigned pipe, Cycle time) { pipes_[pipe].free_at = time; }

    /// When all of them can start an instruction; never: not before somebody says so.
    Cycle free_at(plan::PipeMask pipes) const {
        Cycle free = 0;
        for_each_pipe(pipes, [&](const Pipe& pipe) { free = std::max(free, pipe.free_at); });
        return free;
    }
    /// The same of this one.
    Cycle free_at(const plan::Plan& plan) const {
        const Cycle free = free_at(plan.pipes);
        return plan.cost.interval ? std::max(free, pipes_[first_of(plan.pipes)].interval_over_at) : free;
    }
    Cycle free_at(unsigned pipe, bool has_interval) const {
        const Pipe& one = pipes_[pipe];
        return has_interval ? std::max(one.free_at, one.interval_over_at) : one.free_at;
    }
    /// Nothing that has started there lands later than now.
    bool all_landed(plan::PipeMask pipes, Cycle now) const { return pipes_[first_of(pipes)].last_land <= now; }

    /// Blocks of Dst that are written cannot be read for a while: the last of these to become free, and when.
    struct DstReady {
        Cycle at = 0;
        unsigned block = 0;
    };
    DstReady dst_ready(const plan::DstBlocks& reads) const {
        DstReady ready;
        reads.for_each([&](unsigned block) {
            if (dst_ready_[block] > ready.at) ready = {dst_ready_[block], block};
        });
        return ready;
    }
    Cycle dst_ready(unsigned block) const { return dst_ready_[block]; }
    void write_dst(const plan::DstBlocks& writes, Cycle now) {
        if (!costs_->interlocks.dst_block_cycles) return;
        writes.for_each([&](unsigned block) { dst_ready_[block] = now + costs_->interlocks.dst_block_cycles + 1; });
    }

    /// The unpackers' address phase, of which there is one.
    Cycle address_phase_over_at() const { return address_phase_over_at_; }
    void take_address_phase(Cycle until) { address_phase_over_at_ = until; }

    std::uint64_t instructions(unsigned pipe) const { return pipes_[pipe].instructions; }

private:
    struct Pipe {
        Cycle free_at = 0;
        Cycle last_land = 0, last_request = 0;  ///< requests arrive in order among themselves
        Cycle interval_over_at = 0;
        std::uint64_t instructions = 0;
    };
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
    std::array<Cycle, plan::DstBlocks::count> dst_ready_{};
    Cycle address_phase_over_at_ = 0;
};

}  // namespace tessera::engine

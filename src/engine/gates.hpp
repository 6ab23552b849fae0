// SPDX-License-Identifier: Apache-2.0
// Latched waits (STALLWAIT, SEMWAIT), which keep a thread's wait gate shut.
#pragma once

#include "engine/context.hpp"
#include "engine/kept.hpp"
#include "engine/pipes/pipes.hpp"
#include "engine/scheduler.hpp"
#include "frontend/expanders.hpp"
#include "frontend/wait_gate.hpp"

namespace tessera::engine {

struct GatesState {
protected:
    struct Gate {
        frontend::WordOrigin latched;  ///< the latching instruction
        bool met = false;  ///< all conditions hold; RunOptions::on_wait then knows the cause
        Cause met_by;
        bool check_scheduled = false;
        bool released = false;  ///< the wait that was latched last ends, or has ended
        /// Of the wait that ended last, until the thread comes to an instruction that it blocks; no bits: it has.
        std::uint16_t blocked = 0;
    };
    std::array<Gate, state::threads> gates_{};
};

class Gates : private Context, public Kept<GatesState> {
public:
    Gates(const Context& context, Scheduler& scheduler, const Workload& work, const Pipes& pipes, const frontend::Fronts& fronts)
        : Context(context), scheduler_(scheduler), work_(work), pipes_(pipes), fronts_(fronts) {}

    /// An instruction that latches a wait is issued. Called before its effects, so the latch still holds the earlier wait.
    void latch(unsigned thread, const frontend::GateWord& at, Cycle now);
    /// A resource of latched waits changed: evaluates their conditions.
    void conditions_changed(Signals signals, Cycle now, const Changed& changed);
    /// Whether a latched wait includes the end of the thread's instructions in these pipes.
    bool is_end_awaited(plan::PipeMask pipes, unsigned thread) const {
        return frontend::any_latch(state_) && is_end_awaited_by_latch(pipes, thread);
    }
    void check(unsigned thread, Cycle now);
    void forget(unsigned thread, Cycle now);
    /// Whether the thread has yet to come to an instruction that its last wait blocks.
    bool has_ended_wait(unsigned thread) const { return gates_[thread].blocked != 0; }
    /// Whether instructions in these pipes may be such ones.
    bool may_be_blocked(unsigned thread, plan::PipeMask pipes) const {
        return has_ended_wait(thread) && frontend::may_block(gates_[thread].blocked, pipes);
    }
    /// An instruction passes the gate. Only behind those that a wait blocks, the thread knows what it waited for.
    void pass(unsigned thread, const isa::Instruction& instruction) {
        if (has_ended_wait(thread)) pass_ended_wait(thread, instruction);
    }
    /// Records the cause that met the last condition of a latched wait.
    void note_met(unsigned thread, const Cause& by);
    const frontend::WordOrigin& latched(unsigned thread) const { return gates_[thread].latched; }

private:
    void pass_ended_wait(unsigned thread, const isa::Instruction& instruction);
    void learn(unsigned thread, state::LatchKind kind, state::ConditionMask conditions);
    Cycle drained_at(unsigned thread) const;
    bool is_about(unsigned thread, Signals signals, const Changed& changed) const;
    bool is_end_awaited_by_latch(plan::PipeMask pipes, unsigned thread) const;
    void schedule_check(unsigned thread, Cycle time) {
        gates_[thread].check_scheduled = true;
        scheduler_.clock().schedule(time, Event::Kind::check_latch, thread);
    }

    Scheduler& scheduler_;
    const Workload& work_;
    const Pipes& pipes_;
    const frontend::Fronts& fronts_;
};

}  // namespace tessera::engine

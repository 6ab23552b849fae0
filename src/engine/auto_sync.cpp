// SPDX-License-Identifier: Apache-2.0
// Auto TTSync (Blackhole; AutoTTSync): a T core and the instructions that it pushes keep the order of its program where they
// use the same resource. A store or load of the core waits for instructions in front of the gate, an instruction at the gate
// for stores of the core. A core's loads are done when it goes on, so no instruction waits for them.
#include "engine/engine.hpp"
#include "frontend/auto_sync.hpp"

namespace tessera::engine {

void Engine::declare_resources(unsigned t, const isa::Instruction& declaration, std::int64_t index) {
    const state::Cell cell = frontend::auto_sync::declare(state_, t, declaration);
    if (options_.on_write) tell_store(t, index, cell);
}

// A thread's own core pushes the instruction. Declarations count in the order of pushing.
state::Uses Engine::track_push(unsigned t, const isa::Instruction& instruction, std::int64_t index) {
    auto& thread = threads_[t];
    if (instruction.is(isa::mnemonic("RESOURCEDECL"))) {
        declare_resources(t, instruction, index);
        return {};
    }
    if (!frontend::auto_sync::tracks(state_, t)) return {};
    return thread.pushed_uses.push(state_, t, instruction, index, thread_idle(t));
}

// Whether an access of the thread's core may be done now. What passes the gate has taken its operands; what it changes itself is
// there once the units of fixed latency are done with it.
bool Engine::in_order(unsigned t, state::Resources resources, bool store) {
    if (!resources) return true;
    Thread& thread = threads_[t];
    if (thread.pushed_uses.hold_up(resources, store, thread.front.oldest(state_))) return false;
    constexpr auto scalar = static_cast<unsigned>(plan::Pipe::scalar);
    const frontend::Activity& activity = work_.activity();
    return !activity.busy(plan::Pipe::config, t) && activity.busy_until[scalar][t] <= now_ &&
           activity.in_pipe[scalar][t] <= activity.scalar_requests[t];
}

// Whether the instruction at the gate, which uses something, may go on as far as stores of its core are concerned. False: the front
// end waits.
bool Engine::own_stores_done(unsigned t) {
    auto& thread = threads_[t];
    GateWord& at = thread.front.gate();
    const unsigned actor = state::threads + t;
    const Wait wait{Wait::Kind::own_stores};
    for (const Tracked& store : thread.tracked_stores) {
        if (store.index > at.index || !(store.uses.writes & at.uses.any())) continue;
        at.held_until = never;
        park(actor, wait, static_cast<Signals>(Signal::store));
        return false;
    }
    if (at.held_until == never) at.held_until = now_ + at.uses.linger;
    if (at.held_until > now_) {
        wait_until(actor, wait, at.held_until);
        return false;
    }
    order_.resources_passed(t, at.uses.any(), at.index);
    at.uses = {};
    return true;
}

}  // namespace tessera::engine

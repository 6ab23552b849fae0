// SPDX-License-Identifier: Apache-2.0
// Auto TTSync (Blackhole; AutoTTSync): a T core and the instructions that it pushes keep the order of its program where they
// use the same resource. A store or load of the core waits for instructions in front of the gate, an instruction at the gate
// for stores of the core. A core's loads are done when it goes on, so no instruction waits for them.
#include "diagnostics/op_index.hpp"
#include "engine/engine.hpp"
#include "frontend/auto_sync.hpp"
#include "frontend/mop_expander.hpp"
#include "frontend/replay_expander.hpp"

namespace tessera::engine {

namespace {

constexpr auto setc16_word = isa::operand("SETC16", "setc16_reg");
constexpr auto setc16_value = isa::operand("SETC16", "setc16_value");
constexpr auto state_id = registers::field("CFG_STATE_ID_StateID");

}  // namespace

void Engine::declare_resources(unsigned t, const isa::Instruction& declaration, std::int64_t index) {
    const state::Cell cell = frontend::auto_sync::declare(state_, t, declaration);
    if (options_.on_write) tell_store(t, index, cell);
}

// A thread's own core pushes the instruction. Declarations and the choice of a bank count in the order of pushing.
state::Uses Engine::track_push(unsigned t, const isa::Instruction& instruction, std::int64_t index) {
    auto& thread = threads_[t];
    if (instruction.is(isa::mnemonic("RESOURCEDECL"))) {
        declare_resources(t, instruction, index);
        return {};
    }
    if (!frontend::auto_sync::tracks(state_, t)) return {};
    if (thread_idle(t)) thread.pushed_bank.reset();
    const unsigned bank = thread.pushed_bank.value_or(state_.config_bank(t));
    const state::Uses uses = frontend::auto_sync::uses(state_, t, instruction, bank);
    const auto& at = state_id[state_.arch().arch];
    if (instruction.is(isa::mnemonic("SETC16")) && instruction[setc16_word] == at.addr32)
        thread.pushed_bank = at.extract(instruction[setc16_value]);
    if (uses.any()) thread.tracked_pushes.push_back({index, uses});
    return uses;
}

// Of what has not yet passed the gate; without any, greater than all.
std::int64_t Engine::oldest_in_front(unsigned t) const {
    const auto& thread = threads_[t];
    if (thread.front.gated()) return thread.front.gate().index;
    if (frontend::mop_active(state_, t) || frontend::replay_mode(state_, t) == state::ReplayMode::play)
        return thread.front.expanding();
    return thread.front.fifo.empty() ? std::numeric_limits<std::int64_t>::max() : thread.front.fifo.front().index;
}

// Whether an access of the thread's core may be done now. What passes the gate has taken its operands; what it changes itself is
// there once the units of fixed latency are done with it.
bool Engine::in_order(unsigned t, state::Resources resources, bool store) {
    if (!resources) return true;
    auto& pushes = threads_[t].tracked_pushes;
    const std::int64_t oldest = oldest_in_front(t);
    while (!pushes.empty() && pushes.front().index < oldest) pushes.pop_front();
    for (const Tracked& push : pushes)
        if (resources & (store ? push.uses.any() : push.uses.writes)) return false;
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

// SPDX-License-Identifier: Apache-2.0
#include "engine/sources/auto_sync.hpp"

#include "frontend/auto_sync.hpp"
#include "hazards/order.hpp"

namespace tessera::engine {

void AutoSync::declare(unsigned t, const isa::Instruction& declaration, std::int64_t index) {
    writes_.core_stored(t, index, frontend::auto_sync::declare(state_, t, declaration));
}

state::Uses AutoSync::push(unsigned t, const isa::Instruction& instruction, std::int64_t index, bool idle) {
    if (instruction.is(isa::mnemonic("RESOURCEDECL"))) {
        declare(t, instruction, index);
        return {};
    }
    if (!frontend::auto_sync::tracks(state_, t)) return {};
    return pushed_[t].push(state_, t, instruction, index, idle);
}

bool AutoSync::may_access(unsigned t, state::Resources resources, bool store) {
    if (!resources) return true;
    return pushed_[t].may_access(resources, store, fronts_[t].oldest(state_), work_.activity(), t);
}

bool AutoSync::pass_gate_or_wait(unsigned t, frontend::GateWord& at) {
    constexpr Wait wait{Wait::Kind::own_stores};
    if (stores_.is_on_its_way(t, at.uses.any(), at.index)) {
        at.held_until = never;
        scheduler_.park(front_end_of(t), wait, Signal::store);
        return false;
    }
    if (at.held_until == never) at.held_until = scheduler_.now() + at.uses.linger;
    if (at.held_until > scheduler_.now()) {
        scheduler_.wait_until(front_end_of(t), wait, at.held_until);
        return false;
    }
    order_.resources_passed(t, at.uses.any(), at.index);
    at.uses = {};
    return true;
}

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
#include "functional/effects.hpp"

#include "engine/cell_signals.hpp"

namespace tessera::functional {

using engine::Signal;

std::uint32_t Effects::write(const plan::Plan& plan, plan::When when, const engine::Origin& origin) {
    std::uint32_t mutexes = 0;
    for (const auto& effect : plan.effects) {
        if (effect.when != when) continue;
        const std::uint32_t old = state_[effect.cell], value = effect.result(old);
        state_.write(effect.cell, value);
        const state::CellRole role = state::role_of(effect.cell);
        if (role == state::CellRole::none) continue;
        raise(engine::signals_of(role));
        last_causes_.written(effect.cell, {false, static_cast<int>(plan.thread), origin.index, no_cycle}, effect.op,
                             value != old);
        if (state::cells::mutex_block.contains(effect.cell))
            mutexes |= 1u << (state::index(effect.cell) - state::cells::mutex_block.first);
    }
    return mutexes;
}

void Effects::store(state::Cell cell, plan::CellOp op, std::uint32_t value, const engine::Cause& by) {
    const std::uint32_t old = state_[cell];
    plan::store(state_, cell, op, value);
    raise(engine::signals_of(state::role_of(cell)));
    last_causes_.written(cell, by, op, state_[cell] != old);
    raise(Signal::store);
}

}  // namespace tessera::functional

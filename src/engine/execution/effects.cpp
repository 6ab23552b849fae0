// SPDX-License-Identifier: Apache-2.0
#include "engine/execution/effects.hpp"

#include "engine/cell_signals.hpp"
#include "frontend/auto_sync.hpp"
#include "hazards/order.hpp"
#include "state/mmio.hpp"

namespace tessera::engine {

using state::CellRole;
using state::cells::bank_owner_block;

Signals Effects::signals_of(state::Cell cell) const {
    const CellRole role = role_of(cell);
    if (role == CellRole::thread_config) {
        const unsigned thread = (state::index(cell) - state::cells::thread_config_block.first) / state::cells::max_thread_config_words;
        const auto kind = state::cells::latch(thread, state::Latch::kind);
        if (state::LatchKind(state_[kind]) != state::LatchKind::stream) return {};
    }
    return engine::signals_of(role);
}

Signals Effects::write(const plan::Plan& plan, plan::When when, const Cause& by) {
    Signals signals;
    for (const auto& effect : plan.effects) {
        if (effect.when != when) continue;
        const std::uint32_t old = state_[effect.cell], value = effect.result(old);
        state_.write(effect.cell, value);
        const CellRole role = role_of(effect.cell);
        if (role == CellRole::none) continue;
        signals |= signals_of(effect.cell);
        last_causes_.written(effect.cell, by, effect.op, value != old);
        if (value != old && bank_owner_block.contains(effect.cell))
            bank_words_[index(effect.cell) - bank_owner_block.first] = plan.instruction.word;
        if (role == CellRole::thread_config && frontend::auto_sync::tracks(state_, plan.thread))
            listener_.auto_sync_begins(plan.thread);
    }
    return signals;
}

Signals Effects::write_at_start(const units::Resolved& resolved, const Cause& by, Cycle now, Scheduler& scheduler) {
    const Signals signals = write(resolved, plan::When::start, by);
    if (!signals) return signals;
    const unsigned thread = resolved.plan.thread;
    for (const auto& effect : resolved.plan.effects) {
        using namespace state::cells;
        if (effect.when != plan::When::start) continue;
        if (semaphore_value_block.contains(effect.cell)) {
            const unsigned semaphore = state::index(effect.cell) - semaphore_value_block.first;
            order_.semaphore_changed(thread, semaphore, hazards::SemaphoreChange::in(state_, semaphore, effect.op));
        }
        if (stream_register_block.contains(effect.cell))
            order_.release_word(thread, state::mmio::stream_word(effect.cell));
        if (!mutex_block.contains(effect.cell)) continue;
        const unsigned mutex = state::index(effect.cell) - mutex_block.first;
        order_.mutex_released(thread, mutex);
        scheduler.mutex_released(thread, mutex, now);
    }
    return signals;
}

}  // namespace tessera::engine

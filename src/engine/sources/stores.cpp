// SPDX-License-Identifier: Apache-2.0
#include "engine/sources/stores.hpp"

#include <algorithm>

#include "checks/checker.hpp"
#include "engine/run_recorder.hpp"
#include "hazards/order.hpp"
#include "units/sync/semaphore_limits.hpp"

namespace tessera::engine {

bool Stores::emit(const Store& store) {
    const Cycle now = scheduler_.now();
    if (store.thread != no_thread && state::cells::config_block.contains(store.cell))
        checker_.check_fields(store.thread, store.cell, store.value, store.index, now);
    if (outcome_.stopped()) return false;
    if (store.counts())
        checker_.check_store(store.cell, {.core = static_cast<std::uint8_t>(store.thread),
                                          .index = store.index,
                                          .resources = store.resources,
                                          .value = store.value,
                                          .at = now});
    const std::uint32_t id = ++last_id_;
    in_flight_.push_back({store, id});
    if (store.counts()) work_.store_emitted(store.thread);
    const auto& costs = costs_.thread;
    if (const Cycle latency = store.is_to_semaphore() ? costs.semaphore_latency : costs.config_store_latency)
        scheduler_.clock().schedule(now + latency, Event::Kind::land_store, id);
    else
        land(id, now);
    return true;
}

void Stores::land(std::uint32_t id, Cycle now) {
    const auto at =
        std::find_if(in_flight_.begin(), in_flight_.end(), [&](const InFlight& one) { return one.id == id; });
    const Store what = *at;
    in_flight_.erase(at);
    if (recorder_) recorder_->stored(what.cell);
    if (const auto note = units::sync::store_at_limit(state_, what.cell, what.op))
        diagnostics_.add(*note, {what.thread, state::index(what.cell)},
                         [&] { return diagnostics_.where_of_store(what.thread, what.index, now); });
    const std::uint32_t old = state_[what.cell];
    plan::store(state_, what.cell, what.op, what.value);
    const Cause by{true, what.thread == no_thread ? -1 : static_cast<int>(what.thread), what.index, now};
    scheduler_.caused_by(by);
    effects_.last_causes().written(what.cell, by, what.op, state_[what.cell] != old);
    writes_.core_stored(what.thread, what.index, what.cell);
    Signals signals = effects_.signals_of(what.cell);
    if (what.counts()) work_.store_processed(what.thread);
    if (what.counts() || what.core >= 0) signals = signals | Signal::store;
    if (what.is_to_semaphore()) {
        const unsigned semaphore = state::index(what.cell) - state::cells::semaphore_value_block.first;
        const unsigned core = what.core >= 0 ? static_cast<unsigned>(what.core) : hazards::core_of_thread(what.thread);
        order_.core_changes_semaphore(core, semaphore, hazards::SemaphoreChange::in(state_, semaphore, what.op));
    }
    scheduler_.raise(signals, now);
}

bool Stores::all_done(unsigned core) const {
    return std::none_of(in_flight_.begin(), in_flight_.end(),
                        [&](const Store& store) { return store.core == static_cast<int>(core); });
}

bool Stores::is_on_its_way(unsigned thread, state::Resources any, std::int64_t index) const {
    return std::any_of(in_flight_.begin(), in_flight_.end(), [&](const Store& store) {
        return store.thread == thread && store.index <= index && store.resources & any;
    });
}

}  // namespace tessera::engine

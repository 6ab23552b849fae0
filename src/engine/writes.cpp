// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_write: what was written, read back from the state right after. What is written is what plans list; only
// where a plan knows no more than a bound, the state before and after decides.
#include "engine/engine.hpp"
#include "state/inventory.hpp"

namespace tessera::engine {

void Engine::wrote(state::Storage storage, std::uint32_t element) {
    const auto at = state::inventory(state_.arch().arch).locate(storage, element);
    if (at) written_.push_back({at->section, at->element, state::read(state_, storage, element)});
}

void Engine::wrote_effects(const plan::Plan& plan, plan::When when) {
    for (const auto& effect : plan.effects)
        if (effect.when == when) wrote(state::Storage::cell, state::index(effect.cell));
}

void Engine::watch_work(const plan::Plan& plan) {
    watched_ = {};
    watched_values_.clear();
    std::visit(
        [&](const auto& work) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(work)>, plan::NoWork>) footprint(work, watched_);
        },
        plan.work);
    if (watched_.exact) return;
    for (const auto& access : watched_.accesses)
        for (std::uint32_t i = 0; access.write && i < access.count; ++i)
            watched_values_.push_back(state::read(state_, access.storage, access.first + i));
}

void Engine::wrote_work() {
    std::size_t watched = 0;
    for (const auto& access : watched_.accesses)
        for (std::uint32_t i = 0; access.write && i < access.count; ++i) {
            const std::uint32_t element = access.first + i;
            if (watched_.exact || state::read(state_, access.storage, element) != watched_values_[watched++])
                wrote(access.storage, element);
        }
}

void Engine::tell_written(const Record& record) {
    Write write;
    write.thread = record.plan.thread;
    write.index = record.index;
    write.position = record.position;
    write.word = record.plan.instruction.word;
    write.cycle = now_;
    write.elements = written_;
    options_.on_write(write);
    written_.clear();
}

void Engine::tell_store(unsigned thread, std::int64_t index, state::Cell cell) {
    wrote(state::Storage::cell, state::index(cell));
    Write write;
    write.thread = static_cast<int>(thread);
    write.index = index;
    write.by_core = true;
    write.cycle = now_;
    write.elements = written_;
    options_.on_write(write);
    written_.clear();
}

}  // namespace tessera::engine

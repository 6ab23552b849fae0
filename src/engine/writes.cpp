// SPDX-License-Identifier: Apache-2.0
// What instructions read and write, for RunOptions::on_event; RunOptions::on_write: what was written, read back from the state right after. What is written is what plans list; only
// where a plan knows no more than a bound, the state before and after decides.
#include <algorithm>
#include <utility>

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
    watched_.clear();
    watched_values_.clear();
    plan::Footprint work_footprint;
    std::visit(
        [&](const auto& work) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(work)>, plan::NoWork>) footprint(work, work_footprint);
        },
        plan.work);
    watched_exact_ = work_footprint.exact;
    // How far a compressed stream may have come is kept by the units alone.
    const bool anywhere = options_.reference && !watched_exact_;
    if (anywhere) watched_.push_back({state::Storage::l1, true, 0, static_cast<std::uint32_t>(state_.l1.bytes.size())});
    for (const auto& access : work_footprint.accesses)
        if (access.write && !(anywhere && access.storage == state::Storage::l1)) watched_.push_back(access);
    if (watched_exact_) return;
    for (const auto& access : watched_)
        for (std::uint32_t i = 0; i < access.count; ++i)
            watched_values_.push_back(state::read(state_, access.storage, access.first + i));
}

void Engine::wrote_work() {
    std::size_t watched = 0;
    for (const auto& access : watched_)
        for (std::uint32_t i = 0; i < access.count; ++i) {
            const std::uint32_t element = access.first + i;
            if (watched_exact_ || state::read(state_, access.storage, element) != watched_values_[watched++])
                wrote(access.storage, element);
        }
}

void Engine::list_accesses(const plan::Plan& plan, tessera::Event& event) const {
    const plan::Footprint accesses = footprint(plan);
    const auto& inventory = state::inventory(state_.arch().arch);
    for (const auto& access : accesses.accesses)
        inventory.locate(access.storage, access.first, access.count, access.write ? event.writes : event.reads);
    event.exact = accesses.exact;
}

void Engine::tell_written(const Record& record, bool at_issue) {
    // Effects and work may list the same, and bounds overlap.
    auto place = [](const StateElement& e) { return std::pair(e.section, e.element); };
    std::sort(written_.begin(), written_.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    written_.erase(std::unique(written_.begin(), written_.end()), written_.end());
    Write write;
    write.thread = record.plan().thread;
    write.index = op_number(record.index);
    tell_core(record.index, write.core, write.pc);
    write.position = record.position;
    write.number = record.number;
    write.at_issue = at_issue;
    write.word = record.plan().instruction.word;
    write.cycle = now_;
    write.elements = written_;
    last_writer_ = {record.plan().thread, record.index, record.position, record.plan().instruction.word, false, now_};
    options_.on_write(write);
    written_.clear();
}

void Engine::tell_host_wrote() {
    Write write;
    write.thread = -1;
    write.index = -1;
    write.by_core = write.by_host = true;
    write.cycle = now_;
    write.elements = written_;
    last_writer_ = {no_thread, -1, -1, 0, true, now_};
    options_.on_write(write);
    written_.clear();
}

void Engine::tell_store(unsigned thread, std::int64_t index, state::Cell cell) {
    wrote(state::Storage::cell, state::index(cell));
    tell_store(thread, index, now_);
}

void Engine::tell_store(unsigned thread, std::int64_t index, Cycle at) {
    Write write;
    write.thread = thread == no_thread ? -1 : static_cast<int>(thread);
    write.index = op_number(index);
    tell_core(index, write.core, write.pc);
    write.by_core = true;
    write.cycle = at;
    write.elements = written_;
    last_writer_ = {thread, index, -1, 0, true, now_};
    options_.on_write(write);
    written_.clear();
}

}  // namespace tessera::engine

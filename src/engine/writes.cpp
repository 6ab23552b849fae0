// SPDX-License-Identifier: Apache-2.0
// What instructions read and write, for RunOptions::on_event, and who has written (engine/written.hpp), for RunOptions::on_write.
#include "engine/engine.hpp"
#include "state/inventory.hpp"

namespace tessera::engine {

void Engine::list_accesses(const plan::Plan& plan, tessera::Event& event) const {
    const plan::Footprint accesses = footprint(plan);
    const auto& inventory = state::inventory(state_.arch().arch);
    for (const auto& access : accesses.accesses)
        inventory.locate(access.storage, access.first, access.count, access.write ? event.writes : event.reads);
    event.exact = accesses.exact;
}

void Engine::tell_written(const Record& record, bool at_issue) {
    Write write;
    write.thread = record.plan().thread;
    write.index = op_number(record.index);
    tell_core(record.index, write.core, write.pc);
    write.position = record.position;
    write.number = record.number;
    write.at_issue = at_issue;
    write.word = record.plan().instruction.word;
    write.cycle = now_;
    write.elements = written_.in_order();
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
    write.elements = written_.as_they_came();
    last_writer_ = {no_thread, -1, -1, 0, true, now_};
    options_.on_write(write);
    written_.clear();
}

void Engine::tell_store(unsigned thread, std::int64_t index, state::Cell cell) {
    written_.add(state::Storage::cell, state::index(cell));
    tell_store(thread, index, now_);
}

void Engine::tell_store(unsigned thread, std::int64_t index, Cycle at) {
    Write write;
    write.thread = thread == no_thread ? -1 : static_cast<int>(thread);
    write.index = op_number(index);
    tell_core(index, write.core, write.pc);
    write.by_core = true;
    write.cycle = at;
    write.elements = written_.as_they_came();
    last_writer_ = {thread, index, -1, 0, true, now_};
    options_.on_write(write);
    written_.clear();
}

}  // namespace tessera::engine

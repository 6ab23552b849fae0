// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/writes.hpp"

namespace tessera::engine {

void Writes::instruction_wrote(const Record& record, bool at_issue) {
    Write write;
    write.thread = record.plan().thread;
    write.index = places_.op_number(record.origin.index);
    places_.report_core(record.origin.index, write.core, write.pc);
    write.position = record.origin.position;
    write.number = record.number;
    write.at_issue = at_issue;
    write.word = record.plan().instruction.word;
    write.cycle = scheduler_.now();
    write.elements = written_.in_order();
    tell(write, {{record.plan().thread, record.origin.index, record.origin.position, write.word, scheduler_.now()}});
}

void Writes::came_from_outside(bool by_packet) {
    Write write;
    write.thread = -1;
    write.index = -1;
    write.by_core = true;
    write.by_host = !by_packet;
    write.by_packet = by_packet;
    write.cycle = scheduler_.now();
    write.elements = written_.as_they_came();
    tell(write, {{no_thread, -1, -1, 0, scheduler_.now()}, true, by_packet});
}

void Writes::core_wrote(unsigned thread, std::int64_t index, Cycle at) {
    Write write;
    write.thread = thread == no_thread ? -1 : static_cast<int>(thread);
    write.index = places_.op_number(index);
    places_.report_core(index, write.core, write.pc);
    write.by_core = true;
    write.cycle = at;
    write.elements = written_.as_they_came();
    tell(write, {{thread, index, -1, 0, scheduler_.now()}, true});
}

void Writes::tell(const Write& write, const Agent& by) {
    last_writer_ = by;
    options_.on_write(write);
    written_.clear();
}

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/events.hpp"

#include <algorithm>

#include "state/inventory.hpp"
#include "tessera/assembly.hpp"

namespace tessera::engine {

tessera::Event event_of(const Record& record, Cycle end, const diagnostics::Places& places,
                        const units::CostTable& costs) {
    const plan::Plan& plan = record.plan();
    const isa::Instruction& instruction = plan.instruction;
    tessera::Event event;
    event.thread = plan.thread;
    event.index = places.op_number(record.index);
    places.report_core(record.index, event.core, event.pc);
    event.position = record.position;
    event.number = record.number;
    event.command = record.by_core;
    event.word = instruction.word;
    event.instruction = record.by_core ? std::string("mover command") : disassemble(instruction.word, instruction.arch);
    for (unsigned p = 0; p < plan::pipes; ++p) {
        if (!(plan.pipes >> p & 1)) continue;
        if (!event.unit.empty()) event.unit += ", ";
        event.unit += name(plan::Pipe(p));
    }
    event.pushed = record.pushed;
    event.gate = record.gate;
    event.ready = std::min(record.ready, record.times.start);
    event.occupancy = plan.cost.occupancy;
    event.latency = plan.cost.latency;
    event.basis = costs.basis_of(instruction);
    event.issue = record.issue;
    event.start = record.times.start;
    event.land = std::max(record.times.land, record.times.start);  // what waited in front of the vector unit landed at its issue
    event.end = end;

    const plan::Footprint accesses = footprint(plan);
    const auto& inventory = state::inventory(places.arch());
    for (const auto& access : accesses.accesses)
        inventory.locate(access.storage, access.first, access.count, access.write ? event.writes : event.reads);
    event.exact = accesses.exact;
    return event;
}

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/events.hpp"

#include <algorithm>

#include "state/inventory.hpp"
#include "tessera/assembly.hpp"

namespace tessera::engine {

namespace {

tessera::Event event_of(unsigned thread, const Origin& origin, const isa::Instruction& instruction, plan::PipeMask pipes,
                        const diagnostics::Places& places) {
    tessera::Event event;
    event.thread = static_cast<int>(thread);
    event.index = places.op_number(origin.index);
    places.report_core(origin.index, event.core, event.pc);
    event.position = origin.position;
    event.word = instruction.word;
    event.instruction = disassemble(instruction.word, instruction.arch);
    plan::for_each_pipe(pipes, [&](unsigned p) {
        if (!event.unit.empty()) event.unit += ", ";
        event.unit += name(plan::Pipe(p));
    });
    return event;
}

}  // namespace

tessera::Event event_of(const Record& record, Cycle end, const diagnostics::Places& places,
                        const units::CostTable& costs) {
    const plan::Plan& plan = record.plan();
    const isa::Instruction& instruction = plan.instruction;
    tessera::Event event = event_of(plan.thread, record.origin, instruction, plan.pipes, places);
    event.number = record.number;
    event.command = record.by_core;
    if (record.by_core) event.instruction = "mover command";
    event.pushed = record.pushed;
    event.gate = record.gate;
    event.ready = std::min(record.ready, record.times.start);
    event.occupancy = plan.cost.occupancy;
    event.latency = plan.cost.latency;
    event.basis = costs.basis_of(instruction);
    event.issue = record.issue;
    event.start = std::min(record.times.start, end);  // what is still in front of the vector unit would start later
    event.land = std::max(record.times.land, record.times.start);  // what waited in front of the vector unit landed at its issue
    event.end = end;

    const plan::Footprint accesses = footprint(plan);
    const auto& inventory = state::inventory(places.arch());
    for (const auto& access : accesses.accesses)
        inventory.locate(access.storage, access.first, access.count, access.write ? event.writes : event.reads);
    event.exact = accesses.exact;
    return event;
}

tessera::Event event_in_queue(const Record& record, Cycle end, const diagnostics::Places& places) {
    const plan::Plan& plan = record.plan();
    tessera::Event event = event_of(plan.thread, record.origin, plan.instruction, plan.pipes, places);
    event.number = record.number;
    event.pushed = record.pushed;
    event.gate = record.gate;
    event.issue = record.issue;
    event.ready = std::min(record.ready, end);
    event.start = event.land = event.end = end;
    return event;
}

tessera::Event event_at_gate(unsigned thread, const frontend::GateWord& at, plan::PipeMask pipes, Cycle end,
                             const diagnostics::Places& places) {
    tessera::Event event = event_of(thread, {at.index, at.position}, at.instruction, pipes, places);
    event.number = -1;
    event.pushed = at.pushed;
    event.gate = std::min(at.arrived, end);
    event.issue = event.ready = event.start = event.land = event.end = end;
    return event;
}

}  // namespace tessera::engine

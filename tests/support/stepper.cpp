// SPDX-License-Identifier: Apache-2.0
#include "support/stepper.hpp"

#include <stdexcept>

#include "findings/catalogue.hpp"
#include "units/resolve.hpp"

namespace tessera::test {

void Stepper::execute(std::uint32_t word, unsigned thread) {
    const auto& costs = units::costs(state.arch().arch, Timing::documented);
    const auto instruction = isa::decode(word, state.arch().arch);
    plan::Plan plan;
    units::resolve(units::StateView(instruction, thread, state, costs, nullptr), plan);
    fault = plan.fault ? std::string(findings::entry(plan.fault->id).code) : std::string();
    if (plan.fault) return;
    for (const auto& note : plan.findings) findings.emplace_back(findings::entry(note.id).code);
    plan::run_whole(plan, state);
}

void Stepper::operator()(std::string_view text, unsigned thread) {
    const auto program = assemble(text, state.arch().arch, {}, thread);
    if (!program) throw std::runtime_error(program.error().describe());
    for (const Op& op : program->threads[thread]) {
        execute(op.value, thread);
        if (!fault.empty()) throw std::runtime_error(fault);
    }
}

std::uint32_t Stepper::config(unsigned bank, unsigned addr32) const {
    return state[state::cells::config(state.arch(), bank, addr32)];
}

}  // namespace tessera::test

// SPDX-License-Identifier: Apache-2.0
#include "engine/execution/by_reference.hpp"

#include <vector>

#include "reference/models.hpp"

namespace tessera::engine {

bool land_by_reference(Record& record, state::State& state, Outcome& outcome, const diagnostics::Places& places,
                       Cycle now) {
    const plan::Plan& plan = record.plan();
    const reference::Model model = reference::model_of(plan.instruction);
    if (!model) return false;
    std::vector<std::uint32_t> before;
    for (const auto& effect : plan.effects) before.push_back(state[effect.cell]);
    const reference::Outcome answer = model(state, plan.thread, plan.instruction.word);
    if (answer == reference::Outcome::unsupported) return false;
    if (answer != reference::Outcome::done) {
        outcome.stop({findings::id("reference.no-result"), {}, plan.instruction.spec->name},
                     places.where(plan.thread, record.origin.index, plan.instruction.word, now, record.origin.position),
                     now);
        return true;
    }
    ++outcome.run().by_reference;
    // Invalid rows read as zero. A reader has written them before.
    if (const auto* validity = std::get_if<plan::ValidityWork>(&plan.work))
        for (const auto& range : validity->rows)
            for (unsigned i = 0; i < range.count; ++i) state.dst.written[range.first + i] = true;
    units::Resolved& own = record.resolved.alone();
    for (auto& effect : own.plan.effects) {
        effect.op = plan::CellOp::set;
        effect.value = state[effect.cell];
    }
    for (std::size_t i = 0; i < before.size(); ++i) state.write(own.plan.effects[i].cell, before[i]);
    own.derive();
    return true;
}

}  // namespace tessera::engine

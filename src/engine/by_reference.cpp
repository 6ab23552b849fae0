// SPDX-License-Identifier: Apache-2.0
// Execution by the functional models of src/reference. The plan still says what an instruction waits for and whom its
// effects wake; what they are is read back from the state that the model leaves.
#include "engine/engine.hpp"
#include "reference/models.hpp"

namespace tessera::engine {

// Whether a model has done the work; else the unit does it.
bool Engine::land_by_reference(Record& record) {
    const plan::Plan& plan = record.plan();
    const reference::Model model = reference::model_of(plan.instruction);
    if (!model) return false;
    const reference::Outcome outcome = model(state_, plan.thread, plan.instruction.word);
    if (outcome == reference::Outcome::unsupported) return false;
    if (outcome != reference::Outcome::done) {
        stop({findings::id("reference.no-result"), {}, plan.instruction.spec->name},
             where(plan.thread, record.index, plan.instruction.word, now_, record.position));
        return true;
    }
    ++run_.by_reference;
    // Rows that were made invalid read as zero: whoever reads them has written them before.
    if (const auto* validity = std::get_if<plan::ValidityWork>(&plan.work))
        for (const auto& range : validity->rows)
            for (unsigned i = 0; i < range.count; ++i) state_.dst.written[range.first + i] = true;
    units::Resolved& own = record.resolved.alone();
    for (auto& effect : own.plan.effects) {
        effect.op = plan::CellOp::set;
        effect.value = state_[effect.cell];
    }
    own.derive();
    return true;
}

}  // namespace tessera::engine

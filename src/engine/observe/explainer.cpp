// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/explainer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plan/element_trace.hpp"
#include "plan/explain.hpp"
#include "tessera/assembly.hpp"
#include "units/resolve.hpp"

namespace tessera::engine {

// The other unpacker's reads when an UNPACR is issued; its later reads are not known yet.
Explanation::Line Explainer::rival_now(const plan::Plan& plan, Cycle now) const {
    const unsigned side = plan.pipes & bit(plan::Pipe::unpacker1) ? 1 : 0;
    const auto& own = plan.cost.transfer;
    std::string text = "does not read";
    if (transfers_.reads(1 - side, now)) {
        const auto& wants = records_[transfers_.who(1 - side)].plan().cost.transfer;
        text = fmt::format("reads at {}: {} of {} bytes per cycle remain for this unpacker",
                           units::name(units::Speed(wants.speed)), own.beside_it[wants.speed], own.alone);
    }
    return {"speed", fmt::format("unpacker {} now", 1 - side), text};
}

std::int64_t Explainer::explain_if_asked(const plan::Plan& plan, std::int64_t index, Cycle now) {
    const auto& elements = options_.elements;
    if (!elements.empty() &&
        std::none_of(elements.begin(), elements.end(), [&](DstElement e) { return plan::computes(plan, e); }))
        return -1;
    if (!options_.explain || !options_.explain(plan.thread, places_.op_number(index), plan.instruction.word)) return -1;
    if (options_.on_explanation) {
        hand_over(plan, index, now);
        return -1;
    }
    auto& explanations = outcome_.run().explanations;
    explanations.push_back(explain(plan, index, now));
    return elements.empty() ? -1 : std::ssize(explanations) - 1;
}

// Operands in banks and in Dst are final only at execution, since moves to them may be in flight.
void Explainer::trace_elements(const Record& record) {
    auto& explanation = outcome_.run().explanations[static_cast<std::size_t>(record.explanation)];
    for (const DstElement element : options_.elements)
        if (auto trace = plan::trace(record.plan(), state_, element)) explanation.elements.push_back(std::move(*trace));
}

Explanation Explainer::explain(const plan::Plan& plan, std::int64_t index, Cycle now, Inputs* inputs) const {
    units::Recorder recorder(true);
    units::Reads reads;
    plan::Plan again;
    const units::StateView view(plan.instruction, plan.thread, state_, costs_, nullptr, &recorder);
    units::resolve(units::StateView(view, reads), again);
    if (inputs) {
        *inputs = {recorder.cells(), reads.memory};
        inputs->cells.insert(inputs->cells.end(), reads.remarked.begin(), reads.remarked.end());
        for (const auto& effect : plan.effects) inputs->cells.push_back(effect.cell);
    }
    Explanation e;
    e.thread = plan.thread;
    e.index = places_.op_number(index);
    e.cycle = now;
    e.instruction = disassemble_named(plan.instruction.word, plan.instruction.arch);
    e.place = places_.place_of(plan.thread, index);
    e.lines = plan::explain(plan, state_, recorder.seen(), costs_.source_of(plan.instruction));
    if (plan.cost.transfer.bytes) {
        const auto last = std::find_if(e.lines.rbegin(), e.lines.rend(),
                                       [](const Explanation::Line& line) { return line.topic == "speed"; });
        e.lines.insert(last.base(), rival_now(plan, now));
    }
    return e;
}

void Explainer::hand_over(const plan::Plan& plan, std::int64_t index, Cycle now) {
    const std::string context = plan.cost.transfer.bytes ? rival_now(plan, now).value : std::string();
    const std::uint64_t place = places_.key(plan.thread, index);
    ExplanationCache::Known* known = cache_.find(plan.thread, plan.instruction, context, state_);
    if (known) {
        known->explanation.index = places_.op_number(index);
        known->explanation.cycle = now;
        if (known->place != place) known->explanation.place = places_.place_of(plan.thread, index);
        known->place = place;
    } else {
        Inputs inputs;
        Explanation fresh = explain(plan, index, now, &inputs);
        if (inputs.memory) return options_.on_explanation(fresh, 0);
        Explanation compact = fresh;  // without the room that making it left
        known = &cache_.keep(plan.thread, plan.instruction, context, state_, std::move(inputs.cells),
                             std::move(compact), place);
    }
    options_.on_explanation(known->explanation, known->number);
}

std::optional<Explanation> Explainer::take_last() {
    if (outcome_.run().explanations.empty()) return {};
    std::optional<Explanation> last = std::move(outcome_.run().explanations.back());
    outcome_.run().explanations.pop_back();
    return last;
}

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
#include "plan/explain.hpp"

#include <fmt/format.h>

#include "isa/form.hpp"
#include "isa/operand_values.hpp"
#include "plan/explain_registers.hpp"
#include "plan/remedies.hpp"

namespace tessera::plan {

namespace {

std::string effect_text(const CellEffect& effect, std::uint32_t old) {
    switch (effect.op) {
        case CellOp::set: return fmt::format("{} -> {}", number(old), number(effect.value));
        case CellOp::post: return "+ 1, at most 15";
        case CellOp::get: return "- 1, at least 0";
        case CellOp::release: return "released if held by the thread";
    }
    return {};
}

std::string bank_text(const BankNeed& need) {
    return fmt::format("Src{} bank {} to be the {}, {}", need.src == state::Src::a ? 'A' : 'B', need.bank,
                       need.owner == state::Owner::matrix ? "matrix unit's" : "unpackers'",
                       need.in_unit ? "in the unit" : "at the gate");
}

std::string rows_text(const DstBlocks& blocks) {
    std::string text;
    blocks.for_each([&](unsigned b) { text += fmt::format("{}{}..{}", text.empty() ? "" : " ", b * 8, b * 8 + 7); });
    return text.size() > 120 ? text.substr(0, 117) + "..." : text;
}

constexpr std::string_view moments[] = {"at issue", "when it executes", "when it ends"};

/// Collects the lines of an explanation in order.
class Story {
public:
    void add(std::string_view topic, std::string name, std::string value) {
        lines.push_back({std::string(topic), std::move(name), std::move(value)});
    }

    void report_instruction(const isa::Instruction& instruction) {
        if (!instruction.spec) return;
        add("instruction", std::string(instruction.spec->name), std::string(instruction.spec->meaning));
        const auto form = isa::form_of(instruction);
        const bool named = form && !form->name.empty();
        if (named) {
            add("form", std::string(form->name), std::string(form->meaning));
            read.push_back({"form", 0, std::string(form->name)});
        }
        for (const auto& operand : named ? form->operands : isa::operands(*instruction.spec)) {
            const std::uint32_t value = (instruction.word & operand.used_mask()) >> operand.lo;
            const auto* set = isa::values_of(operand);
            auto meant = set ? isa::value_text(*set, value, instruction.arch) : std::nullopt;
            if (set && set->ignored) meant = set->no_effect;
            add("operand", std::string(operand.name), meant ? fmt::format("{} ({})", value, *meant) : number(value));
            read.push_back({std::string(operand.name), value, number(value)});
        }
    }

    void report_reads(const Seen& seen, const state::State& state) {
        for (ReadValue& value : registers_read(seen, state)) {
            add("register", value.name, value.text);
            read.push_back(std::move(value));
        }
        for (ReadValue& value : counters_read(seen, state)) {
            add("counter", value.name, value.text);
            read.push_back(std::move(value));
        }
        for (const auto& [topic, name, value] : seen.remarks) add(topic, name, value);
    }

    void report_needs(const Plan& plan) {
        for (unsigned p = 0; p < pipes; ++p)
            if (plan.pipes >> p & 1) add("unit", std::string(name(Pipe(p))), "");
        for (const auto& need : plan.banks) add("waits for", "bank", bank_text(need));
        if (plan.mutex >= 0) add("waits for", "mutex", fmt::format("{}, until it is free", plan.mutex));
        if (!plan.dst_reads.empty()) add("waits for", "Dst rows not just written", rows_text(plan.dst_reads));
    }

    void report_cost(const Cost& cost, std::string_view source) {
        add("costs", "cycles",
            fmt::format("{} for the address, unit free after {}{}, done after {}", cost.address, cost.occupancy,
                        cost.half ? ".5" : "", cost.latency));
        if (!source.empty()) add("costs", "source", std::string(source));
    }

    void report_work(const Work& work) {
        Lines of_work;
        std::visit(
            [&](const auto& w) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(w)>, NoWork>) explain(w, of_work);
            },
            work);
        for (auto& [name, value] : of_work) add("work", std::move(name), std::move(value));
    }

    void report_effects(const Plan& plan, const state::State& state) {
        for (const auto& effect : plan.effects)
            add(moments[static_cast<unsigned>(effect.when)], cell_name(state, effect.cell),
                effect_text(effect, state[effect.cell]));
    }

    // The diagnosis, the values above that caused it, and their right values.
    void report_diagnosis(std::string_view topic, const findings::Note& note) {
        Diagnosis diagnosis;
        findings::describe(note, diagnosis);
        add(topic, diagnosis.code, diagnosis.message);
        for (auto& [name, value] : remedies(note, read)) add("should be", std::move(name), std::move(value));
        if (!diagnosis.hardware.empty()) add("silicon", "", diagnosis.hardware);
        if (!diagnosis.cure.empty()) add("cure", "", diagnosis.cure);
        if (!diagnosis.source.empty()) add("source", "", diagnosis.source);
    }

    std::vector<Explanation::Line> lines;
    std::vector<ReadValue> read;
};

}  // namespace

std::vector<Explanation::Line> explain(const Plan& plan, const state::State& state, const Seen& seen,
                                       std::string_view cost_source) {
    Story story;
    story.report_instruction(plan.instruction);
    story.report_reads(seen, state);
    if (plan.fault) {
        for (const auto& note : plan.findings) story.report_diagnosis("finding", note);
        story.report_diagnosis("fault", *plan.fault);
        for (const auto& note : seen.more_faults) story.report_diagnosis("another fault", note);
        return std::move(story.lines);
    }
    story.report_needs(plan);
    story.report_cost(plan.cost, cost_source);
    story.report_work(plan.work);
    story.report_effects(plan, state);
    for (const auto& note : plan.findings) story.report_diagnosis("finding", note);
    return std::move(story.lines);
}

}  // namespace tessera::plan

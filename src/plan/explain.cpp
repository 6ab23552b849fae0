// SPDX-License-Identifier: Apache-2.0
#include "plan/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/form.hpp"
#include "registers/field_family.hpp"
#include "state/inventory.hpp"

namespace tessera::plan {

namespace {

std::string number(std::uint32_t value) {
    return value < 4096 ? fmt::format("{}", value) : fmt::format("0x{:X}", value);
}

std::string cell_name(const state::State& state, state::Cell cell) {
    return state::inventory(state.arch().arch).describe(Storage::cell, state::index(cell));
}

// The fields of a configuration word that are not zero, by name.
std::string fields_of(const state::State& state, state::Cell cell) {
    const Arch arch = state.arch().arch;
    const unsigned i = state::index(cell);
    const bool backend = state::cells::config_block.contains(cell);
    const bool thread = state::cells::thread_config_block.contains(cell);
    if (!backend && !thread) return {};
    const unsigned addr32 = backend
                                ? i % state::cells::max_config_words
                                : (i - state::cells::thread_config_block.first) % state::cells::max_thread_config_words;
    std::string text;
    auto add = [&](const auto& table) {
        for (const auto& spec : table) {
            const auto& at = spec.at(arch);
            if (!at.present() || at.addr32 != addr32 || registers::kind_of(spec, arch) == FieldKind::whole) continue;
            if (const std::uint32_t value = at.extract(state[cell]))
                text += fmt::format("{}{}={}", text.empty() ? "" : " ", spec.name, number(value));
        }
    };
    if (backend)
        add(registers::backend_fields);
    else
        add(registers::thread_fields);
    return text;
}

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

}  // namespace

std::vector<Explanation::Line> explain(const Plan& plan, const state::State& state,
                                       std::span<const state::Cell> captured) {
    std::vector<Explanation::Line> lines;
    auto add = [&](std::string topic, std::string name, std::string value) {
        lines.push_back({std::move(topic), std::move(name), std::move(value)});
    };
    const auto& instruction = plan.instruction;
    if (instruction.spec) {
        add("instruction", std::string(instruction.spec->name), std::string(instruction.spec->meaning));
        const auto form = isa::form_of(instruction);
        if (form && !form->name.empty()) add("form", std::string(form->name), std::string(form->meaning));
        for (unsigned i = 0; i < instruction.spec->operand_count; ++i) {
            const auto& o = instruction.spec->operands[i];
            add("operand", std::string(o.name),
                number(instruction.word >> o.lo & ((std::uint32_t{1} << o.width()) - 1)));
        }
    }
    if (plan.fault) {
        Diagnosis fault;
        findings::describe(*plan.fault, fault);
        add("fault", fault.code, fault.message);
        return lines;
    }
    std::vector<state::Cell> cells(captured.begin(), captured.end());
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    for (const auto cell : cells) {
        const std::string fields = fields_of(state, cell);
        add("captured", cell_name(state, cell),
            fields.empty() ? number(state[cell]) : fmt::format("{} ({})", number(state[cell]), fields));
    }
    for (unsigned p = 0; p < pipes; ++p)
        if (plan.pipes >> p & 1) add("unit", std::string(name(Pipe(p))), "");
    for (const auto& need : plan.banks) add("waits for", "bank", bank_text(need));
    if (plan.mutex >= 0) add("waits for", "mutex", fmt::format("{} to be free", plan.mutex));
    if (!plan.dst_reads.empty()) add("waits for", "Dst rows not just written", rows_text(plan.dst_reads));
    add("costs", "cycles",
        fmt::format("{} of address, unit free after {}, done after {}", plan.cost.address, plan.cost.occupancy,
                    plan.cost.latency));
    Lines work;
    std::visit(
        [&](const auto& w) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(w)>, NoWork>) explain(w, work);
        },
        plan.work);
    for (auto& [name, value] : work) add("work", std::move(name), std::move(value));
    constexpr std::string_view moments[] = {"at issue", "when it executes", "when it ends"};
    for (const auto& effect : plan.effects)
        add(std::string(moments[static_cast<unsigned>(effect.when)]), cell_name(state, effect.cell),
            effect_text(effect, state[effect.cell]));
    for (const auto& note : plan.findings) {
        Diagnosis finding;
        findings::describe(note, finding);
        add("finding", finding.code, finding.message);
    }
    return lines;
}

}  // namespace tessera::plan

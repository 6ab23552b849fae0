// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "fidelity/evidence.hpp"
#include "fidelity/modes.hpp"
#include "isa/names.hpp"
#include "tessera/fidelity.hpp"
#include "units/resolve.hpp"

namespace tessera {

namespace {

using fidelity::ModeValue, fidelity::Setting;

unsigned usual_thread(isa::Unit unit) {
    if (unit == isa::Unit::matrix || unit == isa::Unit::vector) return 1;
    return unit == isa::Unit::packer ? 2 : 0;
}

/// Resolves an instruction with some fields set temporarily, and reads a mode's level from its plan.
class Probe {
public:
    Probe(const isa::InstructionSpec& spec, const isa::Form& form, state::State& state)
        : spec_(spec), form_(form), state_(state), plain_(resolve({}, {})) {}

    /// Sets `level` and `basis`. False if the form has no such value.
    bool judge(const Setting& setting, const ModeValue& value, FidelityLine& line) {
        const plan::Plan plan = resolve(setting, value);
        if (!setting.of_configuration && isa::form_of(plan.instruction)->name != form_.name) return false;
        judge(plan, line);
        return true;
    }
    void judge(FidelityLine& line) { judge(plain_, line); }

private:
    plan::Plan resolve(const Setting& setting, const ModeValue& value) {
        std::vector<std::uint32_t> operands(form_.operands.size());
        std::vector<std::pair<state::Cell, std::uint32_t>> before;
        const Arch arch = state_.arch().arch;
        const unsigned thread = usual_thread(spec_.unit);
        const auto set = [&](std::string_view name, std::uint32_t to) {
            if (setting.of_configuration) {
                const auto named = registers::find_field(name, arch);
                const auto& at = named->spec->at(arch);
                const state::Cell cell = named->space == registers::Space::thread
                                             ? state::cells::thread_config(thread, at.addr32)
                                             : state::cells::config(state_.arch(), 0, at.addr32);
                before.emplace_back(cell, state_[cell]);
                state_.write(cell, at.insert(state_[cell], to));
            } else {
                for (std::size_t i = 0; i < operands.size(); ++i)
                    if (form_.operands[i].name == name) operands[i] = to;
            }
        };
        if (!setting.first.empty()) set(setting.first, value.first);
        if (!setting.second.empty()) set(setting.second, value.second);
        plan::Plan plan;
        plan.instruction = isa::decode(isa::encode(spec_, form_, operands), arch);
        if (spec_.unit != isa::Unit::frontend)  // which is never resolved
            units::resolve(
                units::StateView(plan.instruction, thread, state_, units::costs(arch, Timing::documented), nullptr),
                plan);
        for (auto at = before.rbegin(); at != before.rend(); ++at) state_.write(at->first, at->second);
        return plan;
    }

    void judge(const plan::Plan& plan, FidelityLine& line) const {
        const auto report = [&](const findings::Note& note) {
            Diagnosis diagnosis;
            findings::describe(note, diagnosis);
            return diagnosis;
        };
        if (plan.fault) {
            const Diagnosis fault = report(*plan.fault);
            if (fault.code == "not-implemented" || fault.code == "not-supported") {
                line.level = Fidelity::unsupported;
                line.basis = fault.message;
            } else if (!plan_has_fault(plain_, fault.code)) {
                line.basis = fmt::format("refused as {}", fault.code);
            }
            return;
        }
        for (const auto& note : plan.findings) {
            const Diagnosis finding = report(note);
            if (finding.source.find("spec-notes") == std::string::npos) continue;
            line.level = Fidelity::decided;
            line.basis = fmt::format("{}: {}", finding.code, finding.source);
            return;
        }
    }

    static bool plan_has_fault(const plan::Plan& plan, std::string_view code) {
        return plan.fault && findings::entry(plan.fault->id).code == code;
    }

    const isa::InstructionSpec& spec_;
    const isa::Form& form_;
    state::State& state_;
    const plan::Plan plain_;
};

/// Collects the modes of one architecture.
class Report {
public:
    explicit Report(Arch arch) : arch_(arch), state_(arch), evidence_(arch) {}

    void add(const isa::InstructionSpec& spec, const isa::Form& form) {
        Probe probe(spec, form, state_);
        FidelityLine line;
        line.instruction = spec.name;
        line.arch = arch_;
        line.form = form.name;
        line.time = time_of(spec, form);
        const auto settings = fidelity::settings_of(spec, form, arch_);
        if (settings.empty()) {
            probe.judge(line);
            add(line);
        }
        for (const Setting& setting : settings)
            for (const ModeValue& value : fidelity::values_of(setting, form, arch_)) {
                FidelityLine one = line;
                one.setting = setting.text();
                one.value = value.text;
                if (probe.judge(setting, value, one)) add(std::move(one));
            }
    }

    std::vector<FidelityLine> lines;

private:
    std::string time_of(const isa::InstructionSpec& spec, const isa::Form& form) const {
        const units::CostTable& costs = units::costs(arch_, Timing::silicon);
        if (spec.unit == isa::Unit::frontend) return std::string(name(costs.thread.expanders.kind));
        const auto zeros = std::vector<std::uint32_t>(form.operands.size());
        const isa::Instruction instruction = isa::decode(isa::encode(spec, form, zeros), arch_);
        const std::string_view rows = costs.rows_of(instruction);
        const auto basis = std::string(name(costs.basis_of(instruction)));
        return rows.empty() ? basis : fmt::format("{}: {}", basis, rows);
    }

    void add(FidelityLine line) {
        const auto proof = evidence_.of(line.instruction, fidelity::mode_key(line.form, line.setting, line.value));
        if (!proof.vendor_case.empty()) {
            line.level = Fidelity::equal;
            line.basis = proof.vendor_case;
        } else if (!proof.model_case.empty() && line.level == Fidelity::document) {
            line.basis = proof.model_case;
        } else if (line.basis.empty()) {
            line.basis = fmt::format("its page, {}", line.instruction);
        }
        lines.push_back(std::move(line));
    }

    Arch arch_;
    state::State state_;  ///< reset between probes
    fidelity::Evidence evidence_;
};

}  // namespace

std::string_view name(Fidelity level) {
    constexpr std::string_view names[] = {"equal", "document", "decided", "unsupported"};
    return names[static_cast<unsigned>(level)];
}

std::vector<FidelityLine> fidelity_of(Arch arch, std::string_view instruction) {
    std::vector<const isa::InstructionSpec*> specs;
    for (const auto& spec : isa::table)
        if (isa::includes(spec.archs, arch) && (instruction.empty() || isa::same_name(instruction, spec.name)))
            specs.push_back(&spec);
    std::sort(specs.begin(), specs.end(), [](const auto* a, const auto* b) { return a->opcode < b->opcode; });
    Report report(arch);
    for (const auto* spec : specs)
        for (std::size_t i = 0; i < isa::form_count(*spec); ++i) report.add(*spec, isa::form(*spec, i));
    return std::move(report.lines);
}

FidelityCounts count_by_level(const std::vector<FidelityLine>& lines, Arch arch) {
    FidelityCounts counts{};
    for (const FidelityLine& line : lines)
        if (line.arch == arch) ++counts[static_cast<unsigned>(line.level)];
    return counts;
}

std::vector<FidelityLine> with_joined_values(const std::vector<FidelityLine>& lines) {
    std::vector<FidelityLine> result;
    for (const FidelityLine& line : lines) {
        const auto like = [&](const FidelityLine& other) {
            return other.instruction == line.instruction && other.arch == line.arch && other.form == line.form &&
                   other.setting == line.setting && other.level == line.level && other.basis == line.basis;
        };
        if (!result.empty() && like(result.back()))
            result.back().value += "; " + line.value;
        else
            result.push_back(line);
    }
    return result;
}

}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// tessera isa: descriptions of instructions.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.hpp"
#include "options/words.hpp"
#include "reports/fidelity_lines.hpp"
#include "reports/json.hpp"
#include "reports/table.hpp"
#include "reports/terminal.hpp"
#include "tessera/instruction_set.hpp"

namespace tessera::cli {

namespace {

struct IsaArguments {
    std::vector<std::string> names;
    std::string arch;
    bool markdown = false, json = false;
};

using Operands = std::vector<InstructionInfo::Operand>;

std::string bits(unsigned hi, unsigned lo) { return hi == lo ? fmt::format("{}", lo) : fmt::format("{}:{}", hi, lo); }

std::string note(const InstructionInfo::Operand& o) {
    if (o.bits == 0) return "no meaning";
    std::string text;
    const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
    if (o.lo + o.bits - 1 != o.hi) add("used " + bits(o.lo + o.bits - 1, o.lo));
    if (!o.printed) add("by name only");
    for (const auto& alias : o.also) add("also " + alias);
    return text;
}

std::string number(const InstructionInfo::Value& value) {
    constexpr std::uint32_t whole = ~0u;
    if (value.mask == whole) return fmt::format("{}", value.value);
    if (value.mask == value.value) return fmt::format("0x{:X}", value.value);
    return fmt::format("0x{:X} of 0x{:X}", value.value, value.mask);
}

/// Describes the operands `names`.
std::string describe(const std::string& names, const InstructionInfo::Values& says) {
    std::string text = fmt::format("\n  {}: {}{}\n", names, says.title, says.about.empty() ? "" : ". " + says.about);
    if (says.values.empty()) return text;
    Table table{"value", "name", "meaning", "also"};
    for (const auto& value : says.values) {
        std::string also;
        for (const auto& other : value.also) also += (also.empty() ? "" : ", ") + other;
        table.add({number(value), value.name, value.meaning.empty() ? "(a spelling of these)" : value.meaning, also});
    }
    return text + table.text();
}

std::string operand_table(const Operands& operands) {
    Table table{"operand", "bits", "", "says"};
    for (const auto& o : operands) table.add({o.name, bits(o.hi, o.lo), note(o), o.says.title});
    std::string text = table.text();
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto& says = operands[i].says;
        const auto same = [&](const auto& other) { return other.says.title == says.title; };
        const auto reported = operands.begin() + static_cast<std::ptrdiff_t>(i);
        if (says.title.empty() || std::any_of(operands.begin(), reported, same)) continue;
        std::string names;
        for (const auto& o : operands)
            if (same(o)) names += (names.empty() ? "" : ", ") + o.name;
        text += describe(names, says);
    }
    return text;
}

std::string held_back_by(const InstructionInfo& info) {
    if (info.block_bits == 0) return "nothing: the front end consumes it before the wait gate";
    return (info.blocked_by_all_only ? "all together of " : "any of ") + block_names(info.block_bits);
}

std::string describe(const InstructionInfo& info) {
    std::string text = fmt::format("{} ({})\n  {}\n  opcode        0x{:02X}\n  unit          {}\n  held back by  {}\n",
                                   coloured(Colour::bold, info.name), name(info.arch), info.meaning, info.opcode,
                                   info.unit, held_back_by(info));
    if (!info.operands.empty()) text += operand_table(info.operands);
    for (const auto& form : info.forms) {
        text += fmt::format("\n  form {}: {}\n", form.name, form.meaning);
        text += form.mask ? fmt::format("  when word & 0x{:06X} is 0x{:06X} and no form above matches\n", form.mask,
                                        form.value)
                          : "  when no form above matches\n";
        if (!form.operands.empty()) text += operand_table(form.operands);
    }
    for (const auto& registers : info.registers) text += describe(".mop", registers);
    return text;
}

Json json_of(const InstructionInfo::Values& says) {
    Json values = Json::array();
    for (const auto& value : says.values)
        values.push_back({{"name", value.name},
                          {"value", value.value},
                          {"mask", value.mask},
                          {"meaning", value.meaning},
                          {"also", value.also}});
    return {{"title", says.title}, {"about", says.about}, {"values", std::move(values)}};
}

Json json_of(const Operands& operands) {
    Json json = Json::array();
    for (const auto& o : operands)
        json.push_back({{"name", o.name},
                        {"lo", o.lo},
                        {"hi", o.hi},
                        {"bits", o.bits},
                        {"printed", o.printed},
                        {"also", o.also},
                        {"says", json_of(o.says)}});
    return json;
}

Json json_of(const InstructionInfo& info) {
    Json forms = Json::array();
    for (const auto& form : info.forms)
        forms.push_back({{"name", form.name},
                         {"mask", form.mask},
                         {"value", form.value},
                         {"meaning", form.meaning},
                         {"operands", json_of(form.operands.empty() ? info.operands : form.operands)}});
    Json registers = Json::array();
    for (const auto& one : info.registers) registers.push_back(json_of(one));
    return {{"name", info.name},
            {"arch", name(info.arch)},
            {"opcode", info.opcode},
            {"unit", info.unit},
            {"meaning", info.meaning},
            {"block_bits", info.block_bits},
            {"blocked_by_all_only", info.blocked_by_all_only},
            {"operands", json_of(info.operands)},
            {"forms", std::move(forms)},
            {"registers", std::move(registers)}};
}

Result<std::vector<InstructionInfo>> chosen(const IsaArguments& options) {
    std::optional<Arch> only;
    if (!options.arch.empty()) {
        const Result<Arch> arch = read_arch(options.arch);
        if (!arch) return tl::make_unexpected(arch.error());
        only = *arch;
    }
    if (options.names.empty()) return instruction_set(only.value_or(Arch::blackhole));
    std::vector<InstructionInfo> result;
    for (const std::string& one : options.names) {
        if (only) {
            auto found = find_instruction(one, *only);
            if (!found) return tl::make_unexpected(found.error());
            result.push_back(std::move(*found));
        } else {
            const auto found = describe_instruction(one);
            if (!found) return found;
            result.insert(result.end(), found->begin(), found->end());
        }
    }
    return result;
}

std::string list(const std::vector<InstructionInfo>& infos) {
    Table table{"opcode", "name", "unit", "meaning"};
    for (const auto& info : infos)
        table.add({fmt::format("0x{:02X}", info.opcode), info.name, info.unit, info.meaning});
    return table.text();
}

int execute(const IsaArguments& options) {
    if (options.markdown && (options.json || !options.names.empty() || !options.arch.empty()))
        return refuse("cli.usage", "--markdown is for all instructions and takes nothing else");
    if (options.markdown) {
        print(stdout, instruction_reference());
        return good;
    }
    const auto infos = chosen(options);
    if (!infos) return report(infos.error());
    if (options.json) {
        print(stdout, to_text(json_list(*infos, [](const InstructionInfo& info) { return json_of(info); }), 2) + "\n");
        return good;
    }
    if (options.names.empty()) {
        print(stdout, list(*infos));
        return good;
    }
    std::string text;
    for (const auto& info : *infos)
        text += (text.empty() ? "" : "\n") + describe(info) + "\nfidelity\n" +
                fidelity_table(fidelity_of(info.arch, info.name));
    print(stdout, text);
    return good;
}

}  // namespace

void add_isa(CommandLine& program) {
    auto options = std::make_shared<IsaArguments>();
    const Command command = program.add("isa", "Describe instructions: forms, operands, values, unit, wait class");
    command.option("NAME", options->names, "Instructions, as SETADCXX or ttsetadcxx; none: all, as a list");
    command.option("--arch", options->arch, "Only blackhole or wormhole").value_name("A");
    command.flag("--markdown", options->markdown, "All of it as a page: docs/reference/instructions.md");
    command.flag("--json", options->json, "As JSON");
    command.footer(
        "Values' names may stand in .tts: STALLWAIT block=math wait=unpack0.\n"
        "Example: tessera isa STALLWAIT --arch wormhole");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli

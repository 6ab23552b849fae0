// SPDX-License-Identifier: Apache-2.0
#include "diff/operand_changes.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "tessera/assembly.hpp"
#include "tessera/number.hpp"

namespace tessera::diff {

namespace {

struct Named {
    std::string_view name;
    std::vector<std::pair<std::string_view, std::string_view>> operands;

    std::string_view value(std::string_view operand) const {
        const auto found =
            std::find_if(operands.begin(), operands.end(), [&](const auto& one) { return one.first == operand; });
        return found == operands.end() ? std::string_view("0") : found->second;
    }
};

/// "NAME operand=value operand=value".
Named parse(std::string_view text) {
    Named named;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t equals = word.find('=');
        if (named.name.empty())
            named.name = word;
        else if (equals != word.npos)
            named.operands.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    return named;
}

}  // namespace

std::vector<OperandChange> operand_changes(std::uint32_t a, Arch arch_a, std::uint32_t b, Arch arch_b) {
    const std::string a_text = disassemble_named(a, arch_a), b_text = disassemble_named(b, arch_b);
    const Named first = parse(a_text), second = parse(b_text);
    std::vector<OperandChange> changes;
    if (first.name != second.name) return changes;
    if (arch_a == arch_b && first.name == "SETC16" && first.value("setc16_reg") == second.value("setc16_reg")) {
        const auto number = [](std::string_view text) {
            return static_cast<std::uint32_t>(parse_number(text).value_or(0));
        };
        changes = field_changes(RegisterSpace::thread, number(first.value("setc16_reg")),
                                number(first.value("setc16_value")), number(second.value("setc16_value")), arch_a);
        if (!changes.empty()) return changes;
    }
    const auto compare = [&](std::string_view operand) {
        const std::string_view old = first.value(operand), now = second.value(operand);
        const bool known =
            std::any_of(changes.begin(), changes.end(), [&](const auto& one) { return one.name == operand; });
        if (old != now && !known) changes.push_back({std::string(operand), std::string(old), std::string(now)});
    };
    for (const auto& [operand, value] : first.operands) compare(operand);
    for (const auto& [operand, value] : second.operands) compare(operand);
    return changes;
}

std::vector<OperandChange> field_changes(RegisterSpace space, unsigned addr32, std::uint32_t a, std::uint32_t b,
                                         Arch arch) {
    std::vector<OperandChange> changes;
    const auto old = decode_register(space, addr32, a, arch), now = decode_register(space, addr32, b, arch);
    if (!old || !now) return changes;
    for (std::size_t i = 0; i < old->size() && i < now->size(); ++i)
        if ((*old)[i].value != (*now)[i].value)
            changes.push_back({std::string((*old)[i].field.name), (*old)[i].text, (*now)[i].text});
    return changes;
}

}  // namespace tessera::diff

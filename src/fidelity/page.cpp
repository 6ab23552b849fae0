// SPDX-License-Identifier: Apache-2.0
// Generates docs/reference/fidelity.md.
#include <fmt/format.h>

#include "tessera/fidelity.hpp"

namespace tessera {

namespace {

constexpr std::string_view introduction = R"(# Fidelity

How far each mode of each instruction can be relied on. Made by `tessera fidelity --markdown` from the declarations of operands and
fields, from what a plan says of a mode, and from the cases in `tests/golden`.

- **equal**: all cases recorded from the vendor's simulator that have the mode end in the same state, and one, which is named,
  no longer does when the instructions that have it are replaced by NOPs.
- **document**: it follows what a document says. Where a case that was made from the text has it, that case is named; "refused"
  is a fault with that code, where the document knows no result.
- **decided**: documents leave it open or contradict each other; the finding that says so, and its source.
- **unsupported**: a fault, with the reason.

A mode is the value of an operand or of a field of configuration, or of two of them together. Modes of one setting are told
one by one, not in all combinations.

*Time*: what the instruction's cycles rest on. *measured*: rows of [silicon](../silicon.md), in which a chip took as long; *document*:
a page gives them; *assumed*: neither.
)";

std::string describe(const FidelityLine& row) {
    return row.setting.empty() ? std::string("all") : fmt::format("`{}` {}", row.setting, row.value);
}

}  // namespace

std::string fidelity_reference() {
    std::string text(introduction);
    std::string table;
    std::string body;
    for (const Arch arch : all_archs) {
        const auto lines = fidelity_of(arch);
        const FidelityCounts n = count_by_level(lines, arch);
        table += fmt::format("| {} | {} | {} | {} | {} |\n", name(arch), n[0], n[1], n[2], n[3]);
        std::string_view instruction;
        const auto rows = with_joined_values(lines);
        for (const auto& row : rows) {
            if (instruction != row.instruction)
                body += fmt::format("\n## {} ({})\n\nTime: {}.\n\n| form | mode | level | basis |\n|---|---|---|---|\n",
                                    row.instruction, name(arch), row.time);
            instruction = row.instruction;
            body += fmt::format("| {} | {} | {} | {} |\n", row.form, describe(row), name(row.level), row.basis);
        }
    }
    text += "\n| | equal | document | decided | unsupported |\n|---|---|---|---|---|\n";
    return text + table + body;
}

}  // namespace tessera

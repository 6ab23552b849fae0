// SPDX-License-Identifier: Apache-2.0
#include "reports/fidelity_lines.hpp"

#include "reports/table.hpp"

namespace tessera::cli {

namespace {

/// The cut keeps a line of the table readable; values are separated by "; ".
std::vector<std::string> wrapped(std::string text) {
    constexpr std::size_t most = 48;
    std::vector<std::string> lines;
    while (text.size() > most) {
        std::size_t end = text.rfind("; ", most);
        if (end == text.npos) end = text.find("; ");
        if (end == text.npos) break;
        lines.push_back(text.substr(0, end + 1));
        text.erase(0, end + 2);
    }
    lines.push_back(std::move(text));
    return lines;
}

}  // namespace

std::string fidelity_table(const std::vector<FidelityLine>& lines) {
    Table table{"arch", "form", "setting", "level", "value", "time", "basis"};
    for (const auto& row : with_joined_values(lines)) {
        const std::vector<std::string> values = wrapped(row.value);
        table.add({std::string(name(row.arch)), row.form, row.setting, std::string(name(row.level)), values.front(),
                   row.time, row.basis});
        for (std::size_t i = 1; i < values.size(); ++i) table.add({"", "", "", "", values[i], "", ""});
    }
    return table.text() +
           "\nequal: the state is that of the vendor's simulator, in recorded cases; document: it follows a document;\n"
           "decided: documents are silent or disagree, and docs/internals/spec-notes.md has the decision;\n"
           "unsupported: a run ends with a fault\n"
           "time: what the instruction's cycles rest on; measured: rows of docs/silicon.md\n";
}

}  // namespace tessera::cli

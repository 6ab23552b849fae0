// SPDX-License-Identifier: Apache-2.0
#include "reports/fidelity_lines.hpp"

#include "reports/table.hpp"

namespace tessera::cli {

std::string fidelity_table(const std::vector<FidelityLine>& lines) {
    Table table{"arch", "form", "setting", "value", "level", "basis"};
    for (const auto& row : with_joined_values(lines))
        table.add(
            {std::string(name(row.arch)), row.form, row.setting, row.value, std::string(name(row.level)), row.basis});
    return table.text();
}

}  // namespace tessera::cli

// SPDX-License-Identifier: Apache-2.0
#include "reports/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::cli {

Table::Table(const std::vector<std::string>& headings) {
    std::vector<std::string> first;
    for (const std::string& heading : headings) {
        right_.push_back(heading.starts_with('>'));
        first.push_back(heading.substr(right_.back() ? 1 : 0));
    }
    rows_.push_back(std::move(first));
}

void Table::add(std::vector<std::string> cells) {
    cells.resize(right_.size());
    rows_.push_back(std::move(cells));
}

std::string Table::text() const {
    std::vector<std::size_t> widths(right_.size());
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += right_[i] ? fmt::format("  {:>{}}", row[i], widths[i]) : fmt::format("  {:<{}}", row[i], widths[i]);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

}  // namespace tessera::cli

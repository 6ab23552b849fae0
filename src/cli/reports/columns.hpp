// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/table.hpp"

namespace tessera::cli {

/// A table in either form: aligned or Markdown.
class Columns {
public:
    Columns(bool markdown, const std::vector<std::string>& headings) : markdown_(markdown), aligned_(headings) {
        for (const std::string& heading : headings) {
            const bool right = heading.starts_with('>');
            head_ += "| " + heading.substr(right) + " ";
            rule_ += right ? "|--:" : "|---";
        }
    }
    void add(const std::vector<std::string>& cells) {
        if (!markdown_) return aligned_.add(cells);
        for (const std::string& cell : cells) rows_ += cell.empty() ? "| " : "| " + cell + " ";
        rows_ += "|\n";
    }
    std::string text() const { return markdown_ ? head_ + "|\n" + rule_ + "|\n" + rows_ : aligned_.text(); }

private:
    bool markdown_;
    Table aligned_;
    std::string head_, rule_, rows_;
};

}  // namespace tessera::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace tessera::cli {

/// A text table: columns as wide as their widest cell. A heading that starts with '>' is right-aligned.
class Table {
public:
    Table(std::initializer_list<std::string> headings) : Table(std::vector<std::string>(headings)) {}
    explicit Table(const std::vector<std::string>& headings);

    void add(std::vector<std::string> cells);
    std::string text() const;

private:
    std::vector<bool> right_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace tessera::cli

// SPDX-License-Identifier: Apache-2.0
// Counts how often a random comparison has met each expected mode.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::test {

class Coverage {
public:
    /// A mode that must be met, or was.
    void count(std::string_view group, std::string_view mode, bool met = true) { add(group, mode, met, true); }
    /// A mode that was met, and need not be.
    void note(std::string_view group, std::string_view mode) { add(group, mode, true, false); }

    /// Each mode must be met once in `every` of the cases; of fewer than 20,000, at all. Writes `<name>.tsv` to the folder
    /// TESSERA_COVERAGE, when that is set: group, mode, count, of all modes, and the number of cases first.
    void finish(const std::string& name, std::uint64_t cases, std::uint64_t every) const;

private:
    struct Row {
        std::string group, mode;
        std::uint64_t met = 0;
        bool must = false;
    };
    void add(std::string_view group, std::string_view mode, bool met, bool must);

    std::vector<Row> rows_;
    std::map<std::string, std::map<std::string, std::size_t, std::less<>>, std::less<>> index_;
};

}  // namespace tessera::test

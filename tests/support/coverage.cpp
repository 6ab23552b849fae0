// SPDX-License-Identifier: Apache-2.0
#include "support/coverage.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace tessera::test {

namespace {

constexpr std::uint64_t enough_cases = 20'000;  // of fewer, shares say little

}  // namespace

void Coverage::add(std::string_view group, std::string_view mode, bool met, bool must) {
    auto in_group = index_.find(group);
    if (in_group == index_.end()) in_group = index_.try_emplace(std::string(group)).first;
    auto at = in_group->second.find(mode);
    if (at == in_group->second.end()) {
        at = in_group->second.emplace(mode, rows_.size()).first;
        rows_.push_back({std::string(group), std::string(mode)});
    }
    rows_[at->second].met += met;
    rows_[at->second].must |= must;
}

void Coverage::finish(const std::string& name, std::uint64_t cases, std::uint64_t every) const {
    const std::uint64_t least = cases < enough_cases ? 1 : (cases + every - 1) / every;
    for (const auto& row : rows_)
        if (row.must) {
            EXPECT_GE(row.met, least) << name << ": " << row.group << ", " << row.mode;
        }
    const char* folder = std::getenv("TESSERA_COVERAGE");
    if (!folder) return;
    std::ofstream file(std::string(folder) + "/" + name + ".tsv", std::ios::binary);
    file << "cases\t\t" << cases << "\n";
    for (const auto& row : rows_) file << row.group << "\t" << row.mode << "\t" << row.met << "\n";
    EXPECT_TRUE(file.good()) << folder;
}

}  // namespace tessera::test

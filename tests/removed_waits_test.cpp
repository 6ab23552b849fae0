// SPDX-License-Identifier: Apache-2.0
// Findings when an example loses one of its waits, semaphores or hand-overs; docs/internals/removed-waits.md lists
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "support/matmul_example.hpp"
#include "support/removed_waits.hpp"

namespace tessera {
namespace {

using test::ExampleOutcome;
using test::make_example;
using test::Removed;
using test::run_job;

// The table must name every such line of the texts, as often as it stands there, and no other.
TEST(RemovedWaits, TheTableIsComplete) {
    for (const std::string_view name : {"add", "matmul"}) {
        std::set<test::LineKey> in_table;
        std::size_t rows = 0;
        for (const auto& removed : test::removed_waits())
            if (removed.example == name)
                rows += in_table.emplace(removed.file, removed.line, removed.occurrence).second ? 1 : 100;
        EXPECT_EQ(test::ordering_lines(*make_example(name)), in_table) << name;
        EXPECT_EQ(in_table.size(), rows) << name;
    }
}

/// Number of unordered accesses and captures.
std::uint64_t hazards(const Run& run) {
    std::uint64_t count = 0;
    for (const Finding& finding : run.findings)
        if (finding.code.starts_with("hazard.")) count += finding.count;
    return count;
}

class RemovedWait : public testing::TestWithParam<Removed> {};

TEST_P(RemovedWait, IsToldUnlessItIsNotNeeded) {
    const Removed& removed = GetParam();
    const auto example = make_example(removed.example);
    const ExampleOutcome whole = run_job(example->load());
    example->write(removed.file, test::without(example->text(removed.file), removed));
    Job job = example->load();
    const ExampleOutcome outcome = run_job(job);
    EXPECT_EQ(outcome.reported(), removed.reported);
    EXPECT_EQ(removed.reported.empty(), !removed.not_needed.empty());
    if (!removed.reported.empty()) return;
    EXPECT_TRUE(outcome.output == whole.output);
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
        job.options.seed = seed;
        const ExampleOutcome delayed = run_job(job);
        EXPECT_EQ(delayed.reported(), "") << "seed " << seed;
        EXPECT_TRUE(delayed.output == whole.output) << "seed " << seed;
    }
}

// Without the ordering that is said to take its place, a line that is not needed is missed; and the run stays the same.
TEST_P(RemovedWait, IsMissedWithoutWhatOrdersInstead) {
    const Removed& removed = GetParam();
    const auto instead = test::ordering_instead(removed);
    if (!instead) return;
    const auto example = make_example(removed.example);
    Job job = example->load();
    const ExampleOutcome whole = run_job(job);
    job.options.disregard = {*instead};
    const ExampleOutcome disregarded = run_job(job);
    EXPECT_EQ(disregarded.run.cycles, whole.run.cycles);
    EXPECT_TRUE(disregarded.output == whole.output);
    example->write(removed.file, test::without(example->text(removed.file), removed));
    Job mutant = example->load();
    mutant.options.disregard = {*instead};
    EXPECT_GT(hazards(run_job(mutant).run), hazards(disregarded.run));
}

// docs/internals/removed-waits.md is made by scripts/removed_waits; one of its rows for each of the table's.
TEST_P(RemovedWait, IsInTheDocumentAsItIsHere) {
    const Removed& removed = GetParam();
    std::ifstream file(TESSERA_SOURCE_DIR "/docs/internals/removed-waits.md");
    const std::string section = "## [examples/" + std::string(removed.example) + "]";
    const std::string start = "| " + std::string(removed.file) + ":";
    std::string what = " `" + std::string(removed.line) + "`";
    if (const std::size_t at = what.find('|'); at != what.npos) what.insert(at, "\\");  // else a cell would end there
    int seen = 0;
    bool here = false;
    for (std::string row; std::getline(file, row);) {
        if (row.starts_with("## ")) here = row.starts_with(section);
        if (!here || !row.starts_with(start) || row.find(what) == row.npos || ++seen != removed.occurrence) continue;
        const std::string reported = removed.reported.empty() ? "nothing" : std::string(removed.reported);
        EXPECT_NE(row.find(" | " + reported + " | "), row.npos) << row;
        EXPECT_TRUE(row.ends_with("| " + std::string(removed.not_needed) + " |")) << row;
    }
    EXPECT_GE(seen, removed.occurrence);
}

// removed-waits-of-all.md is made by scripts/removed_waits_of_all: a reason for each mutant that is still ordered, none silent.
TEST(RemovedWaitsOfAll, EachHasAReason) {
    std::ifstream file(TESSERA_SOURCE_DIR "/docs/internals/removed-waits-of-all.md");
    std::map<std::string, int> still_ordered, with_reason, of_kind;
    int kinds = 0, silent = -1;
    for (std::string row; std::getline(file, row);) {
        std::vector<std::string> cells;
        for (std::size_t at = 2; row.starts_with("| ") && at < row.size();) {
            const std::size_t end = row.find(" | ", at), last = row.size() - 2;
            cells.push_back(row.substr(at, std::min(end, last) - at));
            at = end == row.npos ? row.size() : end + 3;
        }
        if (cells.empty() || cells[0] == "job" || cells[0] == "because of") continue;
        if (cells.size() == 10 && cells[0] == "**all**") silent = std::stoi(cells[8]);
        if (cells[0] == "**all**") continue;
        if (cells.size() == 10) still_ordered[cells[0]] = std::stoi(cells[7]);
        if (cells.size() == 2) kinds += of_kind[cells[0]] = std::stoi(cells[1]);
        if (cells.size() != 4) continue;
        EXPECT_FALSE(cells[3].empty()) << row;
        EXPECT_TRUE(of_kind.count(cells[2])) << row;
        ++with_reason[cells[0]];
        --of_kind[cells[2]];
    }
    EXPECT_EQ(silent, 0);
    EXPECT_GT(kinds, 100);
    for (const auto& [job, count] : still_ordered) EXPECT_EQ(with_reason[job], count) << job;
    for (const auto& [kind, left] : of_kind) EXPECT_EQ(left, 0) << kind;
}

std::string test_name(const testing::TestParamInfo<Removed>& info) {
    const auto& removed = info.param;
    std::string name;
    const auto where = std::string(removed.example) + "_" + std::string(removed.file) + "_" +
                       std::string(removed.line) + "_" + std::to_string(info.index);
    for (const char c : where) {
        if (std::isalnum(static_cast<unsigned char>(c)))
            name += c;
        else if (name.back() != '_')
            name += '_';
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(Examples, RemovedWait,
                         testing::ValuesIn(test::removed_waits().begin(), test::removed_waits().end()), test_name);

}  // namespace
}  // namespace tessera

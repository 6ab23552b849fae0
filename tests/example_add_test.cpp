// SPDX-License-Identifier: Apache-2.0
// examples/add: its sums bit for bit, under any delays, and what is told when one of its waits is taken away.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "reference/numerics.hpp"
#include "support/add_example.hpp"

namespace tessera {
namespace {

using test::AddExample;
using test::AddOutcome;
using test::run_job;

Job load(const AddExample& example) {
    auto job = load_job(example.job());
    if (!job) throw std::runtime_error(job.error().describe());
    job->options.max_cycles = 200'000;
    return std::move(*job);
}

std::vector<std::uint16_t> words(const std::vector<std::byte>& bytes) {
    std::vector<std::uint16_t> list(bytes.size() / 2);
    std::memcpy(list.data(), bytes.data(), bytes.size());
    return list;
}

std::vector<std::uint16_t> bf16(const Matrix& matrix) {
    return words(to_bytes(matrix, DataFormat::Float16_b, Layout::tiles).value());
}

TEST(ExampleAdd, EverySumIsTheReferences) {
    const AddExample example;
    const Job job = load(example);
    const AddOutcome outcome = run_job(job);
    EXPECT_EQ(outcome.told(), "") << (outcome.run.fault ? outcome.run.fault->describe() : "");

    const auto a = bf16(example.picture()), b = bf16(example.brighten()), sum = words(outcome.sum);
    ASSERT_EQ(sum.size(), AddExample::rows * AddExample::cols);
    for (std::size_t i = 0; i < sum.size(); ++i) {
        // A BF16 in the source registers is a TF32 whose mantissa ends in three zeros.
        const auto expected = reference::elwadd(a[i] << 3u, b[i] << 3u, 0, {}) >> 16;
        ASSERT_EQ(sum[i], expected) << std::hex << a[i] << " + " << b[i] << ", datum " << std::dec << i;
    }
}

// A mistake that both implementations share would be far from the true sum.
TEST(ExampleAdd, EverySumIsNearTheTrueOne) {
    const AddExample example;
    const Job job = load(example);
    const auto& output = job.outputs[0];
    const auto got = from_bytes(run_job(job).sum, output.rows, output.cols, output.format, output.layout);
    ASSERT_TRUE(got);
    auto rounded = [&](const Matrix& m) {
        const auto bytes = to_bytes(m, output.format, output.layout).value();
        return from_bytes(bytes, output.rows, output.cols, output.format, output.layout).value().values;
    };
    const auto a = rounded(example.picture()), b = rounded(example.brighten());
    for (std::size_t i = 0; i < got->values.size(); ++i) {
        const float sum = a[i] + b[i], larger = std::max(std::abs(a[i]), std::abs(b[i]));
        // The sum has 8 significant bits; the smaller addend is aligned to 11 bits of the larger.
        ASSERT_NEAR(got->values[i], sum, std::abs(sum) / 256 + larger / 2048) << a[i] << " + " << b[i];
    }
}

TEST(ExampleAdd, NoDelayChangesABit) {
    const AddExample example;
    Job job = load(example);
    const AddOutcome calm = run_job(job);
    std::set<std::uint64_t> cycles;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        job.options.seed = seed;
        const AddOutcome outcome = run_job(job);
        ASSERT_EQ(outcome.told(), "") << "seed " << seed;
        ASSERT_TRUE(outcome.sum == calm.sum) << "seed " << seed;
        cycles.insert(outcome.run.cycles);
    }
    EXPECT_GT(cycles.size(), 50u);  // else the seeds delay nothing
}

/// A line without which something is told, or which is not needed, for a reason.
struct Removed {
    std::string_view file;
    std::string_view line;
    int occurrence;  ///< of that text in the file, from 1
    std::string_view told;
    std::string_view not_needed{};
};

constexpr std::string_view interlock = "a written 8x16 block of Dst is held back from the packers";
constexpr std::string_view implied =
    "the first wait for MATH_PACK implies it: T1 posts only after it has waited for T0";

constexpr Removed removals[] = {
    {"unpack.tts", "STALLWAIT stall_res=0x1FF wait_res=1<<10", 1, "hazard.config-store"},
    {"unpack.tts", "SEMPOST sem_sel=MATH_READY|PACK_READY", 1, "deadlock"},
    {"unpack.tts", "UNPACR Unpack_block_selection=0 AddrMode=1 SetDatValid=1 Last=1", 1, "deadlock"},
    {"unpack.tts", "UNPACR Unpack_block_selection=1 AddrMode=1 SetDatValid=1 Last=1", 1, "deadlock"},
    {"math.tts", "SEMWAIT stall_res=BLOCK_MATH_AND_SYNC sem_sel=MATH_READY wait_sem_cond=1", 1, "hazard.config-store"},
    {"math.tts", "SEMWAIT stall_res=BLOCK_MATH_AND_SYNC sem_sel=MATH_PACK wait_sem_cond=2", 1, "hazard.dst"},
    {"math.tts", "SEMWAIT stall_res=BLOCK_MATH_AND_SYNC sem_sel=MATH_PACK wait_sem_cond=2", 2, "hazard.dst"},
    {"math.tts", "ELWADD addr_mode=1 clear_dvalid=3", 1, "deadlock"},
    {"math.tts", "ELWADD addr_mode=1 clear_dvalid=3", 2, "deadlock"},
    {"math.tts", "STALLWAIT stall_res=1<<1 wait_res=1<<4", 1, "", interlock},
    {"math.tts", "STALLWAIT stall_res=1<<1 wait_res=1<<4", 2, "", interlock},
    {"math.tts", "SEMPOST sem_sel=MATH_PACK", 1, "deadlock, hazard.dst"},
    {"math.tts", "SEMPOST sem_sel=MATH_PACK", 2, "deadlock, hazard.dst"},
    {"pack.tts", "SEMWAIT stall_res=BLOCK_PACK_AND_SYNC sem_sel=PACK_READY wait_sem_cond=1", 1, "", implied},
    {"pack.tts", "SEMWAIT stall_res=BLOCK_PACK_AND_SYNC sem_sel=MATH_PACK wait_sem_cond=1", 1, "hazard.dst"},
    {"pack.tts", "SEMWAIT stall_res=BLOCK_PACK_AND_SYNC sem_sel=MATH_PACK wait_sem_cond=1", 2, "hazard.dst"},
    {"pack.tts", "STALLWAIT stall_res=1<<1 wait_res=1<<3", 1, "hazard.dst"},
    {"pack.tts", "STALLWAIT stall_res=1<<1 wait_res=1<<3", 2, "hazard.dst"},
    {"pack.tts", "SEMGET sem_sel=MATH_PACK", 1, "deadlock, hazard.dst"},
    {"pack.tts", "SEMGET sem_sel=MATH_PACK", 2, "deadlock, hazard.dst"},
};

std::string_view trimmed(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// Lines that wait, post, get or hand over.
bool orders(std::string_view line) {
    for (const std::string_view name : {"STALLWAIT ", "SEMWAIT ", "SEMPOST ", "SEMGET "})
        if (line.starts_with(name)) return true;
    return !line.starts_with('#') &&
           (line.find(" clear_dvalid=3") != line.npos || line.find(" SetDatValid=1") != line.npos);
}

/// The line without what it orders: a hand-over only loses that operand.
std::string without_order(std::string_view line) {
    for (const std::string_view operand : {" clear_dvalid=3", " SetDatValid=1"})
        if (const std::size_t at = line.find(operand); at != line.npos)
            return std::string(line.substr(0, at)) + std::string(line.substr(at + operand.size()));
    return {};
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

/// The text without what the n-th such line orders.
std::string without(const std::string& text, const Removed& removed) {
    auto lines = split(text);
    int seen = 0;
    for (auto& line : lines)
        if (trimmed(line) == removed.line && ++seen == removed.occurrence) line = without_order(line);
    std::string result;
    for (const auto& line : lines) result += line + '\n';
    return result;
}

// The table must name every such line of the texts, as often as it stands there, and no other.
TEST(ExampleAdd, TheTableOfRemovedWaitsIsComplete) {
    const AddExample example;
    using Key = std::tuple<std::string, std::string, int>;
    std::set<Key> in_texts, in_table;
    for (const auto file : AddExample::files) {
        std::map<std::string, int> seen;
        for (const auto& line : split(example.text(file)))
            if (const std::string key(trimmed(line)); orders(key)) in_texts.emplace(file, key, ++seen[key]);
    }
    for (const auto& removed : removals) in_table.emplace(removed.file, removed.line, removed.occurrence);
    EXPECT_EQ(in_texts, in_table);
    EXPECT_EQ(in_table.size(), std::size(removals));
}

class RemovedWait : public testing::TestWithParam<Removed> {};

TEST_P(RemovedWait, IsToldUnlessItIsNotNeeded) {
    const Removed& removed = GetParam();
    const AddExample example;
    Job job = load(example);
    const AddOutcome whole = run_job(job);
    example.write(removed.file, without(example.text(removed.file), removed));
    job = load(example);
    const AddOutcome outcome = run_job(job);
    EXPECT_EQ(outcome.told(), removed.told);
    EXPECT_EQ(removed.told.empty(), !removed.not_needed.empty());
    if (!removed.told.empty()) return;
    EXPECT_TRUE(outcome.sum == whole.sum);
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
        job.options.seed = seed;
        const AddOutcome delayed = run_job(job);
        EXPECT_EQ(delayed.told(), "") << "seed " << seed;
        EXPECT_TRUE(delayed.sum == whole.sum) << "seed " << seed;
    }
}

// docs/removed-waits.md is made by scripts/removed_waits; one of its rows for each of the table's.
TEST_P(RemovedWait, IsInTheDocumentAsItIsHere) {
    const Removed& removed = GetParam();
    std::ifstream file(TESSERA_SOURCE_DIR "/docs/removed-waits.md");
    const std::string start = "| " + std::string(removed.file) + ":";
    std::string what = " `" + std::string(removed.line) + "`";
    if (const std::size_t at = what.find('|'); at != what.npos) what.insert(at, "\\");  // else a cell would end there
    int seen = 0;
    for (std::string row; std::getline(file, row);) {
        if (!row.starts_with(start) || row.find(what) == row.npos || ++seen != removed.occurrence) continue;
        const std::string told = removed.told.empty() ? "nothing" : std::string(removed.told);
        EXPECT_NE(row.find(" | " + told + " | "), row.npos) << row;
        EXPECT_TRUE(row.ends_with("| " + std::string(removed.not_needed) + " |")) << row;
    }
    EXPECT_GE(seen, removed.occurrence);
}

std::string test_name(const testing::TestParamInfo<Removed>& info) {
    const auto& removed = info.param;
    std::string name;
    const auto where = std::string(removed.file) + "_" + std::string(removed.line) + "_" + std::to_string(info.index);
    for (const char c : where) {
        if (std::isalnum(static_cast<unsigned char>(c)))
            name += c;
        else if (name.back() != '_')
            name += '_';
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(ExampleAdd, RemovedWait, testing::ValuesIn(removals), test_name);

}  // namespace
}  // namespace tessera

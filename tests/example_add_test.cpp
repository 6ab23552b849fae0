// SPDX-License-Identifier: Apache-2.0
// examples/add: its sums bit for bit, under any delays.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "reference/numerics.hpp"
#include "support/add_example.hpp"

namespace tessera {
namespace {

using test::AddExample;
using test::ExampleOutcome;
using test::run_job;

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
    const Job job = example.load();
    const ExampleOutcome outcome = run_job(job);
    EXPECT_EQ(outcome.reported(), "") << (outcome.run.fault ? outcome.run.fault->describe() : "");

    const auto a = bf16(example.picture()), b = bf16(example.brighten()), sum = words(outcome.output);
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
    const Job job = example.load();
    const auto& output = job.outputs[0];
    const auto got = from_bytes(run_job(job).output, output.rows, output.cols, output.format, output.form);
    ASSERT_TRUE(got);
    auto rounded = [&](const Matrix& m) {
        const auto bytes = to_bytes(m, output.format, output.form).value();
        return from_bytes(bytes, output.rows, output.cols, output.format, output.form).value().values;
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
    Job job = example.load();
    const ExampleOutcome calm = run_job(job);
    std::set<std::uint64_t> cycles;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        job.options.seed = seed;
        const ExampleOutcome outcome = run_job(job);
        ASSERT_EQ(outcome.reported(), "") << "seed " << seed;
        ASSERT_TRUE(outcome.output == calm.output) << "seed " << seed;
        cycles.insert(outcome.run.cycles);
    }
    EXPECT_GT(cycles.size(), 50u);  // else the seeds delay nothing
}

}  // namespace
}  // namespace tessera

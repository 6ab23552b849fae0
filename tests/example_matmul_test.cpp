// SPDX-License-Identifier: Apache-2.0
// examples/matmul: its products bit for bit in every fidelity, under any delays, and the matrix unit's utilisation.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "reference/numerics.hpp"
#include "reference/pack_numerics.hpp"
#include "support/matmul_example.hpp"

namespace tessera {
namespace {

using test::ExampleOutcome;
using test::MatmulExample;
using test::run_job;

constexpr std::size_t rows = MatmulExample::rows, cols = MatmulExample::cols, depth = MatmulExample::depth;
constexpr std::uint64_t blocks = rows / 32 * (cols / 32) * (depth / 32);  // 32x32 tiles times 32x32 tiles
constexpr std::uint64_t mvmuls_per_phase = 16;

Job load(const MatmulExample& example, unsigned phases) { return example.load({{"PHASES", phases}}); }

/// Row-major BF16 patterns.
std::vector<std::uint16_t> bf16(const Matrix& matrix) {
    const auto bytes = to_bytes(matrix, DataFormat::Float16_b, Layout::rows).value();
    std::vector<std::uint16_t> words(bytes.size() / 2);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

Matrix product(const ExampleOutcome& outcome, const Job& job) {
    const auto& output = job.outputs.at(0);
    return from_bytes(outcome.output, output.rows, output.cols, output.format, output.form).value();
}

/// Expected final value of an element in Dst. Order of the sum: tiles, then phases, then the left half of A's tile with
/// the upper half of B's before the others, as in the sixteen MVMULs.
std::uint32_t dst_element(const std::vector<std::uint16_t>& a, const std::vector<std::uint16_t>& b, std::size_t row,
                          std::size_t col, unsigned phases) {
    std::uint32_t dst = 0;
    for (std::size_t tile = 0; tile < depth; tile += 32)
        for (unsigned phase = 0; phase < phases; ++phase)
            for (std::size_t face = tile; face < tile + 32; face += 16) {
                std::array<std::uint32_t, 16> from_b{}, from_a{};  // a BF16 is a TF32 whose mantissa ends in zeros
                for (std::size_t i = 0; i < 16; ++i) {
                    from_a[i] = a[row * depth + face + i] << 3u;
                    from_b[i] = b[(face + i) * cols + col] << 3u;
                }
                reference::MathMode how;
                how.acc32 = true;
                how.phase = phase;
                dst = reference::mvmul(from_b, from_a, dst, how);
            }
    return dst;
}

std::uint16_t packed(std::uint32_t dst) {
    reference::Conversions how;
    how.Read_32b_data = true;
    how.IntermediateFormat = how.LateFromFormat = how.LateToFormat = reference::BF16;
    how.Blackhole = true;
    const auto intermediate = reference::EarlyFormatConversion(how, reference::WriteDstFP32(dst));
    return static_cast<std::uint16_t>(reference::LateFormatConversion(how, intermediate.value()).value());
}

class Fidelity : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(ExampleMatmul, Fidelity, testing::Values(1u, 2u, 3u, 4u));

TEST_P(Fidelity, EveryElementIsTheReferences) {
    const MatmulExample example;
    const Job job = load(example, GetParam());
    const ExampleOutcome outcome = run_job(job);
    EXPECT_EQ(outcome.reported(), "") << (outcome.run.fault ? outcome.run.fault->describe() : "");
    const auto a = bf16(example.a()), b = bf16(example.b()), c = bf16(product(outcome, job));
    ASSERT_EQ(c.size(), rows * cols);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t col = 0; col < cols; ++col)
            ASSERT_EQ(c[row * cols + col], packed(dst_element(a, b, row, col, GetParam()))) << row << ", " << col;
}

// A mistake that both implementations share would be far from the true product.
TEST_P(Fidelity, EveryElementIsNearTheTrueOne) {
    const MatmulExample example;
    const Job job = load(example, GetParam());
    const Matrix got = product(run_job(job), job);
    const auto a = bf16(example.a()), b = bf16(example.b());
    auto value = [](std::uint16_t bits) {
        const std::uint32_t word = std::uint32_t{bits} << 16;
        float result;
        std::memcpy(&result, &word, sizeof result);
        return static_cast<double>(result);
    };
    // Bits omitted by a phase: 3 of A's 8 bits beyond SrcA's upper 5, 1 of B's beyond SrcB's upper 7.
    const double left_out[] = {1.0 / 16 + 1.0 / 64, 1.0 / 64, 1.0 / 1024, 0};
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t col = 0; col < cols; ++col) {
            double sum = 0, magnitudes = 0, largest = 0;
            for (std::size_t k = 0; k < depth; ++k) {
                const double term = value(a[row * depth + k]) * value(b[k * cols + col]);
                sum += term;
                magnitudes += std::abs(term);
                largest = std::max(largest, std::abs(term));
            }
            // Products are aligned to ten bits below the largest of eight; the result has eight significant bits.
            const double most =
                magnitudes * left_out[GetParam() - 1] + 4 * depth * largest / 2048 + std::abs(sum) / 256;
            ASSERT_NEAR(got.values[row * cols + col], sum, most) << row << ", " << col;
        }
}

TEST_P(Fidelity, NoDelayChangesABit) {
    const MatmulExample example;
    Job job = load(example, GetParam());
    const ExampleOutcome calm = run_job(job);
    std::set<std::uint64_t> cycles;
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
        job.options.seed = seed;
        const ExampleOutcome outcome = run_job(job);
        ASSERT_EQ(outcome.reported(), "") << "seed " << seed;
        ASSERT_TRUE(outcome.output == calm.output) << "seed " << seed;
        cycles.insert(outcome.run.cycles);
    }
    EXPECT_GT(cycles.size(), 12u);  // else the seeds delay nothing
}

TEST_P(Fidelity, NothingIsFoundAtAll) {
    const MatmulExample example;
    EXPECT_TRUE(run_job(load(example, GetParam())).run.findings.empty());
}

// Steady state: from the first MVMUL to the last, the math thread's cycles are its MVMULs, what else it issues, and its
// waits; the rest of the block's cycles over the floor is named.
TEST_P(Fidelity, TheMatrixUnitIsBusy) {
    const MatmulExample example;
    Job job = load(example, GetParam());
    job.options.window = "MVMUL";
    const auto window = run_job(job).run.window;
    ASSERT_TRUE(window);
    const std::uint64_t floor = mvmuls_per_phase * GetParam();
    EXPECT_EQ(window->count, blocks * floor);
    std::uint64_t named = 0, multiplying = 0;
    for (const ThreadUse& use : window->threads) {
        if (use.thread != 1) continue;
        (!use.waiting && use.what == "matrix" ? multiplying : named) += use.cycles;
    }
    EXPECT_EQ(multiplying, blocks * floor);
    EXPECT_EQ(multiplying + named, window->cycles);
    // In LoFi the unpackers, which bring three tiles of 2 KiB for two blocks and share 128 bytes per cycle, are the slower
    // ones: 24 cycles for a block's 16 MVMULs. In HiFi2 a tile of B and one of A come at the same time, 32 cycles each,
    // while the matrix unit multiplies for 32 cycles.
    constexpr std::uint64_t most_named[] = {14, 6, 2, 2}, least_busy[] = {60, 90, 95, 95};
    EXPECT_LT(named, blocks * most_named[GetParam() - 1]);
    std::map<std::string, std::uint64_t> busy;
    for (const UnitUse& unit : window->units) busy[unit.unit] = unit.busy;
    EXPECT_GT(busy["matrix"] * 100, window->cycles * least_busy[GetParam() - 1]);
}

// The halves of Dst are what lets the packer work while the matrix unit does.
TEST(ExampleMatmul, ThePackerWorksWhileTheMatrixUnitDoes) {
    const MatmulExample example;
    Job job = load(example, 4);
    std::uint64_t last_mvmul = 0, packed_before = 0;
    job.options.on_event = [&](const Event& event) {
        if (event.instruction.starts_with("ttmvmul")) last_mvmul = std::max(last_mvmul, event.start);
    };
    run_job(job);
    job.options.on_event = [&](const Event& event) {
        packed_before += event.instruction.starts_with("ttpacr") && event.start < last_mvmul;
    };
    run_job(job);
    EXPECT_EQ(packed_before, 3u * 2 * 16);  // three of four halves, of two tiles
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// examples/picture, examples/weights, examples/accumulate: under any delays, L1 equals the output of tensor/, or the
// sums of floats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/example.hpp"

namespace tessera::test {
namespace {

using F = DataFormat;

constexpr unsigned seeds = 10;

Matrix random_matrix(std::size_t rows, std::size_t cols, unsigned seed) {
    std::mt19937 random(seed);
    Matrix matrix{rows, cols, std::vector<float>(rows * cols)};
    for (float& value : matrix.values)
        value = std::ldexp(static_cast<float>(random() % 0x1000000) - 0x800000, static_cast<int>(random() % 6) - 26);
    return matrix;
}

/// Without delays, then with those of some seeds: the same each time, and no finding above info.
class Runs {
public:
    explicit Runs(Job job) {
        for (unsigned seed = 0; seed <= seeds; ++seed) {
            if (seed) job.options.seed = seed;
            Core core = prepare(job).value();
            ExampleOutcome outcome{core.run(job.program, job.options).value(), {}};
            EXPECT_EQ(outcome.reported(), "") << "seed " << seed;
            auto l1 = core.read_l1(0, l1_bytes).value();
            EXPECT_TRUE(seed == 0 || l1 == l1_) << "seed " << seed;
            l1_ = std::move(l1);
        }
    }
    std::vector<std::byte> at(std::size_t address, std::size_t bytes) const {
        const auto first = l1_.begin() + static_cast<std::ptrdiff_t>(address);
        return {first, first + static_cast<std::ptrdiff_t>(bytes)};
    }

private:
    static constexpr std::size_t l1_bytes = 1536 * 1024;
    std::vector<std::byte> l1_;
};

TEST(ExamplePicture, IsCutCompressedAndBack) {
    constexpr std::size_t rows = 342, cols = 372;
    const Example example("picture");
    Matrix picture = random_matrix(352, 384, 1);
    example.write_input("picture", picture);
    const Runs runs(example.load());
    for (std::size_t row = 0, i = 0; row < picture.rows; ++row)
        for (std::size_t column = 0; column < picture.cols; ++column, ++i)
            if (row >= rows || column >= cols || picture.values[i] < 0) picture.values[i] = 0;
    TensorForm form;
    form.compressed = true;
    form.row_datums = 64;
    const auto compressed = to_bytes(picture, F::Float16_b, form).value();
    EXPECT_EQ(runs.at(0x60000, compressed.size()), compressed);
    const auto back = to_bytes(picture, F::Float16_b, Layout::tiles).value();
    EXPECT_EQ(runs.at(0x100000, back.size()), back);
}

struct WeightFormat {
    F format;
    std::int64_t exponents, from, wide;
};

class ExampleWeights : public testing::TestWithParam<WeightFormat> {};

TEST_P(ExampleWeights, AreWhatTheDeviceRoundsThemTo) {
    const auto& [format, exponents, from, wide] = GetParam();
    const Example example("weights");
    const Matrix weights = random_matrix(96, 64, 2);
    example.write_input("weights", weights);
    const bool e4m3 = format == F::Fp8_e4m3;
    const auto size = tensor_bytes(96, 64, format, Layout::tiles).value();
    const Runs runs(example.load({{"FORMAT", static_cast<std::int64_t>(hardware_format(format))},
                                  {"TILE_BYTES", static_cast<std::int64_t>(size / 6)},
                                  {"EXPONENTS", exponents},
                                  {"FROM", from},
                                  {"WIDE", wide},
                                  {"E4M3", e4m3}}));
    const auto quantised = runs.at(0x20000, size);
    if (!e4m3) {
        TensorForm form;
        form.rounding = Rounding::device;
        EXPECT_EQ(quantised, to_bytes(weights, format, form).value());
    }
    const auto meant = from_bytes(quantised, 96, 64, format, Layout::tiles).value();
    const auto back = from_bytes(runs.at(0x30000, 6 * 4096), 96, 64, F::Float32, Layout::tiles).value();
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
        // Denormals of five-bit exponents come back as denormals of eight.
        const bool denormal = wide == 1 && std::abs(meant.values[i]) < (e4m3 ? 0x1p-6f : 0x1p-14f);
        EXPECT_TRUE(denormal || back.values[i] == meant.values[i]) << i;
        if (!e4m3) continue;
        const float value = weights.values[i], unit = std::ldexp(1.0f, std::max(-6, std::ilogb(value) - 3));
        ASSERT_LE(std::abs(back.values[i] - value), unit);
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, ExampleWeights,
                         testing::Values(WeightFormat{F::Float16_b, 0, 0, 5}, WeightFormat{F::Bfp8_b, 4, 0, 5},
                                         WeightFormat{F::Bfp4_b, 4, 0, 5}, WeightFormat{F::Bfp2_b, 4, 0, 5},
                                         WeightFormat{F::Lf8, 0, 0, 1}, WeightFormat{F::Fp8_e4m3, 0, 1, 1}),
                         [](const auto& format) { return std::string(name(format.param.format)); });

class ExampleAccumulate : public testing::TestWithParam<std::int64_t> {
protected:
    std::vector<float> sums(std::int64_t add) const {
        const Example example("accumulate");
        example.write_input("a", random_matrix(32, 256, 3));
        example.write_input("b", random_matrix(256, 32, 4));
        const Runs runs(example.load({{"IN_DST", GetParam()}, {"ADD", add}}));
        return from_bytes(runs.at(0x10000, 8 * 4096), 256, 32, F::Float32, Layout::tiles).value().values;
    }
};

// The packer adds as floats do: one rounding to nearest even per sum.
TEST_P(ExampleAccumulate, ThePackerAddsAsFloatsDo) {
    const auto addends = sums(0), got = sums(1);
    for (std::size_t i = 0; i < 1024; ++i) {
        float sum = addends[i];
        for (std::size_t k = 1; k < 8 / static_cast<std::size_t>(GetParam()); ++k) sum += addends[1024 * k + i];
        ASSERT_EQ(got[i], sum) << i;
    }
}

TEST_P(ExampleAccumulate, SumsAreNearTheTrueOnes) {
    const auto got = sums(1);
    const auto bf16 = [](const Matrix& matrix) {
        const auto bytes = to_bytes(matrix, F::Float16_b, Layout::rows).value();
        return from_bytes(bytes, matrix.rows, matrix.cols, F::Float16_b, Layout::rows).value().values;
    };
    const auto a = bf16(random_matrix(32, 256, 3)), b = bf16(random_matrix(256, 32, 4));
    for (std::size_t row = 0; row < 32; ++row)
        for (std::size_t column = 0; column < 32; ++column) {
            double sum = 0, magnitudes = 0;
            for (std::size_t k = 0; k < 256; ++k) {
                const double term = static_cast<double>(a[row * 256 + k]) * static_cast<double>(b[k * 32 + column]);
                sum += term;
                magnitudes += std::abs(term);
            }
            // Products are aligned to ten bits below the largest of eight.
            ASSERT_NEAR(got[row * 32 + column], sum, magnitudes / 256);
        }
}

INSTANTIATE_TEST_SUITE_P(InDst, ExampleAccumulate, testing::Values(1, 2, 4, 8));

}  // namespace
}  // namespace tessera::test

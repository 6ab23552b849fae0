// SPDX-License-Identifier: Apache-2.0
// Pools over arrays, and errors of functions over arrays.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "support/array_job.hpp"
#include "support/array_modes.hpp"
#include "tessera/arrays.hpp"

namespace tessera {
namespace {

using test::ArrayJob;
using test::random_array;

/// The first rows of a tile.
Matrix top(const Matrix& tile, std::size_t rows) {
    Matrix result{rows, 32, {tile.values.begin(), tile.values.begin() + static_cast<std::ptrdiff_t>(rows * 32)}};
    if (!tile.integers.empty())
        result.integers.assign(tile.integers.begin(), tile.integers.begin() + static_cast<std::ptrdiff_t>(rows * 32));
    return result;
}

TEST(ArrayPools, AreJobsOnACore) {
    test::in_each_mode([](const ArrayOptions& options, unsigned turn) {
        const bool integers = test::is_integer(options.a), by_reference = turn % 7 == 0;
        const Matrix a = test::with_specials(random_array(32, 32, turn, integers), turn);
        const Matrix weights = random_array(32, 32, turn + 1000, integers);
        const auto sums = gapool(a, top(weights, 4), test::without_intermediate(options));
        ASSERT_TRUE(sums) << sums.error().describe();
        // The other rows of the tile do not count: GAPOOL takes four.
        test::expect_same(*sums, top(ArrayJob(options).gapool(a, weights, by_reference), 4));
        const auto maxima = gmpool(a, false, test::without_intermediate(options));
        if (!maxima) {
            EXPECT_EQ(maxima.error().code, "arrays.dst");
            return;
        }
        test::expect_same(maxima->values, top(ArrayJob(options).gmpool(a, by_reference), 1));
    });
}

// Whole numbers, so that every sum is exact.
Matrix whole_numbers(std::size_t rows, std::size_t cols, int most) {
    Matrix matrix{rows, cols, {}};
    for (std::size_t i = 0; i < rows * cols; ++i)
        matrix.values.push_back(
            static_cast<float>(static_cast<int>(i * 7 % static_cast<std::size_t>(2 * most + 1)) - most));
    return matrix;
}

TEST(ArrayPools, GapoolAddsWeightedRows) {
    for (const Arch arch : all_archs)
        for (const std::size_t rows : {1u, 16u, 24u, 70u}) {
            const Matrix a = whole_numbers(rows, 33, 3);
            Matrix weights = whole_numbers(3, rows, 1);
            ArrayOptions options;
            options.arch = arch;
            options.dst_bits = 32;
            options.out = DataFormat::Float32;
            const auto got = gapool(a, weights, options);
            ASSERT_TRUE(got) << got.error().describe();
            ASSERT_EQ(got->rows, 3u);
            ASSERT_EQ(got->cols, 33u);
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 33; ++j) {
                    float sum = 0;
                    for (std::size_t k = 0; k < rows; ++k) sum += weights.values[i * rows + k] * a.values[k * 33 + j];
                    ASSERT_EQ(got->values[i * 33 + j], sum) << name(arch) << " " << rows << ": " << i << ", " << j;
                }
        }
}

// GAPOOL is MVMUL with four rows: a product by the same blocks of 16 in the same order, phases within each.
TEST(ArrayPools, GapoolOfOneBlockIsMvmul) {
    const Matrix a = random_array(16, 16, 5, false), weights = random_array(4, 16, 6, false);
    Matrix b{8, 16, weights.values};
    b.values.resize(128);
    for (const unsigned bits : {16u, 32u}) {
        ArrayOptions options;
        options.dst_bits = bits;
        options.out = bits == 32 ? DataFormat::Float32 : DataFormat::Float16_b;
        std::vector<std::uint32_t> dst(128);
        for (unsigned phase = 0; phase < 4; ++phase) dst = mvmul(b, a, dst, phase, options).value();
        // The rest of the tile is zeros, which a kernel adds too.
        for (unsigned phase = 0; phase < 4; ++phase)
            dst = mvmul(Matrix{8, 16, std::vector<float>(128)}, a, dst, phase, options).value();
        const auto got = gapool(a, weights, options);
        ASSERT_TRUE(got);
        for (std::size_t i = 0; i < 64; ++i)
            ASSERT_EQ(std::bit_cast<std::uint32_t>(got->values[i]), bits == 32 ? dst[i] : dst[i] << 16) << i;
    }
}

TEST(ArrayPools, GmpoolIsTheMaximum) {
    for (const Arch arch : all_archs)
        for (const DataFormat format :
             {DataFormat::Float16_b, DataFormat::Float16, DataFormat::Float32, DataFormat::Bfp8_b, DataFormat::Int8})
            for (const std::size_t rows : {1u, 5u, 16u, 50u}) {
                const bool integers = format == DataFormat::Int8;
                Matrix a = random_array(rows, 20, static_cast<std::uint32_t>(rows), integers);
                if (format != DataFormat::Int8)
                    for (float& x : a.values) x = std::clamp(x, -1000.0f, 1000.0f) * (rows == 5 ? -1.0f : 1.0f);
                // As L1 and the source register have it.
                Matrix tiles{64, 32, std::vector<float>(2048)};
                if (integers) tiles.integers.resize(2048);
                for (std::size_t i = 0; i < rows; ++i)
                    for (std::size_t j = 0; j < 20; ++j) {
                        tiles.values[i * 32 + j] = a.values[i * 20 + j];
                        if (integers) tiles.integers[i * 32 + j] = a.integers[i * 20 + j];
                    }
                const auto bytes = to_bytes(tiles, format, Layout::tiles).value();
                const auto held = unpack_tiles(bytes, 64, 32, format, DataFormat::Tf32, arch).value();
                ArrayOptions options;
                options.arch = arch;
                options.a = format;
                if (format == DataFormat::Float32) options.dst_bits = 32;
                if (!integers) options.out = DataFormat::Float32;
                const auto got = gmpool(a, false, options);
                ASSERT_TRUE(got) << got.error().describe();
                EXPECT_TRUE(got->rows.empty());
                for (std::size_t j = 0; j < 20; ++j) {
                    float largest = held.values[j];
                    for (std::size_t i = 1; i < rows; ++i) largest = std::max(largest, held.values[i * 32 + j]);
                    // A source register has FP16 numbers below the normal ones; pools take them for zero.
                    if (format == DataFormat::Float16 && std::abs(largest) < 0x1p-14f) largest = 0;
                    ASSERT_EQ(got->values.values[j], largest)
                        << name(arch) << " " << name(format) << ", " << rows << " rows, column " << j;
                }
            }
}

TEST(ArrayPools, GmpoolTellsTheRow) {
    for (const Arch arch : all_archs)
        for (const DataFormat format : {DataFormat::Float16_b, DataFormat::Float16, DataFormat::Bfp8_b})
            for (const std::size_t rows : {1u, 8u, 27u, 128u}) {
                Matrix a{rows, 40, {}};
                std::vector<std::uint32_t> expected;
                // Each column has one largest, everywhere else smaller numbers.
                for (std::size_t i = 0; i < rows; ++i)
                    for (std::size_t j = 0; j < 40; ++j)
                        a.values.push_back(i == j * 11 % rows ? 4.5f : -static_cast<float>((i + j) % 5) - 1.0f);
                for (std::size_t j = 0; j < 40; ++j) expected.push_back(static_cast<std::uint32_t>(j * 11 % rows));
                ArrayOptions options;
                options.arch = arch;
                options.a = format;
                const auto got = gmpool(a, true, options);
                ASSERT_TRUE(got) << got.error().describe();
                EXPECT_EQ(got->rows, expected) << name(arch) << " " << name(format) << ", " << rows << " rows";
                EXPECT_EQ(got->values.values, std::vector<float>(40, 4.5f));
            }
}

// The words that a job on a Core leaves in Dst, value above and place below.
TEST(ArrayPools, ArgmaxIsAJobsOnACore) {
    for (const Arch arch : all_archs) {
        Matrix a = random_array(32, 16, 3, false), blocks{64, 16, std::vector<float>(1024)};
        for (std::size_t i = 0; i < 32; ++i)
            std::copy_n(&a.values[i * 16], 16, &blocks.values[(i / 8 * 16 + i % 8) * 16]);
        ArrayOptions options;
        options.arch = arch;
        options.dst_bits = 32;
        // The columns of SrcB's row are the rows of SrcA that count.
        const auto words = ArrayJob(options).pooled_words(blocks, 8);
        const auto got = gmpool(a, true, options);
        ASSERT_TRUE(got);
        constexpr std::uint32_t place[8] = {0, 3, 6, 1, 4, 7, 2, 5};  // GMPOOL, Functional model
        for (unsigned j = 0; j < 16; ++j) {
            EXPECT_EQ(words[j] >> 16, std::bit_cast<std::uint32_t>(got->values.values[j]) >> 16) << name(arch) << j;
            EXPECT_EQ(words[j] & 0xFF, got->rows[j] / 8 * 16 + place[got->rows[j] % 8]) << name(arch) << " " << j;
        }
    }
}

TEST(ArrayPools, OfEqualOnesTheLastInItsOrderCounts) {
    const Matrix a{16, 1, std::vector<float>(16, 2.0f)};
    EXPECT_EQ(gmpool(a, true)->rows, std::vector<std::uint32_t>{8 + 3});
}

TEST(ArrayPools, IntegersTellThePlaceOnly) {
    Matrix a{8, 1, {1, 5, 9, 5, -3, 9, 2, 0}};
    ArrayOptions options;
    options.a = DataFormat::Int8;
    const auto got = gmpool(a, true, options);
    ASSERT_TRUE(got) << got.error().describe();
    EXPECT_EQ(got->rows, std::vector<std::uint32_t>{2});
    EXPECT_TRUE(got->values.values.empty());
    options.a = DataFormat::Tf32;
    EXPECT_EQ(gmpool(a, true, options)->rows, std::vector<std::uint32_t>{2});
}

template <class T>
std::string code(const Result<T>& result) {
    return result ? "good" : result.error().code;
}

TEST(ArrayErrors, AreToldBeforeAnythingRuns) {
    const Matrix good{4, 4, std::vector<float>(16, 1.0f)}, wide{4, 5, std::vector<float>(20)};
    const Matrix empty{0, 4, {}}, wrong{4, 4, {1.0f}};
    EXPECT_EQ(code(matmul(good, good)), "good");
    EXPECT_EQ(code(matmul(wide, wide)), "arrays.shape");
    EXPECT_EQ(code(matmul(empty, good)), "arrays.shape");
    EXPECT_EQ(code(matmul(good, wrong)), "arrays.shape");
    EXPECT_EQ(code(elwadd(good, wide)), "arrays.shape");
    EXPECT_EQ(code(gapool(good, wide)), "arrays.shape");
    EXPECT_EQ(code(gapool(good, Matrix{5, 4, std::vector<float>(20)})), "arrays.shape");
    EXPECT_EQ(code(mvmul(good, good, {}, 0)), "arrays.shape");
    EXPECT_EQ(code(gmpool(Matrix{129, 1, std::vector<float>(129)}, true)), "arrays.shape");

    // No memory is asked for.
    const Matrix column{1u << 20, 1, std::vector<float>(1u << 20)}, row{1, 1u << 20, column.values};
    EXPECT_EQ(code(matmul(column, row)), "arrays.size");
    EXPECT_EQ(code(elwadd(Matrix{~std::size_t{0}, 2, {}}, good)), "arrays.size");

    auto with = [&](auto change) {
        ArrayOptions options;
        change(options);
        return code(matmul(good, good, options));
    };
    using D = DataFormat;
    for (const D format : {D::Int32, D::UInt16, D::UInt32, DataFormat(12), DataFormat(99)})
        EXPECT_EQ(with([&](auto& o) { o.a = o.b = format; }), "arrays.format") << int(format);
    EXPECT_EQ(with([](auto& o) { o.b = D::Float16; }), "arrays.format");
    EXPECT_EQ(with([](auto& o) { o.b = D::Int8; }), "arrays.format");
    EXPECT_EQ(with([](auto& o) { o.a = D::Float32, o.src = D::Bfp8; }), "arrays.format");
    EXPECT_EQ(with([](auto& o) { o.out = D::Int32; }), "arrays.format");
    EXPECT_EQ(with([](auto& o) { o.out = DataFormat(13); }), "arrays.format");
    EXPECT_EQ(with([](auto& o) { o.intermediate = D::Int32; }), "arrays.format");
    EXPECT_EQ(with([](auto& o) { o.intermediate = DataFormat(99); }), "arrays.format");
    EXPECT_EQ(with([](auto& o) { o.a = o.b = D::Fp8_e4m3, o.arch = Arch::wormhole; }), "arrays.format");
    EXPECT_EQ(with([](auto& o) { o.out = D::Fp8_e4m3, o.arch = Arch::wormhole; }), "arrays.format");
    EXPECT_EQ(with([](auto& o) { o.fidelity = 0; }), "arrays.fidelity");
    EXPECT_EQ(with([](auto& o) { o.fidelity = 5; }), "arrays.fidelity");
    EXPECT_EQ(with([](auto& o) { o.dst_bits = 24; }), "arrays.dst");
    EXPECT_EQ(with([](auto& o) { o.a = o.b = D::Int8, o.dst_bits = 16; }), "arrays.dst");
    ArrayOptions half;
    half.a = D::Float16;
    half.dst_bits = 32;
    EXPECT_EQ(code(gmpool(good, false, half)), "arrays.dst");
    half.dst_bits = 16;
    EXPECT_EQ(code(gmpool(good, true, half)), "arrays.dst");
    EXPECT_EQ(code(mvmul(Matrix{8, 16, std::vector<float>(128)}, Matrix{16, 16, std::vector<float>(256)}, {}, 4)),
              "arrays.fidelity");
    ConvertOptions options;
    options.from = D::Int8;
    EXPECT_EQ(code(convert(good, options)), "arrays.format");
    EXPECT_EQ(code(unpack_tiles({}, 32, 32, D::Float16_b)), "tensor.shape");
    EXPECT_EQ(code(unpack_tiles({}, 31, 32, D::Float16_b)), "tensor.shape");
}

}  // namespace
}  // namespace tessera

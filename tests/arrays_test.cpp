// SPDX-License-Identifier: Apache-2.0
// Functions over arrays compared bit for bit with jobs on a Core, in the units and in the reference.
#include "tessera/arrays.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "formats/layouts.hpp"
#include "reference/numerics.hpp"
#include "support/array_job.hpp"
#include "support/array_modes.hpp"

namespace tessera {
namespace {

using test::ArrayJob;
using test::expect_same;
using test::in_each_mode;
using test::is_integer;
using test::random_array;
using test::with_specials;
using test::without_intermediate;

bool is_block(DataFormat format) { return name(format).starts_with("Bfp"); }

TEST(Arrays, MatmulIsAJobsOnACore) {
    in_each_mode([](const ArrayOptions& options, unsigned turn) {
        const bool integers = is_integer(options.a);
        const Matrix a = with_specials(random_array(32, 64, turn, integers), turn),
                     b = with_specials(random_array(64, 32, turn + 1000, integers), turn);
        const auto got = matmul(a, b, without_intermediate(options));
        ASSERT_TRUE(got) << got.error().describe();
        // Every seventh by the second implementation, which is slow.
        expect_same(*got, ArrayJob(options).matmul(a, b, turn % 7 == 0));
    });
}

TEST(Arrays, ElementwiseIsAJobsOnACore) {
    constexpr std::array names = {"ELWADD", "ELWSUB", "ELWMUL"};
    constexpr std::array functions = {elwadd, elwsub, elwmul};
    in_each_mode([&](const ArrayOptions& options, unsigned turn) {
        const bool integers = is_integer(options.a);
        const std::size_t which = turn % 3;
        const unsigned broadcast = turn / 3 % 4;
        const Matrix a = with_specials(random_array(32, 32, turn, integers), 1);
        const Matrix b = random_array(broadcast & 2 ? 1 : 32, broadcast & 1 ? 1 : 32, turn + 1000, integers);
        Matrix tile = random_array(32, 32, 0, integers);  // the rest of a tile does not count
        std::fill(tile.values.begin(), tile.values.end(), 0.0f);
        std::fill(tile.integers.begin(), tile.integers.end(), 0);
        for (std::size_t row = 0; row < b.rows; ++row)
            for (std::size_t column = 0; column < b.cols; ++column) {
                tile.values[row * 32 + column] = b.values[row * b.cols + column];
                if (integers) tile.integers[row * 32 + column] = b.integers[row * b.cols + column];
            }
        const auto got = functions[which](a, b, without_intermediate(options));
        ASSERT_TRUE(got) << got.error().describe();
        expect_same(*got, ArrayJob(options).elementwise(names[which], broadcast, a, tile, turn % 7 == 0));
    });
}

// An array of any shape has in each place what its padded tiles have.
TEST(Arrays, AnyShapeIsPaddedWithZeros) {
    const Matrix a = random_array(37, 50, 1, false), b = random_array(50, 3, 2, false);
    auto pad = [](const Matrix& m, std::size_t rows, std::size_t cols) {
        Matrix result{rows, cols, std::vector<float>(rows * cols)};
        for (std::size_t i = 0; i < m.rows; ++i)
            for (std::size_t j = 0; j < m.cols; ++j) result.values[i * cols + j] = m.values[i * m.cols + j];
        return result;
    };
    for (const DataFormat format : {DataFormat::Float16_b, DataFormat::Bfp4_b, DataFormat::Float16}) {
        ArrayOptions options;
        options.a = options.b = format;
        const auto whole = matmul(pad(a, 64, 64), pad(b, 64, 32), options), part = matmul(a, b, options);
        const auto sum = elwadd(a, a, options), sum_of_tiles = elwadd(pad(a, 64, 64), pad(a, 64, 64), options);
        ASSERT_TRUE(whole && part && sum && sum_of_tiles);
        ASSERT_EQ(part->rows, 37u);
        ASSERT_EQ(part->cols, 3u);
        for (std::size_t i = 0; i < 37; ++i)
            for (std::size_t j = 0; j < 3; ++j) ASSERT_EQ(part->values[i * 3 + j], whole->values[i * 32 + j]);
        for (std::size_t i = 0; i < 37; ++i)
            for (std::size_t j = 0; j < 50; ++j) ASSERT_EQ(sum->values[i * 50 + j], sum_of_tiles->values[i * 64 + j]);
    }
}

// Tiles of the sum one after the other, in a matrix of several tiles.
TEST(Arrays, TilesOfALargeProductAreThoseOfSmallOnes) {
    const Matrix a = random_array(96, 64, 3, false), b = random_array(64, 128, 4, false);
    const auto whole = matmul(a, b);
    ASSERT_TRUE(whole);
    const Matrix rows{32, 64, {a.values.begin() + 64 * 64, a.values.end()}};
    Matrix columns{64, 32, {}};
    for (std::size_t i = 0; i < 64; ++i)
        for (std::size_t j = 0; j < 32; ++j) columns.values.push_back(b.values[i * 128 + 96 + j]);
    const auto corner = matmul(rows, columns);
    ASSERT_TRUE(corner);
    for (std::size_t i = 0; i < 32; ++i)
        for (std::size_t j = 0; j < 32; ++j)
            ASSERT_EQ(corner->values[i * 32 + j], whole->values[(64 + i) * 128 + 96 + j]);
}

// One MVMUL against docs/internals/numerics.md one datum at a time, patterns of Dst in and out.
TEST(Arrays, MvmulTakesAndGivesPatternsOfDst) {
    for (const Arch arch : all_archs)
        for (const DataFormat format : {DataFormat::Float16_b, DataFormat::Float16})
            for (const unsigned bits : {16u, 32u})
                for (unsigned phase = 0; phase < 4; ++phase) {
                    ArrayOptions options;
                    options.arch = arch;
                    options.a = options.b = format;
                    options.dst_bits = bits;
                    const Matrix b = random_array(8, 16, phase, false), a = random_array(16, 16, phase + 9, false);
                    const Matrix old = random_array(8, 16, phase + 99, false);
                    const bool e8 = format == DataFormat::Float16_b;
                    const auto old_bytes =
                        to_bytes(old, bits == 32 ? DataFormat::Float32 : format, Layout::rows).value();
                    std::vector<std::uint32_t> dst(128);
                    for (std::size_t i = 0; i < dst.size(); ++i)
                        std::memcpy(&dst[i], old_bytes.data() + i * bits / 8, bits / 8);
                    auto patterns = [&](const Matrix& m) {
                        const auto bytes = to_bytes(m, format, Layout::rows).value();
                        std::vector<std::uint32_t> words;
                        for (std::size_t i = 0; i < bytes.size(); i += 2) {
                            std::uint16_t x;
                            std::memcpy(&x, bytes.data() + i, 2);
                            // Sign, eight bits of exponent, ten of mantissa.
                            words.push_back(e8 ? x << 3u : (x & 0x8000u) << 3 | (x & 0x7FFFu));
                        }
                        return words;
                    };
                    const auto of_a = patterns(a), of_b = patterns(b);
                    reference::MathMode how;
                    how.acc32 = bits == 32;
                    how.E8 = e8;
                    how.wh = arch == Arch::wormhole;
                    how.phase = phase;
                    const auto got = mvmul(b, a, dst, phase, options);
                    ASSERT_TRUE(got) << got.error().describe();
                    for (unsigned i = 0; i < 128; ++i) {
                        std::array<std::uint32_t, 16> column{}, row{};
                        for (unsigned k = 0; k < 16; ++k) {
                            column[k] = of_a[k * 16 + i % 16];
                            row[k] = of_b[i / 16 * 16 + k];
                        }
                        const std::uint32_t d = bits == 32 ? dst[i]
                                                : e8       ? dst[i] << 16
                                                           : (dst[i] & 0x8000) << 16 | (dst[i] & 0x7FFF) << 13;
                        const std::uint32_t sum = reference::mvmul(column, row, d, how);
                        ASSERT_EQ((*got)[i], bits == 32 ? sum
                                             : e8       ? sum >> 16
                                                        : (sum >> 16 & 0x8000) | (sum >> 13 & 0x7FFF))
                            << name(arch) << " " << name(format) << " " << bits << " bits, phase " << phase << ", "
                            << i;
                    }
                }
}

TEST(Arrays, PackedBytesAreAJobsOnACore) {
    // Format in L1, what Dst holds, format in L1, intermediate.
    using D = DataFormat;
    constexpr DataFormat ways[][4] = {
        {D::Float32, D::Float32, D::Float32, D::Float32},
        {D::Float32, D::Float32, D::Tf32, D::Tf32},
        {D::Float32, D::Float32, D::Float16_b, D::Float16_b},
        {D::Float32, D::Float32, D::Float16, D::Tf32},
        {D::Float32, D::Float32, D::Lf8, D::Tf32},
        {D::Float32, D::Float32, D::Fp8_e4m3, D::Float16},
        {D::Float32, D::Float32, D::Bfp8_b, D::Bfp8_b},
        {D::Float32, D::Float32, D::Bfp4_b, D::Bfp8_b},
        {D::Float32, D::Float32, D::Bfp2_b, D::Bfp8_b},
        {D::Float32, D::Float32, D::Bfp8, D::Tf32},
        {D::Float32, D::Float32, D::Bfp4, D::Tf32},
        {D::Float32, D::Float32, D::Bfp2, D::Tf32},
        {D::Float32, D::Float16_b, D::Float32, D::Float16_b},
        {D::Float32, D::Float16_b, D::Tf32, D::Float16_b},
        {D::Float32, D::Float16_b, D::Float16, D::Float16_b},
        {D::Float32, D::Float16_b, D::Lf8, D::Float16_b},
        {D::Float32, D::Float16_b, D::Fp8_e4m3, D::Float16},
        {D::Float32, D::Float16_b, D::Bfp8_b, D::Bfp8_b},
        {D::Float32, D::Float16_b, D::Bfp8, D::Float16_b},
        {D::Float32, D::Float16, D::Float16, D::Float16},
        {D::Float32, D::Float16, D::Float16_b, D::Float16},
        {D::Float32, D::Float16, D::Lf8, D::Float16},
        {D::Float32, D::Float16, D::Fp8_e4m3, D::Float16},
        {D::Float32, D::Float16, D::Bfp8, D::Bfp8},
        {D::Float32, D::Float16, D::Bfp4_b, D::Float16},
        {D::Bfp8_b, D::Float32, D::Float16_b, D::Float16_b},
        {D::Bfp4_b, D::Float32, D::Bfp8_b, D::Bfp8_b},
        {D::Bfp8, D::Float32, D::Float16, D::Float16},
        {D::Float16_b, D::Float32, D::Bfp4_b, D::Bfp8_b},
        {D::Lf8, D::Float32, D::Float16, D::Float16},
        {D::Float16, D::Float32, D::Float32, D::Float16},
    };
    for (const Arch arch : all_archs)
        for (const auto& way : ways) {
            if (arch == Arch::wormhole && way[2] == D::Fp8_e4m3) continue;
            SCOPED_TRACE(fmt::format("{}: {}, {} in Dst, {}", name(arch), name(way[0]), name(way[1]), name(way[2])));
            ConvertOptions options{arch, way[0], way[1], way[2], std::nullopt};
            const auto seed = static_cast<std::uint32_t>(way - ways[0]);
            const Matrix array = with_specials(random_array(32, 32, seed, false), 1);
            const auto got = pack_tiles(array, options);
            ASSERT_TRUE(got) << got.error().describe();
            const auto values = convert(array, options);
            ASSERT_TRUE(values);
            options.intermediate = way[3];
            // E4M3 of FP16 in Dst needs no Round_10b_mant, and has it in the job.
            if (way[1] == D::Float16 && way[2] == D::Fp8_e4m3) continue;
            const auto expected = ArrayJob::pack(array, options, way[0] != D::Float32);
            ASSERT_EQ(*got, expected);
            expect_same(*values, ArrayJob::values(expected, way[2]));
        }
}

TEST(Arrays, Int32IsPackedWithSaturation) {
    Matrix array{1, 6, {}};
    array.integers = {0, 5, -5, 127, 300, -70000};
    for (const std::int64_t x : array.integers) array.values.push_back(static_cast<float>(x));
    ConvertOptions options;
    options.from = DataFormat::Int32;
    options.to = DataFormat::Int8;
    EXPECT_EQ(convert(array, options)->integers, (std::vector<std::int64_t>{0, 5, -5, 127, 127, -127}));
    options.to = DataFormat::UInt8;
    EXPECT_EQ(convert(array, options)->integers, (std::vector<std::int64_t>{0, 5, 0, 127, 255, 0}));
    options.to = DataFormat::Int32;
    EXPECT_EQ(convert(array, options)->integers, array.integers);
}

// HiFi4 of integers is exact, and of an unsigned operand too.
TEST(Arrays, IntegerProductsAreExact) {
    ArrayOptions options;
    options.a = DataFormat::UInt8;
    options.b = DataFormat::Int8;
    Matrix a = random_array(8, 40, 1, true);
    const Matrix b = random_array(40, 5, 2, true);
    for (std::size_t i = 0; i < a.integers.size(); ++i) {
        a.integers[i] += 127;
        a.values[i] += 127;
    }
    const auto got = matmul(a, b, options);
    ASSERT_TRUE(got) << got.error().describe();
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 5; ++j) {
            std::int64_t sum = 0;
            for (std::size_t k = 0; k < 40; ++k) sum += a.integers[i * 40 + k] * b.integers[k * 5 + j];
            ASSERT_EQ(got->integers[i * 5 + j], sum);
        }
}

TEST(Arrays, UnpackedValuesAreTheFormats) {
    for (const DataFormat format : all_data_formats) {
        if (!is_block(format) && format != DataFormat::Float16 && format != DataFormat::Float16_b &&
            format != DataFormat::Int8 && format != DataFormat::UInt8 && format != DataFormat::Lf8)
            continue;
        Matrix array = random_array(32, 64, 7, is_integer(format));
        if (!is_integer(format))  // within what 5-bit exponents hold as normal numbers
            for (float& x : array.values) x = std::abs(x) > 1024 || std::abs(x) < 1 ? 3.25f : x;
        const auto bytes = to_bytes(array, format, Layout::tiles).value();
        const auto expected = from_bytes(bytes, 32, 64, format, Layout::tiles).value();
        const auto got = unpack_tiles(bytes, 32, 64, format);
        ASSERT_TRUE(got) << got.error().describe();
        SCOPED_TRACE(name(format));
        expect_same(*got, expected);
    }
    // Float32 is truncated to what the source register takes.
    const Matrix one{32, 32, std::vector<float>(1024, std::bit_cast<float>(0x3F80FFFFu))};
    const auto bytes = to_bytes(one, DataFormat::Float32, Layout::tiles).value();
    EXPECT_EQ(unpack_tiles(bytes, 32, 32, DataFormat::Float32)->values[5], std::bit_cast<float>(0x3F80E000u));
    EXPECT_EQ(unpack_tiles(bytes, 32, 32, DataFormat::Float32, DataFormat::Float16_b)->values[5], 1.0f);
}

}  // namespace
}  // namespace tessera

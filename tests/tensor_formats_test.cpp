// SPDX-License-Identifier: Apache-2.0
// Values to datums of the small, integer and block formats, and back: against numbers by hand, against an exact model
// of the packing, and against the unpackers on the same bytes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "formats/datum_size.hpp"
#include "formats/unpack_convert.hpp"
#include "tensor/scalar_formats.hpp"
#include "tessera/tensor.hpp"

namespace tessera {
namespace {

using F = DataFormat;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr F block_formats[] = {F::Bfp8, F::Bfp4, F::Bfp2, F::Bfp8_b, F::Bfp4_b, F::Bfp2_b};

std::vector<std::uint8_t> bytes_of(const Matrix& matrix, F format, Layout layout = Layout::rows) {
    const auto bytes = to_bytes(matrix, format, layout);
    if (!bytes) throw std::runtime_error(bytes.error().message);
    std::vector<std::uint8_t> result;
    for (const std::byte b : *bytes) result.push_back(std::to_integer<std::uint8_t>(b));
    return result;
}

std::uint32_t datum(float value, F format) {
    std::uint32_t bits = 0;
    const auto bytes = bytes_of({1, 1, {value}}, format);
    for (std::size_t i = 0; i < bytes.size(); ++i) bits |= std::uint32_t{bytes[i]} << 8 * i;
    return bits;
}

Matrix matrix_of(const std::vector<std::uint8_t>& bytes, std::size_t rows, std::size_t cols, F format) {
    std::vector<std::byte> raw;
    for (const std::uint8_t b : bytes) raw.push_back(std::byte{b});
    const auto matrix = from_bytes(raw, rows, cols, format, Layout::rows);
    if (!matrix) throw std::runtime_error(matrix.error().message);
    return *matrix;
}

bool is_narrow(F format) { return format == F::Bfp8 || format == F::Bfp4 || format == F::Bfp2; }

// --- FP8, TF32

class Fp8 : public testing::TestWithParam<F> {
protected:
    float value(std::uint32_t bits) const {
        return matrix_of({static_cast<std::uint8_t>(bits)}, 1, 1, GetParam()).values[0];
    }
};

TEST_P(Fp8, EveryPatternSurvives) {
    const int mantissa_bits = GetParam() == F::Lf8 ? 2 : 3, bias = GetParam() == F::Lf8 ? 15 : 7;
    for (std::uint32_t bits = 0; bits < 256; ++bits) {
        const int exponent = static_cast<int>(bits & 0x7F) >> mantissa_bits;
        const double fraction = std::ldexp(bits & ((1u << mantissa_bits) - 1), -mantissa_bits);
        const double magnitude = exponent ? std::ldexp(1 + fraction, exponent - bias) : std::ldexp(fraction, 1 - bias);
        ASSERT_EQ(static_cast<double>(value(bits)), bits & 0x80 ? -magnitude : magnitude) << bits;
        ASSERT_EQ(datum(value(bits), GetParam()), bits);
    }
}

TEST_P(Fp8, RoundsToNearestEvenBetweenAllNeighbours) {
    for (std::uint32_t bits = 0; bits < 0x7F; ++bits) {
        const float middle = (value(bits) + value(bits + 1)) / 2;
        ASSERT_EQ(datum(middle, GetParam()), bits + (bits & 1));
        ASSERT_EQ(datum(std::nextafter(middle, 0.0f), GetParam()), bits);
        ASSERT_EQ(datum(std::nextafter(middle, infinity), GetParam()), bits + 1);
        ASSERT_EQ(datum(-middle, GetParam()), 0x80 | (bits + (bits & 1)));
    }
}

TEST_P(Fp8, Saturates) {
    for (const float value : {1e6f, std::numeric_limits<float>::max(), infinity, std::nanf("")})
        EXPECT_EQ(datum(value, GetParam()), 0x7Fu);
    EXPECT_EQ(datum(-infinity, GetParam()), 0xFFu);
    EXPECT_EQ(datum(std::numeric_limits<float>::denorm_min(), GetParam()), 0u);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Fp8, testing::Values(F::Lf8, F::Fp8_e4m3),
                         [](const auto& format) { return std::string(name(format.param)); });

TEST(Fp8Formats, ByHand) {
    EXPECT_EQ(datum(1.0f, F::Lf8), 0x3Cu);
    EXPECT_EQ(datum(114688.0f, F::Lf8), 0x7Fu);
    EXPECT_EQ(datum(1.0f, F::Fp8_e4m3), 0x38u);
    EXPECT_EQ(datum(448.0f, F::Fp8_e4m3), 0x7Eu);
    EXPECT_EQ(datum(0x1p-9f, F::Fp8_e4m3), 0x01u);
}

TEST(Tf32Format, RoundsToNearestEvenAndReadsAllBits) {
    EXPECT_EQ(datum(1.0f, F::Tf32), 0x3F800000u);
    EXPECT_EQ(datum(std::bit_cast<float>(0x3F801000u), F::Tf32), 0x3F800000u);
    EXPECT_EQ(datum(std::bit_cast<float>(0x3F801001u), F::Tf32), 0x3F802000u);
    EXPECT_EQ(datum(std::bit_cast<float>(0x3F803000u), F::Tf32), 0x3F804000u);
    EXPECT_EQ(datum(std::numeric_limits<float>::max(), F::Tf32), 0x7F800000u);
    EXPECT_EQ(datum(std::bit_cast<float>(0x7F800001u), F::Tf32), 0x7FC00000u);
    EXPECT_EQ(matrix_of({0x01, 0, 0x80, 0x3F}, 1, 1, F::Tf32).values[0], std::bit_cast<float>(0x3F800001u));
}

// --- integers

TEST(IntegerFormats, Ends) {
    struct Line {
        F format;
        std::int64_t value;
        std::uint32_t bits;
        std::int64_t back;
    };
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    constexpr Line lines[] = {
        {F::Int8, 5, 0x05, 5},
        {F::Int8, -5, 0x85, -5},
        {F::Int8, -128, 0xFF, -127},
        {F::Int8, huge, 0x7F, 127},
        {F::UInt8, 200, 200, 200},
        {F::UInt8, -1, 0, 0},
        {F::UInt8, 256, 255, 255},
        {F::UInt16, 65535, 0xFFFF, 65535},
        {F::UInt16, 65536, 0xFFFF, 65535},
        {F::UInt16, -huge, 0, 0},
        {F::Int32, -2, 0xFFFFFFFE, -2},
        {F::Int32, 16777217, 16777217, 16777217},
        {F::Int32, huge, 0x7FFFFFFF, 0x7FFFFFFF},
        {F::Int32, -huge, 0x80000000, -2147483648LL},
        {F::UInt32, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF},
        {F::UInt32, huge, 0xFFFFFFFF, 0xFFFFFFFF},
    };
    for (const Line& line : lines) {
        SCOPED_TRACE(fmt::format("{} {}", name(line.format), line.value));
        auto bytes = bytes_of({1, 1, {0}, {line.value}}, line.format);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) bits |= std::uint32_t{bytes[i]} << 8 * i;
        EXPECT_EQ(bits, line.bits);
        const Matrix back = matrix_of(bytes, 1, 1, line.format);
        EXPECT_EQ(back.integers, std::vector<std::int64_t>{line.back});
        EXPECT_EQ(back.values, std::vector<float>{static_cast<float>(line.back)});
    }
    EXPECT_EQ(matrix_of({0x80}, 1, 1, F::Int8).integers[0], 0);
}

TEST(IntegerFormats, ValuesRoundToNearestEven) {
    EXPECT_EQ(datum(2.5f, F::UInt8), 2u);
    EXPECT_EQ(datum(3.5f, F::UInt8), 4u);
    EXPECT_EQ(datum(-1.5f, F::Int32), 0xFFFFFFFEu);
    EXPECT_EQ(datum(std::nanf(""), F::Int32), 0u);
    EXPECT_EQ(datum(infinity, F::UInt32), 0xFFFFFFFFu);
    EXPECT_EQ(datum(-infinity, F::Int8), 0xFFu);
}

// --- block formats

struct Packed {
    std::uint8_t exponent;
    std::vector<std::uint32_t> datums;
};

Packed pack(std::vector<float> values, F format) {
    const auto bytes = bytes_of({1, 16, std::move(values)}, format);
    const unsigned bits = formats::datum_bits(format);
    EXPECT_EQ(bytes.size(), 16 + 16 * bits / 8);
    Packed result{bytes[0], {}};
    for (unsigned i = 0; i < 16; ++i)
        result.datums.push_back(bytes[16 + i * bits / 8] >> i * bits % 8 & ((1u << bits) - 1));
    for (unsigned i = 1; i < 16; ++i) EXPECT_EQ(bytes[i], 0) << "padding of the exponents";
    return result;
}

TEST(BlockFormats, ByHand) {
    std::vector<float> values(16);
    values[0] = 1.0f;
    values[1] = -0.5f;
    values[2] = 1.75f;
    values[3] = 0x1p-6f;    // the last bit of a magnitude
    values[4] = 0x1p-7f;    // a tie, to even: 0
    values[5] = 0x1.8p-7f;  // above it
    values[6] = -0x1p-8f;   // rounds to 0, which has no sign
    values[7] = 0x1.FFp0f;  // rounds beyond the largest magnitude
    const Packed wide = pack(values, F::Bfp8_b);
    EXPECT_EQ(wide.exponent, 127);
    const std::vector<std::uint32_t> expected = {0x40, 0xA0, 0x70, 0x01, 0x00, 0x01, 0x00, 0x7F};
    EXPECT_EQ(std::vector(wide.datums.begin(), wide.datums.begin() + 8), expected);
    EXPECT_EQ(pack(values, F::Bfp8).exponent, 15);
    EXPECT_EQ(pack(values, F::Bfp8).datums, wide.datums);
    EXPECT_EQ(pack(values, F::Bfp4_b).datums[1], 0xAu);
    EXPECT_EQ(pack(values, F::Bfp4_b).datums[2], 0x7u);
    EXPECT_EQ(pack(values, F::Bfp2_b).datums[0], 0x1u);
    EXPECT_EQ(pack(values, F::Bfp2_b).datums[1], 0x0u);  // half of one: a tie, to even
}

// One and half a magnitude's last bit is a tie, and goes to even: one. A float's last bit more is above it.
TEST(BlockFormats, TheLastBitOfAFloatBreaksATie) {
    for (const F format : {F::Bfp8, F::Bfp8_b, F::Bfp4, F::Bfp4_b}) {
        const unsigned magnitude_bits = formats::datum_bits(format) - 1;
        const std::uint32_t half = 1u << (23 - magnitude_bits), leading = 1u << (magnitude_bits - 1);
        std::vector<float> values(16);
        values[0] = std::bit_cast<float>(0x3F800000 | half);
        values[1] = std::bit_cast<float>(0x3F800001 | half);
        const Packed packed = pack(values, format);
        EXPECT_EQ(packed.datums[0], leading) << name(format);
        EXPECT_EQ(packed.datums[1], leading + 1) << name(format);
    }
}

TEST(BlockFormats, NarrowExponentsSaturate) {
    std::vector<float> values(16);
    values[0] = 1e30f;
    values[1] = -infinity;
    values[2] = 1.0f;
    const Packed packed = pack(values, F::Bfp8);
    EXPECT_EQ(packed.exponent, 31);
    EXPECT_EQ(packed.datums[0], 0x7Fu);
    EXPECT_EQ(packed.datums[1], 0xFFu);
    EXPECT_EQ(packed.datums[2], 0u);
    values = std::vector<float>(16, 0x1p-20f);
    EXPECT_EQ(pack(values, F::Bfp8).exponent, 0);
    EXPECT_EQ(pack(values, F::Bfp8).datums[0], 0u);
    EXPECT_EQ(pack(std::vector<float>(16, infinity), F::Bfp8_b).exponent, 255);
    EXPECT_EQ(pack(std::vector<float>(16, 0x1p-130f), F::Bfp8_b).datums[0], 0u);
}

// Magnitudes counted in units of 2^-23 of the shared exponent: cut to whole ones, then rounded by the library.
TEST(BlockFormats, RandomBlocksAsExactArithmetic) {
    std::mt19937 random(12);
    for (F format : block_formats)
        for (int i = 0; i < 4000; ++i) {
            const unsigned spread = 1 + static_cast<unsigned>(random()) % 30;
            std::vector<float> values(16);
            for (auto& value : values) {
                const unsigned exponent = 113 + static_cast<unsigned>(random()) % spread;
                const auto coarse = static_cast<std::uint32_t>(random() % 2 ? 0x7FFFFF : 0x7F0000);  // ties
                value =
                    std::bit_cast<float>(static_cast<std::uint32_t>(random() & (0x80000000 | coarse)) | exponent << 23);
            }
            int largest = std::ilogb(values[0]);
            for (const float value : values) largest = std::max(largest, std::ilogb(value));
            const unsigned bits = formats::datum_bits(format) - 1;
            const Packed packed = pack(values, format);
            ASSERT_EQ(packed.exponent, largest + (is_narrow(format) ? 15 : 127));
            for (std::size_t n = 0; n < 16; ++n) {
                const double units = std::floor(std::ldexp(std::abs(static_cast<double>(values[n])), 23 - largest));
                const double rounded = std::nearbyint(std::ldexp(units, static_cast<int>(bits) - 24));
                const auto magnitude = std::min(static_cast<std::uint32_t>(rounded), (1u << bits) - 1);
                const std::uint32_t sign = magnitude && values[n] < 0 ? 1u << bits : 0;
                ASSERT_EQ(packed.datums[n], sign | magnitude) << fmt::format("{} {:a}", name(format), values[n]);
            }
        }
}

TEST(BlockFormats, EveryDatumSurvivesWhereOneIsNormalised) {
    for (F format : block_formats) {
        const unsigned bits = formats::datum_bits(format);
        const std::uint32_t mask = (1u << bits) - 1, sign = 1u << (bits - 1), leading = sign >> 1;
        // Below these the smallest datum would be a denormal; the largest of 8 bits is infinity.
        const unsigned last = is_narrow(format) ? 31 : 254;
        for (unsigned exponent = 7; exponent <= last; ++exponent)
            for (std::uint32_t first = 0; first < 256; first += 15) {
                std::vector<std::uint8_t> bytes(16 + 16 * bits / 8);
                bytes[0] = static_cast<std::uint8_t>(exponent);
                for (unsigned i = 0; i < 16; ++i) {
                    std::uint32_t x = i == 0 ? leading : (first + i - 1) & mask;
                    if (x == sign) x = 0;
                    bytes[16 + i * bits / 8] |= static_cast<std::uint8_t>(x << i * bits % 8);
                }
                ASSERT_EQ(bytes_of(matrix_of(bytes, 1, 16, format), format), bytes) << name(format) << exponent;
            }
    }
}

TEST(BlockFormats, SizesAndPlaces) {
    EXPECT_EQ(*tensor_bytes(32, 32, F::Bfp8_b, Layout::tiles), 1088u);
    EXPECT_EQ(*tensor_bytes(32, 32, F::Bfp4, Layout::tiles), 576u);
    EXPECT_EQ(*tensor_bytes(64, 32, F::Bfp2_b, Layout::tiles), 640u);
    EXPECT_EQ(*tensor_bytes(3, 16, F::Bfp8, Layout::rows), 16u + 48);
    EXPECT_EQ(*tensor_bytes(17, 16, F::Bfp2, Layout::rows), 32u + 68);
    EXPECT_EQ(*tensor_bytes(0, 0, F::Bfp2, Layout::rows), 0u);
    EXPECT_EQ(tensor_bytes(2, 8, F::Bfp8, Layout::rows).error().code, "tensor.shape");
    EXPECT_EQ(tensor_bytes(std::size_t{1} << 40, 1 << 30, F::Bfp2, Layout::rows).error().code, "tensor.shape");

    struct Place {
        std::size_t row, column, tile, face, line;
    };
    for (const Place& p :
         {Place{0, 0, 0, 0, 0}, {1, 16, 0, 1, 1}, {16, 15, 0, 2, 0}, {31, 63, 1, 3, 15}, {40, 5, 2, 0, 8}}) {
        Matrix matrix{64, 64, std::vector<float>(64 * 64)};
        matrix.values[p.row * 64 + p.column] = 1.0f;
        const auto bytes = bytes_of(matrix, F::Bfp4_b, Layout::tiles);
        const std::size_t exponent = p.tile * 576 + p.face * 16 + p.line;
        const std::size_t at = p.tile * 576 + 64 + (p.face * 256 + p.line * 16 + p.column % 16) / 2;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            ASSERT_EQ(bytes[i], i == exponent ? 127 : i == at ? (p.column % 2 ? 0x40 : 0x04) : 0) << i;
    }
}

// --- the same bytes by the unpackers' conversion

float unpacked(const formats::UnpackConversion& conversion, std::uint8_t byte, std::uint8_t exponent = 0) {
    std::uint32_t x = 0;
    formats::unpack_to_src(conversion)({&byte, &exponent, 0}, 0, &x, 1);
    const bool narrow = conversion.in == F::Lf8 || is_narrow(conversion.in);
    return narrow ? tensor::from_float16((x >> 16 & 0x8000) | (x >> 13 & 0x7FFF)) : std::bit_cast<float>(x);
}

TEST(BlockFormats, MeanWhatUnpackersRead) {
    for (F format : block_formats)
        // Exponents for which normalising neither wraps nor makes a denormal.
        for (unsigned exponent = 7; exponent <= (is_narrow(format) ? 31u : 254u); ++exponent)
            for (unsigned byte = 0; byte < 256; ++byte) {
                std::vector<std::uint8_t> bytes(16 + 16 * formats::datum_bits(format) / 8);
                bytes[0] = static_cast<std::uint8_t>(exponent);
                bytes[16] = static_cast<std::uint8_t>(byte);
                ASSERT_EQ(matrix_of(bytes, 1, 16, format).values[0],
                          unpacked({.in = format, .out = format}, bytes[16], bytes[0]))
                    << fmt::format("{} {:02x} exponent {}", name(format), byte, exponent);
            }
}

TEST(Fp8Formats, MeanWhatUnpackersRead) {
    for (unsigned byte = 0; byte < 256; ++byte) {
        const auto bits = static_cast<std::uint8_t>(byte);
        ASSERT_EQ(matrix_of({bits}, 1, 1, F::Lf8).values[0], unpacked({.in = F::Lf8, .out = F::Lf8}, bits));
        // All ones are padded on the way, and denormals are not rebiased (spec-notes A45).
        if ((byte & 0x7F) == 0x7F || (byte & 0x78) == 0) continue;
        ASSERT_EQ(matrix_of({bits}, 1, 1, F::Fp8_e4m3).values[0],
                  unpacked({.in = F::Lf8, .out = F::Lf8, .fp8_e4m3 = true}, bits));
    }
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// Tiles with headers, omitted zeros and shared exponents: by hand from the pages, round trips over all formats, and
// errors.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "formats/datum_size.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/job.hpp"

namespace tessera::test {
namespace {

using F = DataFormat;
using testing::ElementsAre;

bool can_be_compressed(F format) { return formats::datum_bits(hardware_format(format)) != 2; }

TensorForm compressed(Layout layout, std::uint32_t row_datums) {
    TensorForm form(layout);
    form.compressed = true;
    form.row_datums = row_datums;
    return form;
}
TensorForm with_header(TensorForm form, unsigned digest_size) {
    form.digest_size = static_cast<std::uint8_t>(digest_size);
    return form;
}

std::vector<unsigned> numbers(const std::vector<std::byte>& bytes, std::size_t first = 0, std::size_t count = ~0ull) {
    std::vector<unsigned> result;
    for (std::size_t i = first; i < bytes.size() && i - first < count; ++i)
        result.push_back(std::to_integer<unsigned>(bytes[i]));
    return result;
}

// --- by hand

// Packers, Compression: row starts; 32 datums; their counters, the lowest bits first; and again.
TEST(CompressedForm, ByHand) {
    Matrix matrix{2, 40, std::vector<float>(80)};
    for (const std::size_t i : {3, 4, 10, 39}) matrix.values[i] = static_cast<float>(i);
    matrix.values[40 + 39] = -0.0f;
    const auto bytes = to_bytes(matrix, F::UInt16, compressed(Layout::rows, 40)).value();
    ASSERT_EQ(bytes.size(), 16u + 3 * (64 + 16));
    // Row 0: its first datum, 0, and 2 more; 3; 4 and 5 more; 10 and 15 more; the 16th of that run and 12 more; 39.
    // Row 1: 0 and 15 more; 0 and 15 more; 0 and 6 more; the last.
    EXPECT_EQ(numbers(bytes, 0, 16), (std::vector<unsigned>{0, 0, 6, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_THAT(numbers(bytes, 16, 20), ElementsAre(0, 0, 3, 0, 4, 0, 10, 0, 0, 0, 39, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    EXPECT_THAT(numbers(bytes, 80, 5), ElementsAre(0x02, 0xF5, 0x0C, 0xFF, 0x06));
    EXPECT_THAT(tensor_sizes(bytes, 2, 40, F::UInt16, compressed(Layout::rows, 40)).value(), ElementsAre(96u));
    for (std::size_t i = 96; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], std::byte{0});
}

// Exponents are of sixteen written datums, whichever rows they are of.
TEST(CompressedForm, ExponentsByHand) {
    Matrix matrix{32, 32, std::vector<float>(1024)};
    for (std::size_t face = 0; face < 4; ++face)
        for (std::size_t row = 0; row < 16; ++row)
            matrix.values[(face / 2 * 16 + row) * 32 + face % 2 * 16] = face * 16 + row < 7 ? 1.0f : 4.0f;
    const auto bytes = to_bytes(matrix, F::Bfp8_b, compressed(Layout::tiles, 16)).value();
    // 65 row starts, 64 exponents, then 32 groups at most.
    constexpr std::size_t exponents = 144, data = exponents + 64;
    ASSERT_EQ(bytes.size(), data + 32 * 48);
    // Each row: its value with 14 zeros, and its last.
    for (std::size_t row = 0; row < 65; ++row) EXPECT_THAT(numbers(bytes, 2 * row, 2), ElementsAre(2 * row, 0));
    EXPECT_THAT(numbers(bytes, exponents, 9), ElementsAre(129, 129, 129, 129, 129, 129, 129, 129, 0));
    EXPECT_THAT(numbers(bytes, data, 2), ElementsAre(0x10, 0));
    EXPECT_THAT(numbers(bytes, data + 14, 4), ElementsAre(0x40, 0, 0x40, 0));
    EXPECT_THAT(numbers(bytes, data + 32, 2), ElementsAre(0x0E, 0x0E));
    EXPECT_THAT(tensor_sizes(bytes, 32, 32, F::Bfp8_b, compressed(Layout::tiles, 16)).value(),
                ElementsAre(data + 4 * 48));
}

// Packers, Compression: the first and the last datum of a row are written, whatever they are.
TEST(CompressedForm, RowsOfOneAndTwoDatumsLeaveNothingOut) {
    for (const std::size_t row : {1u, 2u, 3u}) {
        SCOPED_TRACE(row);
        Matrix matrix{2, 18, std::vector<float>(36)};
        matrix.values[7] = 3;
        const TensorForm form = compressed(Layout::rows, static_cast<std::uint32_t>(row));
        const auto bytes = to_bytes(matrix, F::UInt16, form).value();
        std::size_t written = 0;
        for (std::size_t i = 0; i <= 36 / row; ++i, written += row == 1 ? 1 : 2) {
            // The value is in the middle of the third row of three.
            const unsigned more = row == 3 && i > 2;
            EXPECT_THAT(numbers(bytes, 2 * i, 2), ElementsAre(written + more, 0)) << i;
        }
        EXPECT_EQ(from_bytes(bytes, 2, 18, F::UInt16, form)->values, matrix.values);
    }
}

// Only +0 is left out. Integers have one zero, which small values round to.
TEST(CompressedForm, OnlyZerosWithoutASignAreLeftOut) {
    Matrix matrix{1, 16, std::vector<float>(16)};
    matrix.values[0] = 5;
    matrix.values[1] = -0.0f;
    matrix.values[2] = 0.25f;
    matrix.values[3] = -0.5f;
    matrix.values[15] = 7;
    const TensorForm form = compressed(Layout::rows, 16);
    for (const F format : {F::Float32, F::Tf32, F::Float16, F::Float16_b, F::Lf8, F::Fp8_e4m3}) {
        const auto bytes = to_bytes(matrix, format, form).value();
        EXPECT_THAT(numbers(bytes, 0, 4), ElementsAre(0, 0, 5, 0)) << name(format);
        const auto back = from_bytes(bytes, 1, 16, format, form).value().values;
        EXPECT_EQ(back, matrix.values) << name(format);
        EXPECT_TRUE(std::signbit(back[1])) << name(format);
        EXPECT_FALSE(std::signbit(back[4])) << name(format);
    }
    for (const F format : {F::Int8, F::UInt8, F::UInt16, F::Int32, F::UInt32}) {
        const auto bytes = to_bytes(matrix, format, form).value();
        EXPECT_THAT(numbers(bytes, 0, 4), ElementsAre(0, 0, 2, 0)) << name(format);
    }
}

// More than a float holds, in two tiles whose zeros are at different places.
TEST(CompressedForm, IntegersAreExact) {
    Matrix matrix{64, 32, std::vector<float>(2048), std::vector<std::int64_t>(2048)};
    for (std::size_t i = 0; i < 2048; i += 5) matrix.integers[i] = i % 2 ? 1 : static_cast<std::int64_t>(16777217 + 2 * i);
    for (const TensorForm& form : {compressed(Layout::tiles, 0), compressed(Layout::tiles, 1024), compressed(Layout::rows, 32)})
        for (const F format : {F::Int32, F::UInt32}) {
            const auto bytes = to_bytes(matrix, format, form).value();
            EXPECT_EQ(from_bytes(bytes, 64, 32, format, form)->integers, matrix.integers) << name(format);
            const auto sizes = tensor_sizes(bytes, 64, 32, format, form).value();
            for (const std::size_t size : sizes) EXPECT_LT(size, bytes.size() / sizes.size()) << name(format);
        }
}

// SETDMAREG_Special, TileHeader: size in lines with one for the header, format and the flag of no compression, rows of zeros.
TEST(Headers, ByHand) {
    Matrix matrix{32, 32, std::vector<float>(1024)};
    for (std::size_t i = 0; i < 16; ++i) matrix.values[32 + i] = 1;
    const auto plain = to_bytes(matrix, F::Float16_b, with_header(Layout::tiles, 1)).value();
    ASSERT_EQ(plain.size(), 32u + 2048);
    EXPECT_THAT(numbers(plain, 0, 16), ElementsAre(129, 0, 0, 0, 0, 0, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    EXPECT_EQ(numbers(plain, 16, 16), std::vector<unsigned>(16));
    EXPECT_THAT(numbers(plain, 64, 2), ElementsAre(0x80, 0x3F));
    const auto small = to_bytes(matrix, F::Fp8_e4m3, with_header(compressed(Layout::tiles, 16), 0)).value();
    // 9 lines of row starts; 63 rows of two datums and one of 16 are 142, in five groups of 3 lines.
    EXPECT_THAT(numbers(small, 0, 16),
                ElementsAre(1 + 9 + 15, 0, 0, 0, 0, 0, 0x0A, 0, 0xFD, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0));
}

// The same page: the size has two bytes. Exponents are lines as datums are, and only those of written datums.
TEST(Headers, CountExponentsAndMoreLinesThanAByteHolds) {
    const auto header = [](float value, F format, const TensorForm& form) {
        return numbers(to_bytes({32, 32, std::vector<float>(1024, value)}, format, form).value(), 0, 8);
    };
    EXPECT_THAT(header(0, F::Float32, with_header(Layout::tiles, 0)), ElementsAre(257 - 256, 1, 0, 0, 0, 0, 0x10, 0));
    EXPECT_THAT(header(0, F::Bfp8_b, with_header(Layout::tiles, 3)), ElementsAre(1 + 4 + 64, 0, 0, 0, 0, 0, 0x16, 0));
    EXPECT_THAT(header(0, F::Bfp4, with_header(Layout::tiles, 0)), ElementsAre(1 + 4 + 32, 0, 0, 0, 0, 0, 0x13, 0));
    // 9 lines of row starts. 64 rows of two datums have eight exponents, and four groups of two lines and one of
    // counters.
    const TensorForm form = with_header(compressed(Layout::tiles, 16), 0);
    EXPECT_THAT(header(0, F::Bfp8_b, form), ElementsAre(1 + 9 + 1 + 4 * 3, 0, 0, 0, 0, 0, 0x06, 0));
    EXPECT_THAT(header(1, F::Bfp8_b, form), ElementsAre(1 + 9 + 4 + 32 * 3, 0, 0, 0, 0, 0, 0x06, 0));
}

// The same page: a flag for each of the first 32 rows; a tile has 64.
TEST(Headers, FlagZerosOfTheFirst32Rows) {
    Matrix matrix{32, 32, std::vector<float>(1024)};
    const auto flags = [&] { return numbers(to_bytes(matrix, F::Float16_b, with_header(compressed(Layout::tiles, 16), 0)).value(), 8, 8); };
    EXPECT_THAT(flags(), ElementsAre(0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0));
    matrix.values[0] = 1;
    EXPECT_THAT(flags(), ElementsAre(0xFE, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0));
    // The last row of the second face.
    matrix.values[15 * 32 + 31] = 1;
    EXPECT_THAT(flags(), ElementsAre(0xFE, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0));
}

TEST(Headers, CountLinesInSixteenBits) {
    const auto bytes = to_bytes({256, 1024, std::vector<float>(256 * 1024)}, F::Float32, with_header(Layout::rows, 0)).value();
    EXPECT_THAT(numbers(bytes, 0, 8), ElementsAre(0x10001 & 0xFFFF, 0, 0, 0, 0, 0, 0x10, 0));
}

TEST(SharedExponent, ByHand) {
    TensorForm form(Layout::rows);
    form.shared_exponent = std::uint8_t{130};
    Matrix matrix{1, 16, {8, -4, 15.75f, 16, -1e30f, 0.125f, 0.0625f, 0.09f, 0, 1, 2, 3, 4, 5, 6, 7}};
    const auto bytes = to_bytes(matrix, F::Bfp8_b, form).value();
    // A magnitude's last bit is 2^(130 - 127 - 6).
    EXPECT_THAT(numbers(bytes), ElementsAre(0x40, 0xA0, 0x7E, 0x7F, 0xFF, 1, 0, 1, 0, 8, 16, 24, 32, 40, 48, 56));
    const auto back = from_bytes(bytes, 1, 16, F::Bfp8_b, form).value().values;
    EXPECT_EQ(back[1], -4.0f);
    EXPECT_EQ(back[3], 15.875f);
}

// --- there and back

class TensorForms : public testing::TestWithParam<F> {
protected:
    /// Values that every format has, or of block formats multiples of one unit; `zeros` of 16 of them +0.
    Matrix values(std::size_t rows, std::size_t cols, unsigned zeros) {
        Matrix matrix{rows, cols, std::vector<float>(rows * cols)};
        const bool block = formats::is_block_format(GetParam());
        const unsigned most = block ? (1u << (formats::datum_bits(GetParam()) - 1)) - 1 : 7;
        for (float& value : matrix.values)
            if (random_() % 16 >= zeros) value = static_cast<float>(1 + random_() % most);
        return matrix;
    }
    std::mt19937 random_{42};
};

TEST_P(TensorForms, EveryLayoutThereAndBack) {
    for (const Layout layout : {Layout::tiles, Layout::rows})
        for (const int digest : {-1, 0, 255})
            for (const std::uint32_t row : {0u, 16u, 48u, 256u, 1024u, 6144u}) {
                TensorForm form(layout);
                form.compressed = row != 0;
                form.row_datums = row;
                if (digest >= 0) form = with_header(form, static_cast<unsigned>(digest));
                if ((row && !can_be_compressed(GetParam())) || (layout == Layout::tiles && row && 1024 % row)) continue;
                for (const unsigned zeros : {0u, 8u, 14u, 16u}) {
                    SCOPED_TRACE(fmt::format("{}, rows of {}, {} of 16 are zero", name(layout), row, zeros));
                    const Matrix matrix = values(64, 96, zeros);
                    const auto bytes = to_bytes(matrix, GetParam(), form).value();
                    ASSERT_EQ(bytes.size(), tensor_bytes(64, 96, GetParam(), form).value());
                    ASSERT_EQ(from_bytes(bytes, 64, 96, GetParam(), form)->values, matrix.values);
                    const auto sizes = tensor_sizes(bytes, 64, 96, GetParam(), form).value();
                    ASSERT_EQ(sizes.size(), layout == Layout::tiles ? 6u : 1u);
                    for (std::size_t i = 0; i < sizes.size(); ++i) {
                        const std::size_t room = bytes.size() / sizes.size();
                        ASSERT_LE(sizes[i], room);
                        for (std::size_t b = sizes[i]; b < room; ++b) ASSERT_EQ(bytes[i * room + b], std::byte{0});
                        EXPECT_TRUE((row && zeros) || sizes[i] == room);
                    }
                }
            }
}

INSTANTIATE_TEST_SUITE_P(Formats, TensorForms, testing::ValuesIn(all_data_formats),
                         [](const auto& format) { return std::string(name(format.param)); });

// Every row of sixteen zeros and others.
TEST(CompressedForm, EveryRowOfSixteen) {
    constexpr std::size_t rows = 4095;
    for (std::uint32_t first = 0; first < 0x10000; first += rows) {
        Matrix matrix{rows, 16, std::vector<float>(rows * 16)};
        for (std::uint32_t i = 0; i < rows * 16; ++i)
            matrix.values[i] = (first + i / 16) >> i % 16 & 1 ? static_cast<float>(1 + i % 16) : 0;
        const TensorForm form = compressed(Layout::rows, 16);
        const auto bytes = to_bytes(matrix, F::Lf8, form).value();
        ASSERT_EQ(from_bytes(bytes, rows, 16, F::Lf8, form)->values,
                  from_bytes(to_bytes(matrix, F::Lf8, Layout::rows).value(), rows, 16, F::Lf8, Layout::rows)->values);
    }
}

// One value at every place of a long row, so that runs of every length stand before and behind it.
TEST(CompressedForm, RunsOfEveryLength) {
    constexpr std::size_t datums = 80;
    for (std::size_t at = 0; at < datums; ++at) {
        Matrix matrix{1, datums, std::vector<float>(datums)};
        matrix.values[at] = 5;
        const TensorForm form = compressed(Layout::rows, datums);
        const auto bytes = to_bytes(matrix, F::Float16, form).value();
        ASSERT_EQ(from_bytes(bytes, 1, datums, F::Float16, form)->values, matrix.values) << at;
    }
}

// --- what is refused

TEST(RefusedForms, Codes) {
    const auto code = [](F format, const TensorForm& form, std::size_t rows = 32, std::size_t cols = 32) {
        const auto size = tensor_bytes(rows, cols, format, form);
        return size ? std::string() : size.error().code;
    };
    EXPECT_EQ(code(F::Bfp2, compressed(Layout::tiles, 16)), "tensor.format");
    EXPECT_EQ(code(F::Bfp2_b, compressed(Layout::tiles, 0)), "tensor.format");
    EXPECT_EQ(code(F::Float32, compressed(Layout::tiles, 48)), "tensor.shape");
    EXPECT_EQ(code(F::Float32, compressed(Layout::rows, 0), 1, 65535), "");
    EXPECT_EQ(code(F::Float32, compressed(Layout::rows, 0), 2, 32768), "tensor.shape");
    EXPECT_EQ(code(F::Float32, compressed(Layout::tiles, 0), 3200, 3200), "");
    TensorForm form;
    form.row_datums = 16;
    EXPECT_EQ(code(F::Float32, form), "tensor.form");
    form = {};
    form.shared_exponent = std::uint8_t{32};
    EXPECT_EQ(code(F::Float32, form), "tensor.form");
    EXPECT_EQ(code(F::Bfp8, form), "tensor.form");
    EXPECT_EQ(code(F::Bfp8_b, form), "");
    form.rounding = Rounding::device;
    EXPECT_EQ(code(F::Bfp8_b, form), "tensor.form");
    form.shared_exponent.reset();
    const std::vector<F> made = {F::Float32, F::Float16, F::Float16_b, F::Lf8,  F::Bfp8,
                                 F::Bfp8_b,  F::Bfp4,    F::Bfp4_b,    F::Bfp2, F::Bfp2_b};
    for (const F format : all_data_formats) {
        const bool is_made = std::find(made.begin(), made.end(), format) != made.end();
        EXPECT_EQ(code(format, form), is_made ? "" : "tensor.format") << name(format);
    }
    constexpr auto huge = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(code(F::Lf8, with_header(Layout::tiles, 255), huge / 64 / 32 * 32, 32), "tensor.shape");
}

TEST(RefusedForms, MessagesNameTheLimit) {
    const auto said = [](F format, const TensorForm& form, std::size_t rows = 32, std::size_t cols = 32) {
        const auto size = tensor_bytes(rows, cols, format, form);
        return size ? std::string() : size.error().message;
    };
    TensorForm form;
    for (const F format : {F::Bfp8, F::Bfp4, F::Bfp2}) {
        form.shared_exponent = std::uint8_t{31};
        EXPECT_EQ(said(format, form), "");
        form.shared_exponent = std::uint8_t{32};
        EXPECT_EQ(said(format, form),
                  fmt::format("the shared exponent of {} is 32, and must be 0 to 31", name(format)));
    }
    for (const F format : {F::Bfp8_b, F::Bfp4_b, F::Bfp2_b}) {
        form.shared_exponent = std::uint8_t{255};
        EXPECT_EQ(said(format, form), "");
    }
    for (const Rounding rounding : {Rounding::host, Rounding::device}) {
        form = {};
        form.rounding = rounding;
        EXPECT_EQ(said(static_cast<F>(12), form), "no converter for 12");
    }
    EXPECT_EQ(said(F::Tf32, form), "packers do not make Tf32 from Float32");
    EXPECT_EQ(said(F::Float32, compressed(Layout::rows, 0), 2, 32768),
              "2 x 32768 are more than the 65535 datums that row starts can count");
    EXPECT_EQ(said(F::Float32, compressed(Layout::rows, 7), 2, 4), "8 datums are not made of whole rows of 7");
    EXPECT_EQ(said(F::Float32, compressed(Layout::tiles, 48), 64, 64), "1024 datums are not made of whole rows of 48");
    const std::vector<std::byte> bytes(9);
    EXPECT_EQ(from_bytes(bytes, 1, 2, F::Float32, Layout::rows).error().message,
              "1 x 2 of Float32 takes 8 bytes, not 9");
    EXPECT_EQ(tensor_sizes(bytes, 1, 2, F::Float32, Layout::rows).error().message,
              "1 x 2 of Float32 takes 8 bytes, not 9");
}

// The tile that is wrong is named, and not the first one.
TEST(RefusedForms, ATileIsNamedByItsNumber) {
    const TensorForm form = compressed(Layout::tiles, 0);
    auto bytes = to_bytes({64, 64, std::vector<float>(4096, 1)}, F::Lf8, form).value();
    bytes[2 * (bytes.size() / 4)] = std::byte{1};
    const char* message = "tile 2: compressed row 0 is datums 1 to 16 of 1024";
    EXPECT_EQ(from_bytes(bytes, 64, 64, F::Lf8, form).error().message, message);
    EXPECT_EQ(tensor_sizes(bytes, 64, 64, F::Lf8, form).error().message, message);
}

TEST(RefusedForms, RowsThatContradictThemselves) {
    const TensorForm form = compressed(Layout::rows, 20);
    Matrix matrix{3, 20, std::vector<float>(60, 1)};
    matrix.values[5] = 0;
    const auto good = to_bytes(matrix, F::Lf8, form).value();
    const auto reported = [&](std::size_t at, unsigned value) {
        auto bytes = good;
        bytes[at] = static_cast<std::byte>(value);
        const auto back = from_bytes(bytes, 3, 20, F::Lf8, form);
        const auto sizes = tensor_sizes(bytes, 3, 20, F::Lf8, form);
        EXPECT_EQ(back.has_value(), sizes.has_value());
        return back ? std::string() : back.error().code + ": " + back.error().message;
    };
    EXPECT_EQ(reported(100, 0), "");
    EXPECT_EQ(reported(0, 1), "tensor.data: compressed row 0 is datums 1 to 19 of 59");
    EXPECT_EQ(reported(2, 18), "tensor.data: compressed row 0 has 19 datums, not 20");
    EXPECT_EQ(reported(2, 60), "tensor.data: compressed row 0 is datums 0 to 60 of 59");
    EXPECT_EQ(reported(4, 10), "tensor.data: compressed row 1 is datums 19 to 10 of 59");
    EXPECT_EQ(reported(6, 61), "tensor.data: compressed row 2 ends at datum 61 of 60");
    EXPECT_EQ(reported(16 + 32, 1), "tensor.data: compressed row 0 has 21 datums, not 20");
    const TensorForm tiles = compressed(Layout::tiles, 0);
    std::vector<std::byte> bytes(tensor_bytes(64, 32, F::Lf8, tiles).value());
    EXPECT_EQ(from_bytes(bytes, 64, 32, F::Lf8, tiles).error().message,
              "tile 0: compressed row 0 has 0 datums, not 16");
}

TEST(RefusedForms, AnyBytesAreReadOrRefused) {
    std::mt19937 random(5);
    unsigned refused = 0;
    for (unsigned n = 0; n < 3000; ++n) {
        const TensorForm form = with_header(compressed(Layout::tiles, 16u << random() % 7), random() % 3);
        const F format = n % 2 ? F::Bfp4_b : F::Float16;
        std::vector<std::byte> bytes(tensor_bytes(32, 32, format, form).value());
        for (auto& byte : bytes) byte = static_cast<std::byte>(random());
        refused += !from_bytes(bytes, 32, 32, format, form);
    }
    EXPECT_EQ(refused, 3000u);
}

// --- in a job

TEST(JobForms, ReadWhatTheyWrite) {
    const TemporaryDirectory directory;
    Matrix matrix{64, 32, std::vector<float>(2048)};
    for (std::size_t i = 0; i < matrix.values.size(); i += 5) matrix.values[i] = static_cast<float>(i % 64);
    ASSERT_TRUE(write_npy(directory / "a.npy", matrix));
    directory.write("a.toml", R"(arch = "wormhole"
[[l1]]
addr = 0x1000
npy = "a.npy"
format = "Bfp8_b"
digest_size = 2
compressed = true
row_datums = 64
rounding = "device"
[[l1]]
addr = 0x8000
npy = "a.npy"
format = "Bfp8"
shared_exponent = 20
[threads]
[[output]]
addr = 0x1000
shape = [64, 32]
format = "Bfp8_b"
digest_size = 2
compressed = true
row_datums = 64
npy = "b.npy"
[[output]]
addr = 0x8000
shape = [64, 32]
format = "Bfp8"
shared_exponent = 20
npy = "c.npy"
)");
    const auto job = load_job(directory / "a.toml");
    ASSERT_TRUE(job) << job.error().describe();
    TensorForm form = with_header(compressed(Layout::tiles, 64), 2);
    EXPECT_EQ(job->outputs[0].form, form);
    form.rounding = Rounding::device;
    EXPECT_EQ(job->l1[0].bytes, to_bytes(matrix, F::Bfp8_b, form).value());
    EXPECT_EQ(job->l1[1].bytes.size(), 2048u);
    ASSERT_TRUE(write_outputs(*job, prepare(*job).value()));
    EXPECT_EQ(read_npy(directory / "b.npy")->values, matrix.values);
    EXPECT_EQ(read_npy(directory / "c.npy")->values, matrix.values);
}

TEST(JobForms, AreRefusedWithPlaces) {
    const TemporaryDirectory directory;
    ASSERT_TRUE(write_npy(directory / "a.npy", {32, 32, std::vector<float>(1024)}));
    const auto reported = [&](std::string_view line, bool output) {
        const std::string_view entry =
            output ? "[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"b.npy\"\n"
                   : "[[l1]]\naddr = 0\nnpy = \"a.npy\"\nformat = \"Float32\"\n";
        directory.write("a.toml", fmt::format("arch = \"blackhole\"\n{}{}\n[threads]\n", entry, line));
        const auto job = load_job(directory / "a.toml");
        return job ? std::string() : fmt::format("{} {}", job.error().code, job.error().line);
    };
    EXPECT_EQ(reported("compressed = 1", false), "job.type 6");
    EXPECT_EQ(reported("digest_size = 256", false), "job.range 6");
    EXPECT_EQ(reported("row_datums = 65536", false), "job.range 6");
    EXPECT_EQ(reported("shared_exponent = 256", true), "job.range 7");
    EXPECT_EQ(reported("rounding = \"up\"", false), "job.value 6");
    EXPECT_EQ(reported("rounding = \"device\"", true), "job.unknown-key 7");
    EXPECT_EQ(reported("row_datums = 16", false), "tensor.form 4");
    EXPECT_EQ(reported("row_datums = 16", true), "tensor.form 4");
    EXPECT_EQ(reported("compressed = true", true), "");
}

}  // namespace
}  // namespace tessera::test

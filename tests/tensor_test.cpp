// SPDX-License-Identifier: Apache-2.0
// Matrices to bytes of L1 and to NumPy files, and back.
#include "tessera/tensor.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "support/temporary_directory.hpp"
#include "tensor/host_file.hpp"
#include "tensor/places.hpp"
#include "tessera/assembly.hpp"

namespace tessera {
namespace {

using test::TemporaryDirectory;

std::uint16_t convert(float value, DataFormat format) {
    const auto bytes = to_bytes({1, 1, {value}}, format, Layout::rows);
    if (!bytes || bytes->size() != 2) {
        ADD_FAILURE();
        return 0;
    }
    return static_cast<std::uint16_t>(std::to_integer<unsigned>((*bytes)[0]) | std::to_integer<unsigned>((*bytes)[1])
                                                                                   << 8);
}

float convert_back(std::uint16_t bits, DataFormat format) {
    const std::byte bytes[] = {std::byte(bits & 0xFF), std::byte(bits >> 8)};
    const auto matrix = from_bytes(bytes, 1, 1, format, Layout::rows);
    return matrix ? matrix->values.at(0) : std::numeric_limits<float>::quiet_NaN();
}

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

// --- conversions

TEST(Float16, EveryPatternSurvives) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto pattern = static_cast<std::uint16_t>(bits);
        const float value = convert_back(pattern, DataFormat::Float16);
        ASSERT_TRUE(std::isfinite(value));
        const int exponent = static_cast<int>(bits >> 10 & 31);
        const double mantissa = static_cast<double>(bits & 0x3FF) / 1024;
        const double magnitude = exponent == 0 ? std::ldexp(mantissa, -14) : std::ldexp(1 + mantissa, exponent - 15);
        ASSERT_EQ(static_cast<double>(value), bits & 0x8000 ? -magnitude : magnitude);
        ASSERT_EQ(convert(value, DataFormat::Float16), pattern);
    }
}

TEST(Float16, RoundsToNearestEvenBetweenAllNeighbours) {
    for (std::uint32_t bits = 0; bits < 0x7FFF; ++bits) {
        const float low = convert_back(static_cast<std::uint16_t>(bits), DataFormat::Float16);
        const float high = convert_back(static_cast<std::uint16_t>(bits + 1), DataFormat::Float16);
        const float middle = low + (high - low) / 2;
        ASSERT_EQ(convert(middle, DataFormat::Float16), bits + (bits & 1));
        ASSERT_EQ(convert(std::nextafter(middle, low), DataFormat::Float16), bits);
        ASSERT_EQ(convert(std::nextafter(middle, high), DataFormat::Float16), bits + 1);
        ASSERT_EQ(convert(-middle, DataFormat::Float16), 0x8000 | (bits + (bits & 1)));
    }
}

TEST(Float16, Saturates) {
    const float largest = 131008.0f;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (float value : {largest, std::nextafter(largest, infinity), largest + 64, 1e30f,
                        std::numeric_limits<float>::max(), infinity, std::numeric_limits<float>::quiet_NaN()}) {
        EXPECT_EQ(convert(value, DataFormat::Float16), 0x7FFF) << value;
        EXPECT_EQ(convert(std::copysign(value, -1.0f), DataFormat::Float16), 0xFFFF) << value;
    }
    EXPECT_EQ(convert(65536.0f, DataFormat::Float16), 0x7C00);
    EXPECT_EQ(convert(0x1p-25f, DataFormat::Float16), 0);
    EXPECT_EQ(convert(std::nextafter(0x1p-25f, 1.0f), DataFormat::Float16), 1);
    EXPECT_EQ(convert(-0.0f, DataFormat::Float16), 0x8000);
    EXPECT_EQ(convert(std::numeric_limits<float>::denorm_min(), DataFormat::Float16), 0);
}

TEST(Float16B, EveryPatternSurvivesAndNansBecomeQuiet) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto pattern = static_cast<std::uint16_t>(bits);
        const float value = convert_back(pattern, DataFormat::Float16_b);
        ASSERT_EQ(bits_of(value), bits << 16);
        const bool nan = (bits & 0x7FFF) > 0x7F80;
        ASSERT_EQ(convert(value, DataFormat::Float16_b), nan ? pattern | 0x40 : pattern);
    }
}

TEST(Float16B, RoundsToNearestEven) {
    for (std::uint32_t bits = 0; bits < 0x7F80; ++bits) {
        const auto at = [&](std::uint32_t low) { return std::bit_cast<float>(bits << 16 | low); };
        ASSERT_EQ(convert(at(0x7FFF), DataFormat::Float16_b), bits);
        ASSERT_EQ(convert(at(0x8000), DataFormat::Float16_b), bits + (bits & 1));
        ASSERT_EQ(convert(at(0x8001), DataFormat::Float16_b), bits + 1);
    }
    EXPECT_EQ(convert(std::bit_cast<float>(0x7F800001), DataFormat::Float16_b), 0x7FC0);
    EXPECT_EQ(convert(std::bit_cast<float>(0xFFFFFFFF), DataFormat::Float16_b), 0xFFFF);
}

TEST(Float32, KeepsBits) {
    for (std::uint32_t bits : {0u, 0x80000000u, 1u, 0x7F800000u, 0x7F800001u, 0x3F800000u}) {
        const auto bytes = to_bytes({1, 1, {std::bit_cast<float>(bits)}}, DataFormat::Float32, Layout::rows);
        ASSERT_TRUE(bytes);
        EXPECT_EQ(std::memcmp(bytes->data(), &bits, 4), 0);
        EXPECT_EQ(bits_of(from_bytes(*bytes, 1, 1, DataFormat::Float32, Layout::rows)->values[0]), bits);
    }
}

// --- layouts

Matrix counting(std::size_t rows, std::size_t cols) {
    Matrix matrix{rows, cols, {}};
    for (std::size_t i = 0; i < rows * cols; ++i) matrix.values.push_back(static_cast<float>(i));
    return matrix;
}

TEST(Layouts, TilesAreFourFaces) {
    const auto matrix = counting(64, 96);
    const auto bytes = to_bytes(matrix, DataFormat::Float32, Layout::tiles);
    ASSERT_TRUE(bytes);
    auto datum = [&](std::size_t index) {
        float value;
        std::memcpy(&value, bytes->data() + index * 4, 4);
        return value;
    };
    auto value = [&](std::size_t row, std::size_t column) { return matrix.values[row * 96 + column]; };
    EXPECT_EQ(datum(0), value(0, 0));
    EXPECT_EQ(datum(17), value(1, 1));
    EXPECT_EQ(datum(256), value(0, 16));
    EXPECT_EQ(datum(512), value(16, 0));
    EXPECT_EQ(datum(768 + 255), value(31, 31));
    EXPECT_EQ(datum(1024), value(0, 32));
    EXPECT_EQ(datum(3 * 1024), value(32, 0));
    EXPECT_EQ(datum(5 * 1024 + 1023), value(63, 95));
}

TEST(Layouts, EachValueHasOnePlaceInTheTiles) {
    constexpr std::size_t rows = 64, cols = 96;
    const auto matrix = counting(rows, cols);
    const auto bytes = to_bytes(matrix, DataFormat::Float32, Layout::tiles).value();
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < cols; ++column) {
            float value;
            std::memcpy(&value, bytes.data() + tensor::position_in_tiles(row, column, cols) * sizeof value, sizeof value);
            ASSERT_EQ(value, matrix.values[row * cols + column]) << row << ", " << column;
        }
}

TEST(Layouts, SurviveInEveryFormat) {
    for (auto layout : {Layout::tiles, Layout::rows})
        for (auto format : all_data_formats) {
            SCOPED_TRACE(name(format));
            // Of one bit each, since that is what the smallest formats have.
            std::mt19937 random(9);
            Matrix matrix = counting(64, 96);
            for (auto& value : matrix.values) value = static_cast<float>(random() % 2);
            const auto bytes = to_bytes(matrix, format, layout);
            ASSERT_TRUE(bytes);
            EXPECT_EQ(bytes->size(), *tensor_bytes(64, 96, format, layout));
            EXPECT_EQ(from_bytes(*bytes, 64, 96, format, layout)->values, matrix.values);
        }
    const auto rows = to_bytes(counting(3, 5), DataFormat::Float16, Layout::rows);
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->size(), 30u);
}

TEST(Layouts, Errors) {
    constexpr auto huge = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(tensor_bytes(32, 32, static_cast<DataFormat>(12), Layout::tiles).error().code, "tensor.format");
    EXPECT_EQ(tensor_bytes(32, 32, static_cast<DataFormat>(200), Layout::tiles).error().code, "tensor.format");
    EXPECT_EQ(tensor_bytes(32, 33, DataFormat::Float32, Layout::tiles).error().code, "tensor.shape");
    EXPECT_EQ(tensor_bytes(31, 32, DataFormat::Float32, Layout::tiles).error().code, "tensor.shape");
    EXPECT_EQ(tensor_bytes(huge, 2, DataFormat::Float32, Layout::rows).error().code, "tensor.shape");
    EXPECT_EQ(tensor_bytes(huge / 4 + 1, 1, DataFormat::Float32, Layout::rows).error().code, "tensor.shape");
    EXPECT_EQ(to_bytes({2, 2, {1}}, DataFormat::Float32, Layout::rows).error().code, "tensor.shape");
    EXPECT_EQ(from_bytes(std::vector<std::byte>(15), 2, 2, DataFormat::Float32, Layout::rows).error().code,
              "tensor.shape");
    EXPECT_EQ(from_bytes({}, huge, 0, DataFormat::Float32, Layout::rows)->values.size(), 0u);
    EXPECT_TRUE(to_bytes({huge, 0, {}}, DataFormat::Float32, Layout::rows)->empty());
}

// The bits of as many datums of 32 have to fit 64 bits: at most 2^59 - 1 of them.
TEST(Layouts, TheLargestSize) {
    constexpr std::size_t most = (std::size_t{1} << 59) - 1;
    EXPECT_EQ(tensor_bytes(most, 1, DataFormat::Float32, Layout::rows).value(), 4 * most);
    EXPECT_EQ(tensor_bytes(1, most, DataFormat::Lf8, Layout::rows).value(), most);
    const auto more = tensor_bytes(most + 1, 1, DataFormat::Lf8, Layout::rows);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().message, "576460752303423488 x 1 is too large");
    EXPECT_FALSE(tensor_bytes(1, most + 1, DataFormat::Lf8, Layout::rows));
}

// --- .npy

std::string npy(std::string_view dictionary, std::string_view data, char major = 1) {
    std::string header(dictionary);
    header += '\n';
    std::string file = "\x93NUMPY";
    file += major;
    file += '\0';
    const int length_bytes = major == 1 ? 2 : 4;
    for (int i = 0; i < length_bytes; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xFF);
    return file + header + std::string(data);
}

std::string array(std::string_view descr, std::string_view shape, std::string_view data,
                  std::string_view fortran = "False") {
    return npy(fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", descr, fortran, shape), data);
}

template <class T>
std::string raw(std::initializer_list<T> values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.begin(), bytes.size());
    return bytes;
}

class Npy : public testing::Test {
protected:
    Result<Matrix> read(std::string_view bytes) { return read_npy(directory_.write("a.npy", bytes)); }

    void expect_values(std::string_view bytes, std::size_t rows, std::size_t cols, const std::vector<float>& values) {
        const auto matrix = read(bytes);
        ASSERT_TRUE(matrix) << matrix.error().message;
        EXPECT_EQ(matrix->rows, rows);
        EXPECT_EQ(matrix->cols, cols);
        EXPECT_EQ(matrix->values, values);
    }

    void expect_error(std::string_view bytes, std::string_view code) {
        const auto matrix = read(bytes);
        ASSERT_FALSE(matrix) << code;
        EXPECT_EQ(matrix.error().code, code) << matrix.error().message;
        EXPECT_EQ(matrix.error().file, directory_ / "a.npy");
    }

    TemporaryDirectory directory_;
};

TEST_F(Npy, ReadsEveryDtype) {
    expect_values(array("<f4", "(2,)", raw<float>({1.5f, -2})), 1, 2, {1.5f, -2});
    expect_values(array("<f8", "(2,)", raw<double>({0.1, -2})), 1, 2, {0.1f, -2});
    expect_values(array("<f2", "(3,)", raw<std::uint16_t>({0x3C00, 0x7C00, 0xFC00})), 1, 3,
                  {1, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()});
    expect_values(array("|i1", "(2,)", raw<std::int8_t>({-128, 127})), 1, 2, {-128, 127});
    expect_values(array("<i2", "(2,)", raw<std::int16_t>({-2, 3})), 1, 2, {-2, 3});
    expect_values(array("<i4", "(2,)", raw<std::int32_t>({-2, 3})), 1, 2, {-2, 3});
    expect_values(array("<i8", "(2,)", raw<std::int64_t>({-2, 3})), 1, 2, {-2, 3});
    expect_values(array("|u1", "(2,)", raw<std::uint8_t>({200, 3})), 1, 2, {200, 3});
    expect_values(array("<u2", "(2,)", raw<std::uint16_t>({60000, 3})), 1, 2, {60000, 3});
    expect_values(array("<u4", "(1,)", raw<std::uint32_t>({0xFFFFFFFF})), 1, 1, {0x1p32f});
    expect_values(array("<u8", "(1,)", raw<std::uint64_t>({~0ull})), 1, 1, {0x1p64f});
    expect_values(array("|b1", "(3,)", raw<std::uint8_t>({0, 1, 2})), 1, 3, {0, 1, 1});
    EXPECT_TRUE(std::isnan(read(array("<f2", "(1,)", raw<std::uint16_t>({0x7E00})))->values[0]));
    EXPECT_TRUE(std::isinf(read(array("<f8", "(1,)", raw<double>({1e300})))->values[0]));
}

// Many elements are read in rows of some, which need not be full.
TEST_F(Npy, ReadsManyElementsOfEveryDtype) {
    constexpr std::size_t count = 53;
    std::mt19937_64 random(8);
    const auto expect = [&]<class T>(const char* descr, T) {
        std::vector<T> elements(count);
        for (T& element : elements) element = static_cast<T>(static_cast<std::int64_t>(random()) >> random() % 64);
        const std::string bytes(reinterpret_cast<const char*>(elements.data()), count * sizeof(T));
        const auto matrix = read(array(descr, "(53,)", bytes));
        ASSERT_TRUE(matrix) << descr;
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(matrix->values[i], static_cast<float>(elements[i])) << descr << " " << i;
            if constexpr (std::is_integral_v<T>) {
                // Unsigned ones of 64 bits end where signed ones do.
                const bool beyond = elements[i] > 0 && static_cast<std::int64_t>(elements[i]) < 0;
                ASSERT_EQ(matrix->integers[i], beyond ? INT64_MAX : static_cast<std::int64_t>(elements[i])) << descr;
            }
        }
    };
    expect("<f4", 0.0f);
    expect("<f8", 0.0);
    expect("|i1", std::int8_t{});
    expect("<i2", std::int16_t{});
    expect("<i4", std::int32_t{});
    expect("<i8", std::int64_t{});
    expect("|u1", std::uint8_t{});
    expect("<u2", std::uint16_t{});
    expect("<u4", std::uint32_t{});
    expect("<u8", std::uint64_t{});
}

TEST_F(Npy, ReadsLargeMatricesOfBothOrders) {
    constexpr std::size_t rows = 35, cols = 50;
    std::vector<std::uint16_t> elements(rows * cols);
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<std::uint16_t>(i);
    const std::string bytes(reinterpret_cast<const char*>(elements.data()), 2 * elements.size());
    for (const bool fortran : {false, true}) {
        const auto matrix = read(array("<u2", "(35, 50)", bytes, fortran ? "True" : "False"));
        ASSERT_TRUE(matrix);
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t column = 0; column < cols; ++column) {
                const std::size_t element = fortran ? column * rows + row : row * cols + column;
                ASSERT_EQ(matrix->values[row * cols + column], static_cast<float>(element));
                ASSERT_EQ(matrix->integers[row * cols + column], static_cast<std::int64_t>(element));
            }
    }
}

TEST_F(Npy, KeepsIntegersExact) {
    const auto matrix =
        read(array("<i4", "(2, 2)", raw<std::int32_t>({16777217, -16777217, INT32_MIN, INT32_MAX}), "True"));
    ASSERT_TRUE(matrix);
    const std::vector<std::int64_t> expected = {16777217, INT32_MIN, -16777217, INT32_MAX};
    EXPECT_EQ(matrix->integers, expected);
    const auto bytes = to_bytes(*matrix, DataFormat::Int32, Layout::rows);
    ASSERT_TRUE(bytes);
    const auto back = from_bytes(*bytes, 2, 2, DataFormat::Int32, Layout::rows);
    ASSERT_TRUE(write_npy(directory_ / "a.npy", *back));
    EXPECT_EQ(read_npy(directory_ / "a.npy")->integers, expected);
    EXPECT_EQ(read(array("<u8", "(1,)", raw<std::uint64_t>({~0ull})))->integers[0], INT64_MAX);
    EXPECT_EQ(read(array("<u4", "(1,)", raw<std::uint32_t>({~0u})))->integers[0], 0xFFFFFFFF);
    EXPECT_TRUE(read(array("<f4", "(1,)", raw<float>({1})))->integers.empty());
    EXPECT_EQ(to_bytes({1, 1, {1}, {1, 2}}, DataFormat::Int32, Layout::rows).error().code, "tensor.shape");
    EXPECT_EQ(write_npy(directory_ / "a.npy", {1, 1, {1}, {1, 2}}).error().code, "npy.shape");
}

// Whole numbers of float64 are exact up to 2^53, those of float32 up to 2^24.
TEST_F(Npy, RoundsFloat64OnceForIntegerFormats) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    const auto path = directory_.write(
        "a.npy", array("<f8", "(2, 5)", raw<double>({16777217, 0x1p53 - 1, 2147483647, 0.5, 1.5, -2.5, nan, infinity, -infinity, -0x1p63})));
    const std::vector<std::int64_t> expected = {16777217, (std::int64_t{1} << 53) - 1, 2147483647, 0, 2, -2, 0, INT64_MAX, INT64_MIN, INT64_MIN};
    const auto matrix = read_npy(path, DataFormat::Int32);
    ASSERT_TRUE(matrix) << matrix.error().describe();
    EXPECT_EQ(matrix->integers, expected);
    EXPECT_TRUE(read_npy(path, DataFormat::Float32)->integers.empty());
    EXPECT_TRUE(read_npy(path)->integers.empty()) << "an array of floats stays one";
    const auto bytes = to_bytes(*matrix, DataFormat::Int32, Layout::rows);
    ASSERT_TRUE(bytes);
    const std::vector<std::int64_t> in_format = {16777217, INT32_MAX, 2147483647, 0, 2, -2, 0, INT32_MAX, INT32_MIN, INT32_MIN};
    EXPECT_EQ(from_bytes(*bytes, 2, 5, DataFormat::Int32, Layout::rows)->integers, in_format);
}

TEST_F(Npy, TheFirstFloat64BeyondIntegersIsTheLargestInteger) {
    const auto path = directory_.write("a.npy", array("<f8", "(4,)", raw<double>({0x1p63, 0x1p63 - 1024, -0x1p63, -0x1p63 - 2048})));
    const std::vector<std::int64_t> expected = {INT64_MAX, INT64_MAX - 1023, INT64_MIN, INT64_MIN};
    EXPECT_EQ(read_npy(path, DataFormat::Int32)->integers, expected);
}

TEST_F(Npy, ReadsShapesOrdersAndVersions) {
    const auto data = raw<std::uint8_t>({1, 2, 3, 4, 5, 6});
    expect_values(array("|u1", "(2, 3)", data), 2, 3, {1, 2, 3, 4, 5, 6});
    expect_values(array("|u1", "(2, 3)", data, "True"), 2, 3, {1, 3, 5, 2, 4, 6});
    expect_values(array("|u1", "(6,)", data, "True"), 1, 6, {1, 2, 3, 4, 5, 6});
    expect_values(array("|u1", "(0, 3)", ""), 0, 3, {});
    expect_values(array("|u1", "(1000000000000, 0)", "", "True"), 1000000000000, 0, {});
    for (char major : {'\2', '\3'})
        expect_values(npy("{\"shape\":(1,1),\"descr\":\"|u1\",\"fortran_order\":False}", "\7", major), 1, 1, {7});
}

TEST_F(Npy, RefusesWhatItCannotRead) {
    EXPECT_EQ(read_npy(directory_ / "none.npy").error().code, "npy.open");
    EXPECT_EQ(read_npy(directory_ / "").error().code, "npy.open");
    EXPECT_EQ(read_npy("/dev/zero").error().code, "npy.open");
    expect_error("", "npy.format");
    expect_error("PK\3\4", "npy.format");
    expect_error("\x93NUMPY", "npy.format");
    expect_error(npy("{}", "", '\4'), "npy.format");
    expect_error(std::string("\x93NUMPY\1\0\xFF\xFF", 10), "npy.format");
    expect_error(std::string("\x93NUMPY\2\0\xFF\xFF\xFF\xFF", 12), "npy.format");
    expect_error(npy("", ""), "npy.format");
    expect_error(npy("{}", ""), "npy.format");
    expect_error(npy("{'descr': '<f4', 'shape': (1,)}", "abcd"), "npy.format");
    expect_error(npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "abcd"), "npy.format");
    expect_error(npy("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "abcd"), "npy.format");
    expect_error(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "abcd"), "npy.format");
    expect_error(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}", "abcd"), "npy.format");
    expect_error(npy("{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}", "abcd"), "npy.format");
    expect_error(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1", "abcd"), "npy.format");
    expect_error(array(">f4", "(1,)", "abcd"), "npy.dtype");
    expect_error(array("<c8", "(1,)", "abcdefgh"), "npy.dtype");
    expect_error(array("|O", "(1,)", "abcdefgh"), "npy.dtype");
    expect_error(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "abcd"), "npy.dtype");
    expect_error(array("<f4", "()", "abcd"), "npy.shape");
    expect_error(array("<f4", "(1, 1, 1)", "abcd"), "npy.shape");
    expect_error(array("<f4", "(99999999999999999999,)", "abcd"), "npy.shape");
    expect_error(array(
                     "<f4",
                     "(" +
                         [] {
                             std::string many;
                             for (int i = 0; i < 1000; ++i) many += "1,";
                             return many;
                         }() +
                         ")",
                     "abcd"),
                 "npy.shape");
    expect_error(array("<f4", "(2,)", "abcd"), "npy.size");
    expect_error(array("<f4", "(1,)", "abcde"), "npy.size");
    expect_error(array("<f4", "(1000000000000, 1)", "abcd"), "npy.size");
    expect_error(array("<f4", "(4294967296, 4294967296)", ""), "npy.size");
    expect_error(array("<f4", "(4611686018427387904,)", ""), "npy.size");
}

TEST_F(Npy, AHeaderHasItsQuotesValuesAndCommas) {
    for (const char* dictionary :
         {"{|descr|: '<f4', 'fortran_order': False, 'shape': (1,)}", "{'descr': |<f4|, 'fortran_order': False, 'shape': (1,)}",
          "{'descr': , 'fortran_order': False, 'shape': (1,)}", "{'descr': '<f4', 'fortran_order': , 'shape': (1,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': }", "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}"}) {
        SCOPED_TRACE(dictionary);
        expect_error(npy(dictionary, "abcd"), "npy.format");
    }
}

TEST_F(Npy, DataAreNotReadAsPartOfTheHeader) {
    expect_values(array("|u1", "(3,)", " \n\t"), 1, 3, {32, 10, 9});
    expect_error(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (", "5,)}"), "npy.format");
}

TEST_F(Npy, BrokenFilesNeverCrash) {
    const auto good = array("<f4", "(2, 2)", raw<float>({1, 2, 3, 4}));
    for (std::size_t length = 0; length < good.size(); ++length) EXPECT_FALSE(read(good.substr(0, length)));
    std::mt19937 random(3);
    for (int i = 0; i < 5000; ++i) {
        auto bytes = good;
        bytes[random() % bytes.size()] = static_cast<char>(random());
        bytes[random() % bytes.size()] = static_cast<char>(random());
        const auto matrix = read(bytes);
        if (matrix) {
            EXPECT_EQ(matrix->values.size(), matrix->rows * matrix->cols);
        }
    }
}

TEST_F(Npy, WritesWhatItReads) {
    const auto path = directory_ / "b.npy";
    const auto matrix = counting(7, 13);
    ASSERT_TRUE(write_npy(path, matrix));
    const auto back = read_npy(path);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->rows, 7u);
    EXPECT_EQ(back->cols, 13u);
    EXPECT_EQ(back->values, matrix.values);
    EXPECT_EQ(std::filesystem::file_size(path) % 64, 7 * 13 * 4 % 64u);
    ASSERT_TRUE(write_npy(path, {0, 0, {}}));
    EXPECT_EQ(read_npy(path)->values.size(), 0u);
    EXPECT_EQ(directory_.files(), 1u);
}

TEST_F(Npy, BytesHaveTheSizeThatIsAskedFor) {
    const std::vector<std::byte> bytes = {std::byte{1}, std::byte{0}, std::byte{0xFF}};
    const auto path = directory_ / "a.bin";
    ASSERT_TRUE(write_bytes(path, bytes));
    EXPECT_EQ(read_bytes(path, 3).value(), bytes);
    for (const std::size_t size : {0u, 2u, 4u}) {
        const auto other = read_bytes(path, size);
        ASSERT_FALSE(other) << size;
        EXPECT_EQ(other.error().code, "tensor.shape");
        EXPECT_EQ(other.error().message, fmt::format("the file has 3 bytes, not {}", size));
        EXPECT_EQ(other.error().file, path);
    }
    EXPECT_EQ(read_bytes(directory_ / "none.bin", 3).error().code, "tensor.open");
    EXPECT_EQ(read_bytes(directory_ / "", 3).error().code, "tensor.open");
    EXPECT_EQ(write_bytes(directory_ / "missing/b.bin", bytes).error().code, "tensor.open");
}

TEST_F(Npy, WritesWholeFilesOrNone) {
    EXPECT_EQ(write_npy(directory_ / "missing/b.npy", counting(1, 1)).error().code, "npy.open");
    std::filesystem::create_directory(directory_ / "taken");
    EXPECT_EQ(write_npy(directory_ / "taken", counting(1, 1)).error().code, "npy.open");
    EXPECT_EQ(write_npy(directory_ / "c.npy", {2, 2, {1}}).error().code, "npy.shape");
    const auto integers = write_npy(directory_ / "c.npy", {2, 2, {1, 2, 3, 4}, {1, 2, 3}});
    EXPECT_EQ(integers.error().code, "npy.shape");
    EXPECT_EQ(integers.error().message, "2 x 2 does not take 3 integers: give one for each value, or none");
    EXPECT_EQ(directory_.files(), 1u);
}

// 2^33 times 2^33 is 0 in 64 bits.
TEST_F(Npy, AShapeThatOverflowsIsNotOneOfNoValues) {
    const auto written = write_npy(directory_ / "c.npy", {std::size_t{1} << 33, std::size_t{1} << 33, {}});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, "npy.shape");
    EXPECT_EQ(written.error().message, "8589934592 x 8589934592 does not take 0 values");
    EXPECT_EQ(directory_.files(), 0u);
}

// The system would end the path there.
TEST_F(Npy, NoPathHasANulByte) {
    const std::string there = directory_ / "there.npy";
    ASSERT_TRUE(write_npy(there, counting(1, 1)));
    for (const std::string& path : {there + '\0', there + std::string("\0more", 5), directory_ / std::string("new\0", 4)}) {
        const std::vector<Result<void>> refusals = {write_npy(path, counting(2, 2)), read_npy(path).map([](const auto&) {}),
                                                    write_bytes(path, {}), read_bytes(path, 4).map([](const auto&) {}),
                                                    assemble_file(path, Arch::blackhole).map([](const auto&) {})};
        const char* codes[] = {"npy.open", "npy.open", "tensor.open", "tensor.open", "asm.read"};
        for (std::size_t i = 0; i < refusals.size(); ++i) {
            ASSERT_FALSE(refusals[i]) << codes[i];
            EXPECT_EQ(refusals[i].error().code, codes[i]);
            EXPECT_NE(refusals[i].error().message.find("the path has a NUL byte"), std::string::npos);
        }
    }
    EXPECT_EQ(directory_.files(), 1u);
    EXPECT_EQ(read_npy(there)->values.size(), 1u);
}

// Files of /proc have the size 0. A process cannot read its own memory at address 0.
TEST_F(Npy, FilesAreReadToTheirEndWhateverTheirSize) {
    constexpr std::string_view name = "Linux\n";
    const auto bytes = read_bytes("/proc/sys/kernel/ostype", name.size());
    ASSERT_TRUE(bytes) << bytes.error().describe();
    EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size()), name);
    EXPECT_EQ(read_bytes("/proc/self/mem", 0).error().code, "tensor.open");
    EXPECT_EQ(read_npy("/proc/self/mem").error().code, "npy.open");
}

// A file that is there and cannot be opened.
TEST_F(Npy, TheSystemsReasonIsTold) {
    const std::string path = directory_.write("a.npy", "x");
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit none{0, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    const auto matrix = read_npy(path);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    ASSERT_FALSE(matrix);
    EXPECT_EQ(matrix.error().code, "npy.open");
    EXPECT_EQ(matrix.error().message, "cannot be read: Too many open files");
    EXPECT_EQ(read_npy(directory_ / "none.npy").error().message, "cannot be read: No such file or directory");
    EXPECT_EQ(read_npy(directory_ / ".").error().message, "cannot be read: it is not a regular file");
}

// By its size before it is read, and by what is read where the size says less.
TEST_F(Npy, AFileIsReadUpToItsBound) {
    const std::string path = directory_.write("a.txt", "Linux\n");
    EXPECT_EQ(tensor::read_file(path, "a.code", 6).value(), "Linux\n");
    const auto larger = tensor::read_file(path, "a.code", 5);
    ASSERT_FALSE(larger);
    EXPECT_EQ(larger.error().code, "a.code");
    EXPECT_EQ(larger.error().message, "cannot be read: it has 6 bytes, and at most 5 are read");
    EXPECT_EQ(larger.error().file, path);
    const std::string of_system = "/proc/sys/kernel/ostype";
    EXPECT_EQ(tensor::read_file(of_system, "a.code", 6).value(), "Linux\n");
    for (std::uint64_t most = 0; most < 6; ++most) {
        const auto more = tensor::read_file(of_system, "a.code", most);
        ASSERT_FALSE(more) << most;
        EXPECT_EQ(more.error().message, fmt::format("cannot be read: it has more than {0} bytes, and at most {0} are read", most));
    }
}

}  // namespace
}  // namespace tessera

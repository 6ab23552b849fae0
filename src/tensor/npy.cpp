// SPDX-License-Identifier: Apache-2.0
#include "tensor/npy.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "tensor/codecs.hpp"
#include "tensor/host_file.hpp"
#include "tensor/loops.hpp"
#include "tensor/npy_header.hpp"
#include "tessera/output_file.hpp"

namespace tessera {

namespace tensor {

namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as the file holds them");

constexpr std::string_view magic = "\x93NUMPY";

// Converts in fixed-length local rows: without aliasing, compilers vectorise the loop.
template <class From, class To, class Convert>
void convert(const char* bytes, std::size_t n, To* to, Convert&& one) {
    constexpr std::size_t row = 16;
    std::array<From, row> from;
    std::array<To, row> made;
    for (; n >= row; n -= row, bytes += sizeof from, to += row) {
        std::memcpy(from.data(), bytes, sizeof from);
        for (std::size_t i = 0; i < row; ++i) made[i] = one(from[i]);
        std::memcpy(to, made.data(), sizeof made);
    }
    std::memcpy(from.data(), bytes, n * sizeof(From));
    for (std::size_t i = 0; i < n; ++i) to[i] = one(from[i]);
}

template <class T>
void values(const char* bytes, std::size_t n, float* to) {
    convert<T>(bytes, n, to, [](T value) { return static_cast<float>(value); });
}

void floats(const char* bytes, std::size_t n, float* to) {
    if (n) std::memcpy(to, bytes, n * sizeof *to);
}

void halves(const char* bytes, std::size_t n, float* to) {
    ieee_half_loop()(reinterpret_cast<const std::byte*>(bytes), n, to);
}

void bools(const char* bytes, std::size_t n, float* to) {
    convert<char>(bytes, n, to, [](char value) { return value != 0 ? 1.0f : 0.0f; });
}

// Exact; unsigned values beyond the range saturate.
template <class T>
void exact_values(const char* bytes, std::size_t n, std::int64_t* to) {
    convert<T>(bytes, n, to, [](T value) {
        if constexpr (std::is_same_v<T, std::uint64_t>) {
            constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
            return static_cast<std::int64_t>(std::min(value, largest));
        } else {
            return std::int64_t{value};
        }
    });
}

void rounded_values(const char* bytes, std::size_t n, std::int64_t* to) {
    convert<double>(bytes, n, to, [](double value) -> std::int64_t {
        constexpr double beyond = 0x1p63;
        if (std::isnan(value)) return 0;
        if (value >= beyond) return std::numeric_limits<std::int64_t>::max();
        return static_cast<std::int64_t>(std::nearbyint(std::max(value, -beyond)));
    });
}

struct Dtype {
    std::string_view descr;
    std::size_t size;
    void (*values)(const char*, std::size_t n, float*);
    void (*integers)(const char*, std::size_t n, std::int64_t*) = nullptr;  ///< null: `values` are exact
    bool is_integer = integers != nullptr;
};

template <class T>
constexpr Dtype integers(std::string_view descr) {
    return {descr, sizeof(T), values<T>, exact_values<T>};
}

constexpr Dtype dtypes[] = {
    {"<f2", 2, halves},
    {"<f4", 4, floats},
    {"<f8", 8, values<double>, rounded_values, false},
    integers<std::int8_t>("|i1"),
    integers<std::int8_t>("<i1"),
    integers<std::int16_t>("<i2"),
    integers<std::int32_t>("<i4"),
    integers<std::int64_t>("<i8"),
    integers<std::uint8_t>("|u1"),
    integers<std::uint8_t>("<u1"),
    integers<std::uint16_t>("<u2"),
    integers<std::uint32_t>("<u4"),
    integers<std::uint64_t>("<u8"),
    {"|b1", 1, bools},
};

Result<Dtype> find_dtype(std::string_view descr) {
    for (const auto& dtype : dtypes)
        if (dtype.descr == descr) return dtype;
    if (descr.starts_with('>')) return fail("npy.dtype", "the array is big-endian");
    std::string all;
    for (const auto& dtype : dtypes) all += fmt::format("{}{}", all.empty() ? "" : ", ", dtype.descr);
    return fail("npy.dtype", fmt::format("arrays of dtype '{}' cannot be read: only {}", descr, all));
}

std::uint32_t little_endian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
    return value;
}

/// Turns column-major elements into row-major ones. An empty matrix stays empty for any number of columns.
template <class T>
void transpose(std::vector<T>& elements, std::size_t rows, std::size_t cols) {
    if (elements.empty()) return;
    // Blocked by squares of this side, to stay in the cache.
    constexpr std::size_t side = 16;
    std::vector<T> result(elements.size());
    for (std::size_t row = 0; row < rows; row += side)
        for (std::size_t column = 0; column < cols; column += side)
            for (std::size_t r = row; r < std::min(row + side, rows); ++r)
                for (std::size_t c = column; c < std::min(column + side, cols); ++c)
                    result[r * cols + c] = elements[c * rows + r];
    elements = std::move(result);
}

/// Splits a file into header and data.
Result<NpyHeader> take_header(std::string_view& bytes) {
    if (!bytes.starts_with(magic)) return fail("npy.format", "not a .npy file: it does not begin with its magic number");
    bytes.remove_prefix(magic.size());
    if (bytes.size() < 2) return fail("npy.format", "the file ends within its header");
    const auto major = static_cast<std::uint8_t>(bytes[0]);
    if (major < 1 || major > 3 || bytes[1] != 0)
        return fail("npy.format", fmt::format("format {}.{} is not known", major, static_cast<std::uint8_t>(bytes[1])));
    bytes.remove_prefix(2);
    const std::size_t length_bytes = major == 1 ? 2 : 4;
    if (bytes.size() < length_bytes) return fail("npy.format", "the file ends within its header");
    const std::size_t length = little_endian(bytes.substr(0, length_bytes));
    bytes.remove_prefix(length_bytes);
    if (bytes.size() < length) return fail("npy.format", "the file ends within its header");
    auto header = parse_npy_header(bytes.substr(0, length));
    bytes.remove_prefix(length);
    return header;
}

}  // namespace

Result<Matrix> parse_npy(std::string_view bytes, bool for_integers) {
    const auto header = take_header(bytes);
    if (!header) return tl::make_unexpected(header.error());
    const auto dtype = find_dtype(header->descr);
    if (!dtype) return tl::make_unexpected(dtype.error());
    const auto& shape = header->shape;
    if (shape.size() != 1 && shape.size() != 2)
        return fail("npy.shape", fmt::format("the array has {} dimensions, not one or two", shape.size()));

    Matrix matrix;
    matrix.rows = shape.size() == 2 ? shape[0] : 1;
    matrix.cols = shape.back();
    if (matrix.cols != 0 && matrix.rows > std::numeric_limits<std::size_t>::max() / dtype->size / matrix.cols)
        return fail("npy.size", fmt::format("{} x {} is too large", matrix.rows, matrix.cols));
    const std::size_t count = matrix.rows * matrix.cols;
    if (bytes.size() != count * dtype->size)
        return fail("npy.size", fmt::format("{} x {} of '{}' takes {} bytes, and the file has {}", matrix.rows,
                                            matrix.cols, dtype->descr, count * dtype->size, bytes.size()));
    matrix.values.resize(count);
    dtype->values(bytes.data(), count, matrix.values.data());
    if (dtype->is_integer || (dtype->integers && for_integers)) {
        matrix.integers.resize(count);
        dtype->integers(bytes.data(), count, matrix.integers.data());
    }
    if (header->fortran_order) {
        transpose(matrix.values, matrix.rows, matrix.cols);
        transpose(matrix.integers, matrix.rows, matrix.cols);
    }
    return matrix;
}

Result<std::string> format_npy(const Matrix& matrix) {
    const bool overflows = matrix.cols != 0 && matrix.rows > std::numeric_limits<std::size_t>::max() / matrix.cols;
    const std::size_t count = matrix.rows * matrix.cols;
    const bool exact = !matrix.integers.empty();
    if (overflows || matrix.values.size() != count)
        return fail("npy.shape",
                    fmt::format("{} x {} does not take {} values", matrix.rows, matrix.cols, matrix.values.size()));
    if (exact && matrix.integers.size() != count)
        return fail("npy.shape", fmt::format("{} x {} does not take {} integers: give one for each value, or none", matrix.rows,
                                             matrix.cols, matrix.integers.size()));
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                     exact ? "<i8" : "<f4", matrix.rows, matrix.cols);
    // The format requires the data to start at a multiple of 64, after a newline.
    constexpr std::size_t alignment = 64, length_bytes = sizeof(std::uint16_t);
    const std::size_t preamble = magic.size() + 2 + length_bytes;
    header.append(alignment - 1 - (preamble + header.size()) % alignment, ' ');
    header += '\n';

    std::string bytes(magic);
    bytes += '\1';
    bytes += '\0';
    const auto length = static_cast<std::uint16_t>(header.size());
    bytes.append(reinterpret_cast<const char*>(&length), length_bytes);
    bytes += header;
    const std::size_t size = count * (exact ? sizeof(std::int64_t) : sizeof(float));
    const void* elements = exact ? static_cast<const void*>(matrix.integers.data()) : matrix.values.data();
    bytes += std::string_view(static_cast<const char*>(elements), size);
    return bytes;
}

}  // namespace tensor

namespace {

Result<Matrix> read_matrix(const std::string& path, bool for_integers) {
    const auto bytes = tensor::read_file(path, "npy.open");
    if (!bytes) return tl::make_unexpected(bytes.error());
    try {
        return tensor::parse_npy(*bytes, for_integers).map_error([&](Error error) {
            error.file = path;
            return error;
        });
    } catch (const std::bad_alloc&) {
        return fail("npy.size", "the array does not fit into memory", path);
    }
}

}  // namespace

Result<Matrix> read_npy(const std::string& path) { return read_matrix(path, false); }

Result<Matrix> read_npy(const std::string& path, DataFormat format) {
    const auto codec = tensor::Codec::find(format, Rounding::host, std::nullopt);
    return read_matrix(path, codec && codec->is_integer());
}

Result<void> write_npy(const std::string& path, const Matrix& matrix) {
    const auto bytes = tensor::format_npy(matrix);
    if (!bytes) return tl::make_unexpected(bytes.error());
    return write_file(path, *bytes, "npy.open");
}

}  // namespace tessera

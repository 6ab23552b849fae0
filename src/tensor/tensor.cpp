// SPDX-License-Identifier: Apache-2.0
#include "tessera/tensor.hpp"

#include <fmt/format.h>
#include <limits>
#include <optional>

#include "tensor/scalar_formats.hpp"

namespace tessera {

namespace {

constexpr std::size_t tile_side = 32, face_side = 16, faces_per_side = tile_side / face_side;

/// Nothing: no converter.
std::optional<std::size_t> datum_bytes(DataFormat format) {
    switch (format) {
        case DataFormat::Float32: return 4;
        case DataFormat::Float16:
        case DataFormat::Float16_b: return 2;
        default: return std::nullopt;
    }
}

void store(std::span<std::byte> target, std::uint32_t bits) {
    for (auto& byte : target) {
        byte = static_cast<std::byte>(bits & 0xFF);
        bits >>= 8;
    }
}

std::uint32_t load(std::span<const std::byte> source) {
    std::uint32_t bits = 0;
    for (std::size_t i = source.size(); i-- > 0;) bits = bits << 8 | std::to_integer<std::uint32_t>(source[i]);
    return bits;
}

std::uint32_t encode(float value, DataFormat format) {
    if (format == DataFormat::Float16) return tensor::to_float16(value);
    if (format == DataFormat::Float16_b) return tensor::to_float16_b(value);
    return std::bit_cast<std::uint32_t>(value);
}

float decode(std::uint32_t bits, DataFormat format) {
    if (format == DataFormat::Float16) return tensor::from_float16(static_cast<std::uint16_t>(bits));
    if (format == DataFormat::Float16_b) return tensor::from_float16_b(static_cast<std::uint16_t>(bits));
    return std::bit_cast<float>(bits);
}

/// Where the datum of a row and column stands, counted in datums.
std::size_t position(std::size_t row, std::size_t column, std::size_t cols, Layout layout) {
    if (layout == Layout::rows) return row * cols + column;
    const std::size_t tile = row / tile_side * (cols / tile_side) + column / tile_side;
    const std::size_t face = row % tile_side / face_side * faces_per_side + column % tile_side / face_side;
    const std::size_t within = row % face_side * face_side + column % face_side;
    return (tile * faces_per_side * faces_per_side + face) * face_side * face_side + within;
}

}  // namespace

Result<std::size_t> tensor_bytes(std::size_t rows, std::size_t cols, DataFormat format, Layout layout) {
    const auto size = datum_bytes(format);
    if (!size) return fail("tensor.format", fmt::format("there is no converter for {}", name(format)));
    if (layout == Layout::tiles && (rows % tile_side != 0 || cols % tile_side != 0))
        return fail("tensor.shape", fmt::format("{} x {} is not made of whole tiles of 32 x 32", rows, cols));
    if (cols != 0 && rows > std::numeric_limits<std::size_t>::max() / *size / cols)
        return fail("tensor.shape", fmt::format("{} x {} is too large", rows, cols));
    return rows * cols * *size;
}

Result<std::vector<std::byte>> to_bytes(const Matrix& matrix, DataFormat format, Layout layout) {
    const auto total = tensor_bytes(matrix.rows, matrix.cols, format, layout);
    if (!total) return tl::make_unexpected(total.error());
    if (matrix.values.size() != matrix.rows * matrix.cols)
        return fail("tensor.shape",
                    fmt::format("{} x {} does not take {} values", matrix.rows, matrix.cols, matrix.values.size()));
    const std::size_t size = *datum_bytes(format);
    std::vector<std::byte> bytes(*total);
    // An empty matrix may have any number of rows.
    if (bytes.empty()) return bytes;
    for (std::size_t row = 0, i = 0; row < matrix.rows; ++row)
        for (std::size_t column = 0; column < matrix.cols; ++column, ++i)
            store(std::span(bytes).subspan(position(row, column, matrix.cols, layout) * size, size),
                  encode(matrix.values[i], format));
    return bytes;
}

Result<Matrix> from_bytes(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, DataFormat format,
                          Layout layout) {
    const auto total = tensor_bytes(rows, cols, format, layout);
    if (!total) return tl::make_unexpected(total.error());
    if (bytes.size() != *total)
        return fail("tensor.shape", fmt::format("{} x {} of {} takes {} bytes, not {}", rows, cols, name(format),
                                                *total, bytes.size()));
    const std::size_t size = *datum_bytes(format);
    Matrix matrix{rows, cols, std::vector<float>(rows * cols)};
    if (matrix.values.empty()) return matrix;
    for (std::size_t row = 0, i = 0; row < rows; ++row)
        for (std::size_t column = 0; column < cols; ++column, ++i)
            matrix.values[i] = decode(load(bytes.subspan(position(row, column, cols, layout) * size, size)), format);
    return matrix;
}

}  // namespace tessera

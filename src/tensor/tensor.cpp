// SPDX-License-Identifier: Apache-2.0
#include "tessera/tensor.hpp"

#include <fmt/format.h>
#include <limits>

#include "tensor/block_formats.hpp"
#include "tensor/integer_formats.hpp"
#include "tensor/places.hpp"
#include "tensor/scalar_formats.hpp"

namespace tessera {

namespace {

using namespace tensor;

/// How single datums become bits and back: values of floating-point formats, integers of the others.
struct Codec {
    DataFormat format;
    unsigned bytes;
    std::uint32_t (*encode)(float);
    float (*decode)(std::uint32_t);
    std::uint32_t (*encode_integer)(std::int64_t) = nullptr;
    std::int64_t (*decode_integer)(std::uint32_t) = nullptr;
};

std::uint32_t to_float32(float value) { return std::bit_cast<std::uint32_t>(value); }
float from_float32(std::uint32_t bits) { return std::bit_cast<float>(bits); }

template <class Integer>
constexpr Codec plain_integer(DataFormat format) {
    return {format, sizeof(Integer), nullptr, nullptr, to_plain_integer<Integer>, from_plain_integer<Integer>};
}

constexpr Codec codecs[] = {
    {DataFormat::Float32, 4, to_float32, from_float32},
    {DataFormat::Tf32, 4, to_tf32, from_float32},
    {DataFormat::Float16, 2, to_float16, from_float16},
    {DataFormat::Float16_b, 2, to_float16_b, from_float16_b},
    {DataFormat::Lf8, 1, to_small_float<5, 2>, from_small_float<5, 2>},
    {DataFormat::Fp8_e4m3, 1, to_small_float<4, 3>, from_small_float<4, 3>},
    {DataFormat::Int8, 1, nullptr, nullptr, to_sign_magnitude, from_sign_magnitude},
    plain_integer<std::uint8_t>(DataFormat::UInt8),
    plain_integer<std::uint16_t>(DataFormat::UInt16),
    plain_integer<std::int32_t>(DataFormat::Int32),
    plain_integer<std::uint32_t>(DataFormat::UInt32),
};

const Codec* find_codec(DataFormat format) {
    for (const Codec& codec : codecs)
        if (codec.format == format) return &codec;
    return nullptr;
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

void encode_datums(const Matrix& matrix, const Codec& codec, Layout layout, std::span<std::byte> bytes) {
    for (std::size_t row = 0, i = 0; row < matrix.rows; ++row)
        for (std::size_t column = 0; column < matrix.cols; ++column, ++i) {
            const std::uint32_t bits = codec.encode              ? codec.encode(matrix.values[i])
                                       : matrix.integers.empty() ? codec.encode_integer(to_integer(matrix.values[i]))
                                                                 : codec.encode_integer(matrix.integers[i]);
            store(bytes.subspan(position(row, column, matrix.cols, layout) * codec.bytes, codec.bytes), bits);
        }
}

void decode_datums(std::span<const std::byte> bytes, const Codec& codec, Layout layout, Matrix& matrix) {
    if (!codec.decode) matrix.integers.resize(matrix.values.size());
    for (std::size_t row = 0, i = 0; row < matrix.rows; ++row)
        for (std::size_t column = 0; column < matrix.cols; ++column, ++i) {
            const auto at = position(row, column, matrix.cols, layout) * codec.bytes;
            const std::uint32_t bits = load(bytes.subspan(at, codec.bytes));
            if (codec.decode) {
                matrix.values[i] = codec.decode(bits);
            } else {
                matrix.integers[i] = codec.decode_integer(bits);
                matrix.values[i] = static_cast<float>(matrix.integers[i]);
            }
        }
}

// Calls f(index of the first value, place) for each block of a matrix, which is sixteen columns of a row.
template <class F>
void for_each_block(const Matrix& matrix, DataFormat format, Layout layout, F&& f) {
    for (std::size_t row = 0; row < matrix.rows; ++row)
        for (std::size_t column = 0; column < matrix.cols; column += formats::block_datums)
            f(row * matrix.cols + column, block_place(position(row, column, matrix.cols, layout), matrix.values.size(),
                                                      formats::datum_bits(format), layout));
}

void encode_blocks(const Matrix& matrix, DataFormat format, Layout layout, std::span<std::byte> bytes) {
    const unsigned bits = formats::datum_bits(format), per_byte = 8 / bits;
    for_each_block(matrix, format, layout, [&](std::size_t first, const BlockPlace& place) {
        std::array<float, formats::block_datums> values;
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = matrix.values[first + i];
        const Block block = to_block(values, format);
        bytes[place.exponent] = static_cast<std::byte>(block.exponent);
        for (std::size_t i = 0; i < values.size(); ++i)
            bytes[place.datums + i / per_byte] |= static_cast<std::byte>(block.datums[i] << i % per_byte * bits);
    });
}

void decode_blocks(std::span<const std::byte> bytes, DataFormat format, Layout layout, Matrix& matrix) {
    const unsigned bits = formats::datum_bits(format), per_byte = 8 / bits;
    for_each_block(matrix, format, layout, [&](std::size_t first, const BlockPlace& place) {
        Block block{std::to_integer<std::uint8_t>(bytes[place.exponent]), {}};
        for (std::size_t i = 0; i < block.datums.size(); ++i) {
            const auto byte = std::to_integer<unsigned>(bytes[place.datums + i / per_byte]);
            block.datums[i] = static_cast<std::uint8_t>(byte >> i % per_byte * bits & ((1u << bits) - 1));
        }
        const auto values = from_block(block, format);
        for (std::size_t i = 0; i < values.size(); ++i) matrix.values[first + i] = values[i];
    });
}

}  // namespace

std::string_view name(Layout layout) { return layout == Layout::tiles ? "tiles" : "rows"; }

std::optional<Layout> parse_layout(std::string_view text) {
    for (const Layout layout : {Layout::tiles, Layout::rows})
        if (name(layout) == text) return layout;
    return std::nullopt;
}

Result<std::size_t> tensor_bytes(std::size_t rows, std::size_t cols, DataFormat format, Layout layout) {
    const Codec* codec = find_codec(format);
    const bool blocks = formats::is_block_format(format);
    if (!codec && !blocks) return fail("tensor.format", fmt::format("there is no converter for {}", name(format)));
    if (layout == Layout::tiles && (rows % tile_side != 0 || cols % tile_side != 0))
        return fail("tensor.shape", fmt::format("{} x {} is not made of whole tiles of 32 x 32", rows, cols));
    if (blocks && cols % formats::block_datums != 0)
        return fail("tensor.shape",
                    fmt::format("rows of {} are not made of whole blocks of 16 of {}", cols, name(format)));
    // Values take four bytes each in memory, so that what does not fit there has no size either.
    if (cols != 0 && rows > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(float) / cols)
        return fail("tensor.shape", fmt::format("{} x {} is too large", rows, cols));
    const std::size_t datums = rows * cols;
    if (codec) return datums * codec->bytes;
    const std::size_t exponents = layout == Layout::tiles ? datums / formats::block_datums : exponent_section(datums);
    return exponents + datums * formats::datum_bits(format) / 8;
}

Result<std::vector<std::byte>> to_bytes(const Matrix& matrix, DataFormat format, Layout layout) {
    const auto total = tensor_bytes(matrix.rows, matrix.cols, format, layout);
    if (!total) return tl::make_unexpected(total.error());
    const std::size_t count = matrix.rows * matrix.cols;
    if (matrix.values.size() != count || (!matrix.integers.empty() && matrix.integers.size() != count))
        return fail("tensor.shape",
                    fmt::format("{} x {} does not take {} values", matrix.rows, matrix.cols, matrix.values.size()));
    std::vector<std::byte> bytes(*total);
    // An empty matrix may have any number of rows.
    if (bytes.empty()) return bytes;
    if (const Codec* codec = find_codec(format))
        encode_datums(matrix, *codec, layout, bytes);
    else
        encode_blocks(matrix, format, layout, bytes);
    return bytes;
}

Result<Matrix> from_bytes(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, DataFormat format,
                          Layout layout) {
    const auto total = tensor_bytes(rows, cols, format, layout);
    if (!total) return tl::make_unexpected(total.error());
    if (bytes.size() != *total)
        return fail("tensor.shape", fmt::format("{} x {} of {} takes {} bytes, not {}", rows, cols, name(format),
                                                *total, bytes.size()));
    Matrix matrix{rows, cols, std::vector<float>(rows * cols)};
    if (matrix.values.empty()) return matrix;
    if (const Codec* codec = find_codec(format))
        decode_datums(bytes, *codec, layout, matrix);
    else
        decode_blocks(bytes, format, layout, matrix);
    return matrix;
}

}  // namespace tessera

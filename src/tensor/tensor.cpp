// SPDX-License-Identifier: Apache-2.0
#include "tessera/tensor.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>

#include "tensor/codecs.hpp"
#include "tensor/places.hpp"
#include "tensor/units.hpp"

namespace tessera {

namespace {

using namespace tensor;

constexpr std::size_t most_compressed = 0xFFFF;  // the range of a row start
constexpr unsigned narrow_exponents = 32;

/// A matrix in memory: equal units in a row.
struct Places {
    Codec codec;
    Unit unit;
    std::size_t units{};
    std::size_t bytes() const { return units * unit.bytes; }
};

Result<Codec> find_codec(DataFormat format, const TensorForm& form, Rounding rounding) {
    if (!Codec::find(format, Rounding::host, {}))
        return fail("tensor.format", fmt::format("no converter for {}", name(format)));
    const bool block = formats::is_block_format(format);
    if (form.compressed && formats::datum_bits(format) == 2)
        return fail("tensor.format", fmt::format("datums of 2 bits, as {} has, cannot be compressed", name(format)));
    if (form.row_datums && !form.compressed)
        return fail("tensor.form", "row_datums are those of compressed rows, and nothing is compressed");
    if (form.shared_exponent && !block)
        return fail("tensor.form", fmt::format("{} has no exponents to share", name(format)));
    const bool narrow =
        block && format != DataFormat::Bfp8_b && format != DataFormat::Bfp4_b && format != DataFormat::Bfp2_b;
    if (form.shared_exponent && narrow && *form.shared_exponent >= narrow_exponents)
        return fail("tensor.form", fmt::format("the shared exponent of {} is {}, and must be 0 to {}", name(format),
                                               *form.shared_exponent, narrow_exponents - 1));
    if (form.shared_exponent && rounding == Rounding::device)
        return fail("tensor.form", "packers find exponents themselves: device rounding takes no shared_exponent");
    const auto codec = Codec::find(format, rounding, form.shared_exponent);
    if (!codec) return fail("tensor.format", fmt::format("packers do not make {} from Float32", name(format)));
    return *codec;
}

Result<Places> places_of(std::size_t rows, std::size_t cols, DataFormat format, const TensorForm& form,
                         Rounding rounding) {
    const auto codec = find_codec(format, form, rounding);
    if (!codec) return tl::make_unexpected(codec.error());
    const bool tiles = form.layout == Layout::tiles, blocks = codec->is_block();
    if (tiles && (rows % tile_side != 0 || cols % tile_side != 0))
        return fail("tensor.shape", fmt::format("{} x {} is not made of whole tiles of 32 x 32", rows, cols));
    if (blocks && cols % formats::block_datums != 0)
        return fail("tensor.shape",
                    fmt::format("rows of {} are not made of whole blocks of 16 of {}", cols, name(format)));
    // Values take four bytes each in memory, so larger sizes are rejected.
    constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / 16;
    if (cols != 0 && rows > most / cols) return fail("tensor.shape", fmt::format("{} x {} is too large", rows, cols));
    const std::size_t datums = rows * cols, together = tiles ? tile_datums : datums;
    if (datums == 0) return Places{*codec, {}, 0};
    const std::size_t row_datums = form.row_datums ? form.row_datums : tiles ? face_side : cols;
    if (form.compressed && together > most_compressed)
        return fail("tensor.shape", fmt::format("{} x {} are more than the {} datums that row starts can count", rows,
                                                cols, most_compressed));
    if (form.compressed && together % row_datums != 0)
        return fail("tensor.shape", fmt::format("{} datums are not made of whole rows of {}", together, row_datums));
    return Places{*codec, unit_of(together, codec->bits(), blocks, form, row_datums), datums / together};
}

Result<Places> places_of(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, DataFormat format,
                         const TensorForm& form) {
    auto places = places_of(rows, cols, format, form, Rounding::host);
    if (places && bytes.size() != places->bytes())
        return fail("tensor.shape", fmt::format("{} x {} of {} takes {} bytes, not {}", rows, cols, name(format),
                                                places->bytes(), bytes.size()));
    return places;
}

Error in_unit(Error error, std::size_t unit, Layout layout) {
    if (layout == Layout::tiles) error.message = fmt::format("tile {}: {}", unit, error.message);
    return error;
}

template <class Value>
void gather_tile(const Value* matrix, std::size_t tile, std::size_t cols, Value* datums) {
    for (std::size_t row = 0; row < face_rows; ++row)
        std::copy_n(matrix + face_row(tile, row, cols), face_side, datums + row * face_side);
}
template <class Value>
void scatter_tile(const Value* datums, std::size_t tile, std::size_t cols, Value* matrix) {
    for (std::size_t row = 0; row < face_rows; ++row)
        std::copy_n(datums + row * face_side, face_side, matrix + face_row(tile, row, cols));
}

template <class Value>
std::vector<std::byte> encode(std::span<const Value> matrix, std::size_t cols, const Places& places, DataFormat format,
                              const TensorForm& form) {
    std::vector<std::byte> bytes;
    bytes.reserve(places.bytes());
    const bool tiles = form.layout == Layout::tiles;
    std::vector<Value> datums(tiles ? tile_datums : 0);
    for (std::size_t unit = 0; unit < places.units; ++unit) {
        if (tiles) gather_tile(matrix.data(), unit, cols, datums.data());
        // Encoded unit by unit, while the new zeros are still in the cache.
        bytes.resize(bytes.size() + places.unit.bytes);
        encode_unit(places.unit, places.codec, format, form, tiles ? std::span<const Value>(datums) : matrix,
                    std::span(bytes).last(places.unit.bytes));
    }
    return bytes;
}

template <class Value, std::size_t N>
std::optional<Value> find_name(std::string_view text, const Value (&values)[N]) {
    for (const Value value : values)
        if (name(value) == text) return value;
    return std::nullopt;
}

}  // namespace

std::string_view name(Layout layout) { return layout == Layout::tiles ? "tiles" : "rows"; }
std::string_view name(Rounding rounding) { return rounding == Rounding::host ? "host" : "device"; }

std::optional<Layout> parse_layout(std::string_view text) { return find_name(text, {Layout::tiles, Layout::rows}); }
std::optional<Rounding> parse_rounding(std::string_view text) {
    return find_name(text, {Rounding::host, Rounding::device});
}

Result<std::size_t> tensor_bytes(std::size_t rows, std::size_t cols, DataFormat format, const TensorForm& form) {
    return places_of(rows, cols, format, form, form.rounding).map([](const Places& places) { return places.bytes(); });
}

Result<std::vector<std::byte>> to_bytes(const Matrix& matrix, DataFormat format, const TensorForm& form) {
    const auto places = places_of(matrix.rows, matrix.cols, format, form, form.rounding);
    if (!places) return tl::make_unexpected(places.error());
    const std::size_t count = matrix.rows * matrix.cols;
    if (matrix.values.size() != count)
        return fail("tensor.shape",
                    fmt::format("{} x {} does not take {} values", matrix.rows, matrix.cols, matrix.values.size()));
    if (!matrix.integers.empty() && matrix.integers.size() != count)
        return fail("tensor.shape", fmt::format("{} x {} does not take {} integers: give one for each value, or none", matrix.rows,
                                                matrix.cols, matrix.integers.size()));
    return places->codec.is_integer() && !matrix.integers.empty()
               ? encode<std::int64_t>(matrix.integers, matrix.cols, *places, format, form)
               : encode<float>(matrix.values, matrix.cols, *places, format, form);
}

Result<Matrix> from_bytes(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, DataFormat format,
                          const TensorForm& form) {
    const auto places = places_of(bytes, rows, cols, format, form);
    if (!places) return tl::make_unexpected(places.error());
    Matrix matrix{rows, cols, std::vector<float>(rows * cols)};
    if (places->codec.is_integer()) matrix.integers.resize(rows * cols);
    const bool tiles = form.layout == Layout::tiles;
    std::vector<float> values(tiles ? tile_datums : 0);
    std::vector<std::int64_t> integers(tiles && places->codec.is_integer() ? tile_datums : 0);
    for (std::size_t unit = 0; unit < places->units; ++unit) {
        const auto part = bytes.subspan(unit * places->unit.bytes, places->unit.bytes);
        const auto done = decode_unit(places->unit, places->codec, part, tiles ? values : matrix.values,
                                      tiles ? integers.data() : matrix.integers.data());
        if (!done) return tl::make_unexpected(in_unit(done.error(), unit, form.layout));
        if (!tiles) continue;
        scatter_tile(values.data(), unit, cols, matrix.values.data());
        if (!integers.empty()) scatter_tile(integers.data(), unit, cols, matrix.integers.data());
    }
    return matrix;
}

Result<std::vector<std::size_t>> tensor_sizes(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols,
                                              DataFormat format, const TensorForm& form) {
    const auto places = places_of(bytes, rows, cols, format, form);
    if (!places) return tl::make_unexpected(places.error());
    std::vector<std::size_t> sizes;
    for (std::size_t unit = 0; unit < places->units; ++unit) {
        auto size = used_bytes(places->unit, bytes.subspan(unit * places->unit.bytes, places->unit.bytes));
        if (!size) return tl::make_unexpected(in_unit(std::move(size.error()), unit, form.layout));
        sizes.push_back(*size);
    }
    return sizes;
}

}  // namespace tessera

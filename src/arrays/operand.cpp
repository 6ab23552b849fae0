// SPDX-License-Identifier: Apache-2.0
#include "arrays/operand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "formats/datum_size.hpp"
#include "formats/layouts.hpp"
#include "state/arch_description.hpp"
#include "tensor/scalar_formats.hpp"

namespace tessera::arrays {

bool is_format(DataFormat format) { return std::ranges::find(all_data_formats, format) != std::end(all_data_formats); }

namespace {

constexpr std::size_t most_elements = std::size_t{1} << 28;

bool is_source(DataFormat format) {
    switch (format) {
        case DataFormat::UInt16:
        case DataFormat::Int32:
        case DataFormat::UInt32: return false;
        default: return is_format(format);
    }
}

}  // namespace

Result<Operand> choose_operand(Arch arch, DataFormat format, DataFormat src) {
    const auto& chip = state::describe(arch);
    if (!is_source(format))
        return fail("arrays.format", fmt::format("the matrix unit does not compute with {}", name(format)));
    if (format == DataFormat::Fp8_e4m3 && arch != Arch::blackhole)
        return fail("arrays.format", fmt::format("{} has no Fp8_e4m3", name(arch)));
    if (format == DataFormat::Float32 && src != DataFormat::Tf32 && src != DataFormat::Float16_b &&
        src != DataFormat::Float16)
        return fail("arrays.format",
                    fmt::format("unpackers make Tf32, Float16_b or Float16 of Float32, not {}", name(src)));
    Operand operand;
    operand.l1 = format;
    // Tf32 in L1 is Float32 with low bits 0, and unpackers read it as Float32.
    const bool wide = format == DataFormat::Float32 || format == DataFormat::Tf32;
    const DataFormat out = format == DataFormat::Float32 ? src : hardware_format(format);
    operand.conversion.in = wide ? DataFormat::Float32 : hardware_format(format);
    operand.conversion.out = out;
    operand.conversion.fp8_e4m3 = format == DataFormat::Fp8_e4m3;
    operand.conversion.fp8_saturated = chip.fp8_saturated;
    operand.conversion.int8_unsigned = operand.is_unsigned = format == DataFormat::UInt8;
    operand.src = out;
    operand.integer = out == DataFormat::Int8;
    operand.wide_exponent = formats::has_wide_exponent(out);
    operand.convert = formats::unpack_to_src(operand.conversion);
    return operand;
}

Result<void> check_size(std::size_t rows, std::size_t cols, std::string_view name) {
    if (rows == 0 || cols == 0) return fail("arrays.shape", fmt::format("{} has no elements", name));
    if (rows > most_elements || cols > most_elements || whole(rows, tile_side) * whole(cols, tile_side) > most_elements)
        return fail("arrays.size", fmt::format("{} of {} x {} is more than {} elements in whole tiles", name, rows,
                                               cols, most_elements));
    return {};
}

Result<void> check(const Matrix& array, std::string_view name) {
    if (const auto size = check_size(array.rows, array.cols, name); !size) return size;
    const std::size_t count = array.rows * array.cols;
    if (array.values.size() != count || (!array.integers.empty() && array.integers.size() != count))
        return fail("arrays.shape",
                    fmt::format("{} of {} x {} has {} values", name, array.rows, array.cols, array.values.size()));
    return {};
}

tl::unexpected<Error> interrupted() { return fail("arrays.interrupted", "the computation has been interrupted"); }

Matrix row_of_tiles(const Matrix& array, std::size_t first) {
    const std::size_t rows = tile_side, cols = whole(array.cols, tile_side), there = std::min(rows, array.rows - first);
    Matrix result{rows, cols, std::vector<float>(rows * cols)};
    auto copy = [&](const auto& from, auto& to) {
        for (std::size_t row = 0; row < there; ++row)
            std::copy_n(from.begin() + static_cast<std::ptrdiff_t>((first + row) * array.cols), array.cols,
                        to.begin() + static_cast<std::ptrdiff_t>(row * cols));
    };
    copy(array.values, result.values);
    if (!array.integers.empty()) {
        result.integers.resize(rows * cols);
        copy(array.integers, result.integers);
    }
    return result;
}

namespace {

/// Converts bytes of whole tiles of L1 to datums, one to one.
void convert(std::span<const std::byte> bytes, const Operand& operand, std::span<std::uint32_t> datums) {
    const std::size_t exponents = formats::is_block_format(operand.l1) ? tile_datums / formats::block_datums : 0;
    const std::size_t stride = bytes.size() / (datums.size() / tile_datums);
    const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data());
    for (std::size_t i = 0; i < datums.size(); i += tile_datums, at += stride)
        operand.convert({at + exponents, at, 0}, 0, &datums[i], tile_datums);
}

}  // namespace

Tiles to_tiles(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, const Operand& operand) {
    Tiles tiles{rows / tile_side, cols / tile_side, std::vector<std::uint32_t>(rows * cols)};
    convert(bytes, operand, tiles.datums);
    return tiles;
}

Result<Tiles> to_tiles(const Matrix& array, const Operand& operand, const Interrupt& interrupt) {
    const std::size_t rows = whole(array.rows, tile_side), cols = whole(array.cols, tile_side);
    Tiles tiles{rows / tile_side, cols / tile_side, std::vector<std::uint32_t>(rows * cols)};
    for (std::size_t row = 0; row < array.rows; row += tile_side) {
        if (ends(interrupt)) return interrupted();
        const auto bytes = to_bytes(row_of_tiles(array, row), operand.l1, Layout::tiles);
        if (!bytes) return tl::make_unexpected(bytes.error());
        convert(*bytes, operand, std::span(tiles.datums).subspan(row * cols, tile_side * cols));
    }
    return tiles;
}

float value_of(std::uint32_t datum, const Operand& operand) {
    if (operand.integer) return static_cast<float>(integer_of(datum));
    if (operand.wide_exponent) return std::bit_cast<float>(datum);
    return tensor::from_float16(formats::fp16_from_src(datum));
}

std::int64_t integer_of(std::uint32_t datum) {
    const std::int64_t magnitude = formats::fp16_from_src(datum) & 0x3FF;
    return datum >> 31 ? -magnitude : magnitude;
}

}  // namespace tessera::arrays

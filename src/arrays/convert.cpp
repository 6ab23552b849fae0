// SPDX-License-Identifier: Apache-2.0
// Conversions of arrays: L1 to Dst by unpackers, back by packers, and L1 to a source register.
#include <fmt/format.h>

#include <cstring>

#include "arrays/operand.hpp"
#include "arrays/operation.hpp"
#include "formats/datum_size.hpp"
#include "formats/layouts.hpp"
#include "plan/work.hpp"
#include "tensor/places.hpp"

namespace tessera {

namespace {

using namespace arrays;

constexpr unsigned tile_rows = 64;

/// A transfer of whole tiles of L1 to Dst.
struct ToDst {
    plan::UnpackToDstWork work;
    DstContent content{};
    DataFormat from{};
};

Result<ToDst> choose_to_dst(const ConvertOptions& options) {
    ToDst to;
    to.from = options.from;
    formats::UnpackConversion conversion;
    if (options.from == DataFormat::Int32) {
        conversion.in = conversion.out = DataFormat::Int32;
        to.content = DstContent::integer;
    } else {
        const DataFormat dst = options.from == DataFormat::Tf32 ? DataFormat::Float32 : options.dst;
        const bool wide = options.from == DataFormat::Float32 || options.from == DataFormat::Tf32;
        if (wide && dst != DataFormat::Float32 && dst != DataFormat::Float16_b && dst != DataFormat::Float16)
            return fail("arrays.format",
                        fmt::format("unpackers make Float32, Float16_b or Float16 in Dst of {}, not {}",
                                    name(options.from), name(dst)));
        const auto operand = choose_operand(options.arch, options.from, DataFormat::Tf32);
        if (!operand) return tl::make_unexpected(operand.error());
        if (operand->integer)
            return fail("arrays.format", fmt::format("{} is not packed from Dst as a number", name(options.from)));
        conversion = operand->conversion;
        if (wide) conversion.out = dst;
        to.content = wide && dst == DataFormat::Float32           ? DstContent::fp32
                     : formats::has_wide_exponent(conversion.out) ? DstContent::bf16
                                                                  : DstContent::fp16;
    }
    auto& input = to.work.input;
    input.convert = formats::unpack_to_dst(conversion);
    input.count = tile_datums;
    input.datum_bits = static_cast<std::uint8_t>(formats::datum_bits(conversion.in));
    if (formats::is_block_format(conversion.in)) {
        input.exponent_source = plan::UnpackInput::Exponents::section;
        input.address = tile_datums / formats::block_datums;
    }
    to.work.row_mask = state::Dst::rows - 1;
    to.work.map.wide = is_wide(to.content);
    return to;
}

/// Converts integers in L1 from the host's form to the units' form.
void take_sign_and_magnitude(std::vector<std::byte>& bytes) {
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint32_t)) {
        std::int32_t value;
        std::memcpy(&value, bytes.data() + i, sizeof value);
        const std::uint32_t bits = to_sign_magnitude_32(value);
        std::memcpy(bytes.data() + i, &bits, sizeof bits);
    }
}

/// Calls f(state, packing, tile) for each of the array's tiles, which are loaded into Dst one by one.
template <class F>
Result<Packing> for_each_tile(const Matrix& array, const ConvertOptions& options, F&& f) {
    if (const auto good = check(array, "the array"); !good) return tl::make_unexpected(good.error());
    const auto to = choose_to_dst(options);
    if (!to) return tl::make_unexpected(to.error());
    Machine machine(options.arch);
    const auto packing = Packing::choose(machine, to->content, options.to, options.intermediate);
    if (!packing) return packing;
    state::State& state = machine.state();
    std::size_t tile = 0;
    for (std::size_t row = 0; row < array.rows; row += tile_side) {
        const Matrix tiles = row_of_tiles(array, row);
        auto bytes = to_bytes(tiles, options.from, Layout::tiles);
        if (!bytes) return tl::make_unexpected(bytes.error());
        if (options.from == DataFormat::Int32) take_sign_and_magnitude(*bytes);
        const std::size_t count = tiles.cols / tile_side, size = bytes->size() / count;
        for (std::size_t i = 0; i < count; ++i, ++tile) {
            if (ends(options.interrupt)) return interrupted();
            std::memcpy(state.l1.write(0, static_cast<std::uint32_t>(size)), bytes->data() + i * size, size);
            plan::run(to->work, state);
            f(state, *packing, tile);
        }
    }
    return packing;
}

}  // namespace

Result<std::vector<std::byte>> pack_tiles(const Matrix& array, const ConvertOptions& options) {
    std::vector<std::byte> all;
    const auto packing = for_each_tile(array, options, [&](state::State& state, const Packing& pack, std::size_t) {
        const auto bytes = pack.bytes(state, 0, tile_rows);
        all.insert(all.end(), bytes.begin(), bytes.end());
    });
    if (!packing) return tl::make_unexpected(packing.error());
    return all;
}

Result<Matrix> convert(const Matrix& array, const ConvertOptions& options) {
    Matrix result;
    const std::size_t across = (array.cols + tile_side - 1) / tile_side;
    const auto packing = for_each_tile(array, options, [&](state::State& state, const Packing& pack, std::size_t tile) {
        if (result.values.empty()) result = make_result(array.rows, array.cols, pack);
        scatter(pack.values(state, 0, tile_rows), tile / across, tile % across, result);
    });
    if (!packing) return tl::make_unexpected(packing.error());
    return result;
}

Result<Matrix> unpack_tiles(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, DataFormat format,
                            DataFormat src, Arch arch, const Interrupt& interrupt) {
    const auto operand = choose_operand(arch, format, src);
    if (!operand) return tl::make_unexpected(operand.error());
    if (const auto good = check_size(rows, cols, "the array"); !good) return tl::make_unexpected(good.error());
    const auto size = tensor_bytes(rows, cols, format, Layout::tiles);
    if (!size) return tl::make_unexpected(size.error());
    if (bytes.size() != *size)
        return fail("tensor.shape",
                    fmt::format("{} x {} of {} takes {} bytes, not {}", rows, cols, name(format), *size, bytes.size()));
    Matrix result{rows, cols, std::vector<float>(rows * cols)};
    if (operand->integer) result.integers.resize(rows * cols);
    const std::size_t stripe = *size / (rows / tile_side);
    for (std::size_t first = 0, i = 0; first < rows; first += tile_side) {
        if (ends(interrupt)) return interrupted();
        const Tiles tiles = to_tiles(bytes.subspan(first / tile_side * stripe, stripe), tile_side, cols, *operand);
        for (std::size_t row = 0; row < tile_side; ++row)
            for (std::size_t column = 0; column < cols; ++column, ++i) {
                const std::uint32_t datum = tiles.datums[tensor::position_in_tiles(row, column, cols)];
                result.values[i] = value_of(datum, *operand);
                if (operand->integer) result.integers[i] = integer_of(datum);
            }
    }
    return result;
}

}  // namespace tessera

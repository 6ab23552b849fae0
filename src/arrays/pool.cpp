// SPDX-License-Identifier: Apache-2.0
// GAPOOL and GMPOOL over the rows of an array.
#include <fmt/format.h>

#include <algorithm>

#include "arrays/operation.hpp"
#include "formats/layouts.hpp"
#include "plan/work.hpp"

namespace tessera {

namespace {

using namespace arrays;
using state::columns;
using state::Src;

constexpr auto gapool_name = isa::mnemonic("GAPOOL"), gmpool_name = isa::mnemonic("GMPOOL");
constexpr auto arg_max_bit = isa::operand("GMPOOL", "max_pool_index_en");
constexpr unsigned face = 16, pool_rows = 4;

// GMPOOL reports a maximum's index only within the first eight rows, and counts up to sixteen blocks of eight.
constexpr std::size_t arg_max_rows = 8, arg_max_blocks = 16;

Result<void> check_weights(const Matrix& a, const Matrix& weights) {
    if (const auto good = check(a, "a"); !good) return good;
    if (const auto good = check(weights, "weights"); !good) return good;
    if (weights.rows > pool_rows || weights.cols != a.rows)
        return fail("arrays.shape", fmt::format("1 to 4 rows of {} weights are needed, not {} x {}", a.rows,
                                                weights.rows, weights.cols));
    return {};
}

void copy_row(const Matrix& from, std::size_t row, std::size_t to_row, std::size_t first_column, Matrix& to) {
    const std::size_t cols = std::min<std::size_t>(columns, to.cols - first_column);
    for (std::size_t column = 0; column < cols; ++column) {
        const std::size_t at = row * columns + column, there = to_row * to.cols + first_column + column;
        to.values[there] = from.values[at];
        if (!to.integers.empty()) to.integers[there] = from.integers[at];
    }
}

/// Inserts eight rows of zeros after each eight rows.
Matrix spread(const Matrix& a) {
    const std::size_t blocks = (a.rows + arg_max_rows - 1) / arg_max_rows;
    Matrix result{blocks * face, a.cols, std::vector<float>(blocks * face * a.cols)};
    if (!a.integers.empty()) result.integers.resize(result.values.size());
    for (std::size_t row = 0; row < a.rows; ++row) {
        const std::size_t to = (row / arg_max_rows * face + row % arg_max_rows) * a.cols;
        for (std::size_t column = 0; column < a.cols; ++column) {
            result.values[to + column] = a.values[row * a.cols + column];
            if (!a.integers.empty()) result.integers[to + column] = a.integers[row * a.cols + column];
        }
    }
    return result;
}

/// The row of an index from GMPOOL (its page, Functional model).
std::uint32_t row_of(std::uint32_t index) {
    constexpr std::uint32_t row_at[8] = {0, 3, 6, 1, 4, 7, 2, 5};  // its own inverse
    return (index >> 4 & 0xF) * arg_max_rows + row_at[index & 7];
}

/// Runs GMPOOL over `step` rows at a time, one block of 16 columns after another.
class Pool {
public:
    Pool(Operation& operation, const plan::PoolWork& work, const Tiles& tiles, std::uint32_t one)
        : operation_(operation), work_(work), tiles_(tiles), one_(one) {}

    /// Leaves the result in row 0 of Dst. False if interrupted.
    bool run(std::size_t column_block, std::size_t rows, std::size_t step, const Interrupt& interrupt) {
        operation_.dst_rows().valid.reset();
        for (std::size_t block = 0; block * step < rows; ++block) {
            if (ends(interrupt)) return false;
            const auto tile = tiles_.at(block / 2, column_block / 2);
            const std::size_t first = (block % 2 * 2 + column_block % 2) * face * columns;
            std::copy_n(tile.begin() + static_cast<std::ptrdiff_t>(first), face * columns, operation_.bank(Src::a));
            // Rows whose scale has exponent 0 rank below all others.
            const std::size_t there = std::min(step, rows - block * step);
            std::uint32_t* scales = operation_.bank(Src::b);
            for (std::size_t row = 0; row < face; ++row) scales[row] = row < there ? one_ : 0;
            plan::run(work_, operation_.state());
        }
        return true;
    }

    /// Index of the maximum in a column of 16.
    std::uint32_t index(unsigned column) {
        const auto& datums = operation_.dst_rows().datums;
        return formats::dst_join(datums[column], datums[plan::DstMap::low_half(0) * columns + column]) & 0xFF;
    }

private:
    Operation& operation_;
    const plan::PoolWork& work_;
    const Tiles& tiles_;
    std::uint32_t one_;
};

Result<void> check_arg_max(const Matrix& a, const Operation& operation, bool arg_max) {
    if (!arg_max) {
        if (operation.dst == DstContent::fp32 && !operation.src_a.wide_exponent)
            return fail("arrays.dst", "GMPOOL of 5-bit exponents has results in 16 bits of Dst only");
        return {};
    }
    if (!is_wide(operation.dst)) return fail("arrays.dst", "the place of a maximum is in 32 bits of Dst only");
    const bool place_only = operation.src_a.integer || operation.src_a.src == DataFormat::Tf32;
    const std::size_t most = place_only ? arg_max_rows : arg_max_rows * arg_max_blocks;
    if (a.rows > most)
        return fail("arrays.shape", fmt::format("GMPOOL tells the place among {} rows of {}, not {}", most,
                                                name(operation.src_a.l1), a.rows));
    return {};
}

// With the index in Dst's low half, the value is in the high half: a datum of the 16-bit view.
DstContent value_content(const Operation& operation, bool arg_max) {
    if (!arg_max) return operation.dst;
    return operation.src_a.wide_exponent ? DstContent::bf16 : DstContent::fp16;
}

}  // namespace

Result<Matrix> gapool(const Matrix& a, const Matrix& weights, const ArrayOptions& options) {
    if (const auto good = check_weights(a, weights); !good) return tl::make_unexpected(good.error());
    auto operation = choose(options, options.a, options.b);
    if (!operation) return tl::make_unexpected(operation.error());
    auto phases = operation->works<plan::MultiplyWork>(gapool_name, {});
    if (!phases) return tl::make_unexpected(phases.error());
    const auto packing = operation->packing(options, operation->dst);
    if (!packing) return tl::make_unexpected(packing.error());
    const auto src_a = to_tiles(a, operation->src_a, options.interrupt);
    if (!src_a) return tl::make_unexpected(src_a.error());
    const auto src_b = to_tiles(weights, operation->src_b, options.interrupt);
    if (!src_b) return tl::make_unexpected(src_b.error());

    Matrix result = make_result(weights.rows, a.cols, *packing);
    for (std::size_t block = 0; block * columns < a.cols; ++block) {
        operation->dst_rows().valid.reset();
        for (std::size_t row = 0; row < src_a->down; ++row) {
            if (ends(options.interrupt)) return interrupted();
            const auto from_a = src_a->at(row, block / 2), from_b = src_b->at(0, row);
            std::copy(from_a.begin(), from_a.end(), operation->bank(Src::a));
            std::copy(from_b.begin(), from_b.end(), operation->bank(Src::b));
            for (unsigned half = 0; half < 2; ++half)
                for (plan::MultiplyWork& work : *phases) {
                    work.a_row = static_cast<std::uint8_t>((half * 2 + block % 2) * face);
                    work.b_row = static_cast<std::uint8_t>(half * face);
                    plan::run(work, operation->state());
                }
        }
        const Matrix rows = packing->values(operation->state(), 0, pool_rows);
        for (std::size_t row = 0; row < weights.rows; ++row) copy_row(rows, row, row, block * columns, result);
    }
    return result;
}

Result<Maxima> gmpool(const Matrix& a, bool arg_max, const ArrayOptions& options) {
    if (const auto good = check(a, "a"); !good) return tl::make_unexpected(good.error());
    ArrayOptions pooled = options;
    if (arg_max && !pooled.dst_bits) pooled.dst_bits = 32;
    pooled.b = pooled.a;
    auto operation = choose(pooled, pooled.a, pooled.a);
    if (!operation) return tl::make_unexpected(operation.error());
    if (const auto good = check_arg_max(a, *operation, arg_max); !good) return tl::make_unexpected(good.error());
    const auto work = operation->work<plan::PoolWork>(gmpool_name, 0, {{arg_max_bit, arg_max}});
    if (!work) return tl::make_unexpected(work.error());
    const bool has_values = !arg_max || (!operation->src_a.integer && operation->src_a.src != DataFormat::Tf32);
    const auto packing = operation->packing(pooled, value_content(*operation, arg_max && has_values));
    if (!packing) return tl::make_unexpected(packing.error());
    const auto tiles = to_tiles(arg_max ? spread(a) : a, operation->src_a, options.interrupt);
    if (!tiles) return tl::make_unexpected(tiles.error());
    const auto ones = to_tiles(Matrix{1, 1, {1.0f}}, operation->src_a, {});
    if (!ones) return tl::make_unexpected(ones.error());

    Maxima result;
    if (has_values) result.values = make_result(1, a.cols, *packing);
    Pool pool(*operation, *work, *tiles, ones->datums[0]);
    for (std::size_t block = 0; block * columns < a.cols; ++block) {
        if (!pool.run(block, a.rows, arg_max ? arg_max_rows : face, options.interrupt)) return interrupted();
        if (has_values) copy_row(packing->values(operation->state(), 0, 1), 0, 0, block * columns, result.values);
        const auto there = static_cast<unsigned>(std::min<std::size_t>(columns, a.cols - block * columns));
        for (unsigned column = 0; arg_max && column < there; ++column)
            result.rows.push_back(row_of(pool.index(column)));
    }
    return result;
}

}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// Matrix products with MVMUL, in a kernel's order (seed rwc-and-addressing, 4.2; examples/matmul).
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

constexpr auto mvmul_name = isa::mnemonic("MVMUL");
constexpr unsigned tile_rows = 64, face = 16, block_rows = 8;

void load(std::span<const std::uint32_t, tile_datums> tile, std::uint32_t* bank) {
    std::copy(tile.begin(), tile.end(), bank);
}

// All phases of a tile of a (in SrcB) times a tile of b (in SrcA), over halves of the sum, faces of the result, and
// halves of a face.
void multiply_tiles(std::vector<plan::MultiplyWork>& phases, state::State& state) {
    for (plan::MultiplyWork& work : phases)
        for (unsigned half = 0; half < 2; ++half)
            for (unsigned block = 0; block < tile_rows; block += block_rows) {
                const unsigned face_row = block / (2 * face), face_column = block / face % 2, row = block % face;
                work.a_row = static_cast<std::uint8_t>((half * 2 + face_column) * face);
                work.b_row = static_cast<std::uint8_t>((face_row * 2 + half) * face + row);
                work.dst_row = static_cast<std::uint16_t>(block);
                plan::run(work, state);
            }
}

Result<void> check_product(const Matrix& a, const Matrix& b) {
    if (const auto good = check(a, "a"); !good) return good;
    if (const auto good = check(b, "b"); !good) return good;
    if (a.cols != b.rows)
        return fail("arrays.shape", fmt::format("{} x {} does not multiply {} x {}: the second matrix needs {} rows", a.rows, a.cols, b.rows, b.cols, a.cols));
    return check_size(a.rows, b.cols, "the result");
}

/// Copies between 8 rows of Dst's view and rows of Dst.
void store(std::span<const std::uint32_t> patterns, DstContent content, state::Dst& dst) {
    for (unsigned i = 0; i < block_rows * columns; ++i) {
        const std::uint32_t x = patterns.empty() ? 0 : patterns[i];
        auto& high = dst.datums[i];
        if (is_wide(content)) {
            high = static_cast<std::uint16_t>(x >> 16);
            dst.datums[i + block_rows * columns] = static_cast<std::uint16_t>(formats::dst_low(x));
        } else {
            high = static_cast<std::uint16_t>(content == DstContent::bf16 ? x : formats::dst_from_fp16(x));
        }
    }
    for (unsigned row = 0; row < block_rows; ++row) dst.valid[row] = true;
}

std::vector<std::uint32_t> load(DstContent content, const state::Dst& dst) {
    std::vector<std::uint32_t> patterns(block_rows * columns);
    for (unsigned i = 0; i < patterns.size(); ++i) {
        const std::uint32_t high = dst.datums[i];
        if (is_wide(content))
            patterns[i] = formats::dst_join(high, dst.datums[i + block_rows * columns]);
        else
            patterns[i] = content == DstContent::bf16 ? high : formats::fp16_from_dst(high);
    }
    return patterns;
}

Result<void> check_mvmul(const Matrix& b, const Matrix& a, std::span<const std::uint32_t> dst, unsigned phase) {
    if (const auto good = check(b, "b"); !good) return good;
    if (const auto good = check(a, "a"); !good) return good;
    if (b.rows != block_rows || b.cols != columns || a.rows != face || a.cols != columns)
        return fail("arrays.shape",
                    fmt::format("MVMUL takes 8 x 16 of SrcB and 16 x 16 of SrcA, not {} x {} and {} x {}", b.rows,
                                b.cols, a.rows, a.cols));
    if (!dst.empty() && dst.size() != block_rows * columns)
        return fail("arrays.shape", fmt::format("8 x 16 patterns of Dst are needed, not {}", dst.size()));
    if (phase > 3) return fail("arrays.fidelity", fmt::format("phases are 0 to 3, not {}", phase));
    return {};
}

}  // namespace

Result<Matrix> matmul(const Matrix& a, const Matrix& b, const ArrayOptions& options) {
    if (const auto good = check_product(a, b); !good) return tl::make_unexpected(good.error());
    auto operation = choose(options, options.b, options.a);
    if (!operation) return tl::make_unexpected(operation.error());
    auto phases = operation->works<plan::MultiplyWork>(mvmul_name, {});
    if (!phases) return tl::make_unexpected(phases.error());
    const auto packing = operation->packing(options, operation->dst);
    if (!packing) return tl::make_unexpected(packing.error());
    const auto left = to_tiles(a, operation->src_b, options.interrupt);
    if (!left) return tl::make_unexpected(left.error());
    const auto right = to_tiles(b, operation->src_a, options.interrupt);
    if (!right) return tl::make_unexpected(right.error());

    Matrix result = make_result(a.rows, b.cols, *packing);
    for (std::size_t row = 0; row < left->down; ++row)
        for (std::size_t column = 0; column < right->across; ++column) {
            operation->dst_rows().valid.reset();
            for (std::size_t k = 0; k < left->across; ++k) {
                if (ends(options.interrupt)) return interrupted();
                load(left->at(row, k), operation->bank(Src::b));
                load(right->at(k, column), operation->bank(Src::a));
                multiply_tiles(*phases, operation->state());
            }
            scatter(packing->values(operation->state(), 0, tile_rows), row, column, result);
        }
    return result;
}

Result<std::vector<std::uint32_t>> mvmul(const Matrix& b, const Matrix& a, std::span<const std::uint32_t> dst,
                                         unsigned phase, const ArrayOptions& options) {
    if (const auto good = check_mvmul(b, a, dst, phase); !good) return tl::make_unexpected(good.error());
    auto operation = choose(options, options.a, options.b);
    if (!operation) return tl::make_unexpected(operation.error());
    const auto work = operation->work<plan::MultiplyWork>(mvmul_name, phase, {});
    if (!work) return tl::make_unexpected(work.error());
    const auto src_b = to_tiles(b, operation->src_b, options.interrupt);
    if (!src_b) return tl::make_unexpected(src_b.error());
    const auto src_a = to_tiles(a, operation->src_a, options.interrupt);
    if (!src_a) return tl::make_unexpected(src_a.error());
    load(src_b->at(0, 0), operation->bank(Src::b));
    load(src_a->at(0, 0), operation->bank(Src::a));
    store(dst, operation->dst, operation->dst_rows());
    plan::run(*work, operation->state());
    return load(operation->dst, operation->dst_rows());
}

}  // namespace tessera

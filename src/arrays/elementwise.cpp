// SPDX-License-Identifier: Apache-2.0
// ELWADD, ELWSUB and ELWMUL over arrays, eight rows of a face at a time.
#include <fmt/format.h>

#include <algorithm>

#include "arrays/operation.hpp"
#include "plan/work.hpp"

namespace tessera {

namespace {

using namespace arrays;
using state::Src;

constexpr unsigned tile_rows = 64, face = 16, block_rows = 8;

struct Instruction {
    isa::Mnemonic mnemonic;
    isa::Operand broadcast;
    bool product;
};
consteval Instruction instruction_of(std::string_view name, bool product) {
    return {isa::mnemonic(name), isa::operand(name, "instr_mod19"), product};
}
constexpr auto add = instruction_of("ELWADD", false), subtract = instruction_of("ELWSUB", false),
               multiply = instruction_of("ELWMUL", true);

/// Broadcast of b along rows or columns of a (ELWADD, Functional model: instr_mod19).
struct Broadcast {
    bool row = false, column = false;

    std::uint32_t bits() const { return (row ? 2u : 0u) | (column ? 1u : 0u); }
    /// SrcB's row for a block of a tile's rows in face order.
    unsigned b_row(unsigned block) const {
        const unsigned face_row = block / (2 * face), face_column = block / face % 2, within = block % face;
        return (row ? 0 : face_row * 2 * face + within) + (column ? 0 : face_column * face);
    }
};

Result<Broadcast> broadcast_of(const Matrix& a, const Matrix& b) {
    if (const auto good = check(a, "a"); !good) return tl::make_unexpected(good.error());
    if (const auto good = check(b, "b"); !good) return tl::make_unexpected(good.error());
    const Broadcast broadcast{b.rows == 1 && a.rows != 1, b.cols == 1 && a.cols != 1};
    if ((!broadcast.row && b.rows != a.rows) || (!broadcast.column && b.cols != a.cols))
        return fail("arrays.shape", fmt::format("{} x {} does not go with {} x {}", b.rows, b.cols, a.rows, a.cols));
    return broadcast;
}

Result<Matrix> elementwise(const Matrix& a, const Matrix& b, const ArrayOptions& options,
                           const Instruction& instruction) {
    const auto broadcast = broadcast_of(a, b);
    if (!broadcast) return tl::make_unexpected(broadcast.error());
    auto operation = choose(options, options.a, options.b);
    if (!operation) return tl::make_unexpected(operation.error());
    if (!instruction.product) operation->phases = 1;
    auto phases =
        operation->works<plan::ElementwiseWork>(instruction.mnemonic, {{instruction.broadcast, broadcast->bits()}});
    if (!phases) return tl::make_unexpected(phases.error());
    const auto packing = operation->packing(options, operation->dst);
    if (!packing) return tl::make_unexpected(packing.error());
    const auto src_a = to_tiles(a, operation->src_a, options.interrupt);
    if (!src_a) return tl::make_unexpected(src_a.error());
    const auto src_b = to_tiles(b, operation->src_b, options.interrupt);
    if (!src_b) return tl::make_unexpected(src_b.error());

    Matrix result = make_result(a.rows, a.cols, *packing);
    for (std::size_t row = 0; row < src_a->down; ++row)
        for (std::size_t column = 0; column < src_a->across; ++column) {
            if (ends(options.interrupt)) return interrupted();
            const auto from_a = src_a->at(row, column);
            const auto from_b = src_b->at(broadcast->row ? 0 : row, broadcast->column ? 0 : column);
            std::copy(from_a.begin(), from_a.end(), operation->bank(Src::a));
            std::copy(from_b.begin(), from_b.end(), operation->bank(Src::b));
            operation->dst_rows().valid.reset();
            for (plan::ElementwiseWork& work : *phases)
                for (unsigned block = 0; block < tile_rows; block += block_rows) {
                    work.a_row = static_cast<std::uint8_t>(block);
                    work.b_row = static_cast<std::uint8_t>(broadcast->b_row(block));
                    work.dst_row = static_cast<std::uint16_t>(block);
                    plan::run(work, operation->state());
                }
            scatter(packing->values(operation->state(), 0, tile_rows), row, column, result);
        }
    return result;
}

}  // namespace

Result<Matrix> elwadd(const Matrix& a, const Matrix& b, const ArrayOptions& options) {
    return elementwise(a, b, options, add);
}
Result<Matrix> elwsub(const Matrix& a, const Matrix& b, const ArrayOptions& options) {
    return elementwise(a, b, options, subtract);
}
Result<Matrix> elwmul(const Matrix& a, const Matrix& b, const ArrayOptions& options) {
    return elementwise(a, b, options, multiply);
}

}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
#include "arrays/operation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tensor/places.hpp"

namespace tessera::arrays {

namespace {

using registers::field;

constexpr auto src_a_format = field("ALU_FORMAT_SPEC_REG0_SrcA");
constexpr auto src_b_format = field("ALU_FORMAT_SPEC_REG1_SrcB");
constexpr auto disable_implied_a = field("DISABLE_IMPLIED_SRCA_FMT_Base");
constexpr auto disable_implied_b = field("DISABLE_IMPLIED_SRCB_FMT_Base");
constexpr auto fp32_enabled = field("ALU_ACC_CTRL_Fp32_enabled");
constexpr auto int8_math = field("ALU_ACC_CTRL_INT8_math_enabled");
constexpr auto fidelity_base = field("FIDELITY_BASE_Phase");

constexpr unsigned most_phases = 4;

Result<DstContent> choose_dst(const ArrayOptions& options, const Operand& a, const Operand& b) {
    if (a.integer != b.integer)
        return fail("arrays.format", fmt::format("{} and {}: integers go with integers only", name(a.l1), name(b.l1)));
    if (options.dst_bits && *options.dst_bits != 16 && *options.dst_bits != 32)
        return fail("arrays.dst", fmt::format("an element of Dst has 16 or 32 bits, not {}", *options.dst_bits));
    if (a.integer) {
        if (options.dst_bits == 16u) return fail("arrays.dst", "integers are added up in 32 bits of Dst only");
        return DstContent::integer;
    }
    if (a.wide_exponent != b.wide_exponent)
        return fail("arrays.format",
                    fmt::format("{} and {}: one has exponents of 8 bits in its source register, the other of 5",
                                name(a.l1), name(b.l1)));
    if (options.dst_bits == 32u) return DstContent::fp32;
    return a.wide_exponent ? DstContent::bf16 : DstContent::fp16;
}

}  // namespace

Result<Operation> choose(const ArrayOptions& options, DataFormat src_a, DataFormat src_b) {
    if (options.fidelity < 1 || options.fidelity > most_phases)
        return fail("arrays.fidelity",
                    fmt::format("a product has 1 to {} phases, not {}", most_phases, options.fidelity));
    const auto a = choose_operand(options.arch, src_a, options.src);
    if (!a) return tl::make_unexpected(a.error());
    const auto b = choose_operand(options.arch, src_b, options.src);
    if (!b) return tl::make_unexpected(b.error());
    const auto dst = choose_dst(options, *a, *b);
    if (!dst) return tl::make_unexpected(dst.error());
    Operation operation{Machine(options.arch), *a, *b, *dst, options.fidelity};
    Machine& machine = operation.machine;
    machine.set(src_a_format, a->src);
    machine.set(src_b_format, b->src);
    machine.set(disable_implied_a, 1u);
    machine.set(disable_implied_b, 1u);
    machine.set(fp32_enabled, *dst == DstContent::fp32);
    machine.set(int8_math, *dst == DstContent::integer);
    return operation;
}

void Operation::set_phase(unsigned phase) { machine.set(fidelity_base, phase); }

Result<Packing> Operation::packing(const ArrayOptions& options, DstContent content) {
    const DataFormat usual = content == DstContent::integer ? DataFormat::Int32 : options.a;
    return Packing::choose(machine, content, options.out.value_or(usual), options.intermediate);
}

Matrix make_result(std::size_t rows, std::size_t cols, const Packing& packing) {
    Matrix result{rows, cols, std::vector<float>(rows * cols)};
    if (packing.integer()) result.integers.resize(rows * cols);
    return result;
}

void scatter(const Matrix& faces, std::size_t tile_row, std::size_t tile_column, Matrix& result) {
    const std::size_t first_row = tile_row * tile_side, first_column = tile_column * tile_side;
    const std::size_t rows = std::min(tile_side, result.rows - first_row);
    const std::size_t cols = std::min(tile_side, result.cols - first_column);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < cols; ++column) {
            const std::size_t from = tensor::position_in_tiles(row, column, tile_side);
            const std::size_t to = (first_row + row) * result.cols + first_column + column;
            result.values[to] = faces.values[from];
            if (!result.integers.empty()) result.integers[to] = faces.integers[from];
        }
}

}  // namespace tessera::arrays

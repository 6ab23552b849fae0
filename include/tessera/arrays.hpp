// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/data_format.hpp"
#include "tessera/error.hpp"
#include "tessera/tensor.hpp"

namespace tessera {

// What the machine makes of whole arrays, without a core: the bits that a kernel on a Core leaves, for tests of other
// programs. Arrays are rounded to their format in L1 as to_bytes() does, go through the unpackers' conversion, the matrix
// unit and the packers' conversions, and come back exactly. All functions work in tiles of 32x32, padded with zeros as
// kernels pad them; any shape from 1x1 on will do.
//
// Errors of all of them, before anything is computed: "arrays.shape" for an array without elements, with another number of
// values than its shape, or whose shape does not go with the other's; "arrays.size" beyond 2^28 elements of an array or a
// result; "arrays.format" for a format that the unit or the architecture does not take, and formats that do not go
// together; "arrays.fidelity" and "arrays.dst" for numbers that are none. While they compute: "arrays.interrupted".

/// Asked by the thread that computes, every few tiles; true ends it with error "arrays.interrupted". Empty: costs nothing.
using Interrupt = std::function<bool()>;

/// How operands lie in L1, and how the machine computes with them.
struct ArrayOptions {
    Arch arch = Arch::blackhole;
    /// Of both arrays in L1: Float32, Tf32, Float16, Float16_b, Lf8, Fp8_e4m3 (Blackhole), a block float, Int8 or UInt8.
    /// Both have 8-bit exponents (Float32 by `src`), both 5-bit ones, or both are integers.
    DataFormat a = DataFormat::Float16_b, b = DataFormat::Float16_b;
    DataFormat src = DataFormat::Tf32;  ///< what unpackers make of Float32: Tf32, Float16_b or Float16
    unsigned fidelity =
        4;  ///< phases of a product that are added: 1 LoFi, 2 HiFi2, 3 HiFi3, 4 HiFi4 (MVMUL, Functional model)
    /// Of an element of Dst: 16 or 32. Nothing: 32 for integers (no other), else 16, as kernels have it whose
    /// fp32_dest_acc_en is false, which is tt-metal's default.
    std::optional<unsigned> dst_bits;
    std::optional<DataFormat> out;     ///< of the result in L1. Nothing: Int32 for integers, else `a`
    /// Between the packers' early and late conversion (ALU_FORMAT_SPEC_REG2_Dstacc and In_data_format). Nothing: Bfp8_b
    /// or Bfp8 for block floats of the exponents that Dst has, Float16 with Round_10b_mant for Fp8_e4m3, Int8 or Int32;
    /// else from 32 bits of Dst `out`, with Tf32 for 5-bit exponents, and from 16 bits what Dst holds.
    std::optional<DataFormat> intermediate;
    Interrupt interrupt{};
};

/// a x b, as a kernel multiplies tiles: for each tile of the result, tiles of the sum one after the other; of each, all
/// phases; of each phase, the left half of a's tile times the upper half of b's and then the other halves, by MVMULs. a
/// goes to SrcB and b to SrcA. Dst starts as zeros and holds the whole sum (examples/matmul; seed rwc-and-addressing 4.2).
/// Error "arrays.shape" also when a.cols is not b.rows.
Result<Matrix> matmul(const Matrix& a, const Matrix& b, const ArrayOptions& options = {});

/// a + b, by ELWADD without accumulation in phase 0: `fidelity` does not count. a goes to SrcA and b to SrcB. Where b has
/// one row or one column and a has more, the instruction's broadcast takes it for all.
Result<Matrix> elwadd(const Matrix& a, const Matrix& b, const ArrayOptions& options = {});
/// a - b, by ELWSUB; all that elwadd() says.
Result<Matrix> elwsub(const Matrix& a, const Matrix& b, const ArrayOptions& options = {});
/// a * b, by ELWMUL onto zeros in Dst, one per phase; operands and broadcasts as elwadd().
Result<Matrix> elwmul(const Matrix& a, const Matrix& b, const ArrayOptions& options = {});

/// weights x a, by GAPOOL onto zeros in Dst: blocks of 16 rows of `a` one after the other, of each all phases. `weights` has
/// 1 to 4 rows and as many columns as `a` has rows; it goes to SrcB, as format `b`, and `a` to SrcA. A row of ones gives
/// the sums of a's columns, a row of 1/a.rows their means.
Result<Matrix> gapool(const Matrix& a, const Matrix& weights, const ArrayOptions& options = {});

/// The largest of each column.
struct Maxima {
    Matrix values;  ///< one row; empty where the machine tells the place only (argmax of Tf32 and integers)
    std::vector<std::uint32_t> rows;  ///< of each maximum, with argmax
};

/// By GMPOOL, SrcB holding 1.0: 16 rows of `a` one after the other, onto a row of Dst that is not valid. Only `a`, `src`,
/// `dst_bits`, `out` and `intermediate` of the options count. Formats of 5-bit exponents need 16 bits of Dst.
///
/// With `arg_max` 8 rows at a time, since the instruction tells the place of no others, and Dst has 32 bits (the default
/// then), of which 16 are the value's: at most 128 rows, for Tf32 and integers 8, else error "arrays.shape". Of equal ones
/// in 8 rows the last in the order 4 to 7, 0 to 3 counts, of those in different eights the last (GMPOOL, Functional
/// model).
Result<Maxima> gmpool(const Matrix& a, bool arg_max, const ArrayOptions& options = {});

/// One MVMUL in one phase (0 to 3, else error "arrays.fidelity"): dst + b x a for 8 rows of 16 of SrcB (format `b`) and
/// 16 rows of 16 of SrcA (format `a`). Patterns of Dst come and go: of FP32, or INT32 as sign and magnitude, with 32 bits;
/// else BF16, or FP16 for 5-bit exponents. `dst` has 128 of them, row after row, or none: zeros.
Result<std::vector<std::uint32_t>> mvmul(const Matrix& b, const Matrix& a, std::span<const std::uint32_t> dst,
                                         unsigned phase, const ArrayOptions& options = {});

/// How datums get from L1 through Dst to L1.
struct ConvertOptions {
    Arch arch = Arch::blackhole;
    /// Of the array in L1: all that ArrayOptions::a lists, but for integers Int32 alone.
    DataFormat from = DataFormat::Float32;
    /// What unpackers make of Float32 on the way to Dst: Float32 (32 bits), Float16_b or Float16 (16 bits).
    DataFormat dst = DataFormat::Float32;
    DataFormat to = DataFormat::Float16_b;
    std::optional<DataFormat> intermediate;  ///< as in ArrayOptions
    Interrupt interrupt{};
};

/// What a packer leaves in L1 of an array: unpacked to Dst, and packed. Tiles as Layout::tiles has them, padded with zeros to
/// whole tiles; Int32 is sign and magnitude, as hardware has it.
Result<std::vector<std::byte>> pack_tiles(const Matrix& array, const ConvertOptions& options);

/// The same as values, in the shape of the array.
Result<Matrix> convert(const Matrix& array, const ConvertOptions& options);

/// What unpackers make of bytes of L1 on the way to a source register: the values there. `rows` and `cols` are multiples of
/// 32, `bytes` as many as tensor_bytes() says, else error "tensor.shape"; format and `src` as in ArrayOptions.
Result<Matrix> unpack_tiles(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, DataFormat format,
                            DataFormat src = DataFormat::Tf32, Arch arch = Arch::blackhole,
                            const Interrupt& interrupt = {});

}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions over whole arrays, without a core: the bits that a kernel leaves, for tests of other programs.
///
/// Each function rounds its arrays to their format in L1, as to_bytes() does. The datums then pass the unpackers' conversion,
/// the matrix unit and the packers' conversions. The result is exact. All functions work in tiles of 32x32. Smaller and
/// odd shapes are padded with zeros, as kernels pad them.
///
/// Every function checks its arguments before it computes anything. The errors are:
/// - "arrays.shape": an array has no elements, its number of values is not rows × cols, or the shapes do not fit together;
/// - "arrays.size": an array or a result has more than 2^28 elements;
/// - "arrays.format": the unit or the architecture does not take the format, or the formats do not fit together;
/// - "arrays.fidelity", "arrays.dst": the number is out of range;
/// - "arrays.interrupted": an Interrupt returned true.
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

/// Called by the computing thread, every few tiles. If it returns true, the function ends with error "arrays.interrupted".
/// An empty function costs nothing.
using Interrupt = std::function<bool()>;

/// The formats of operands and results, and the mode of the matrix unit.
struct ArrayOptions {
    Arch arch = Arch::blackhole;  ///< the chip
    /// Format of the first array in L1: Float32, Tf32, Float16, Float16_b, Lf8, Fp8_e4m3 (Blackhole), a block float, Int8
    /// or UInt8. Both arrays have 8-bit exponents, both have 5-bit exponents, or both are integers. Float32 counts as `src`.
    DataFormat a = DataFormat::Float16_b;
    /// Format of the second array in L1, under the same rule.
    DataFormat b = DataFormat::Float16_b;
    DataFormat src = DataFormat::Tf32;  ///< the unpackers convert Float32 to this: Tf32, Float16_b or Float16
    /// Phases of each product that are added: 1 is LoFi, 2 HiFi2, 3 HiFi3, 4 HiFi4. All functions check it, also those that
    /// do not use it. Source: MVMUL, Functional model.
    unsigned fidelity = 4;
    /// Bits of an element of Dst, 16 or 32. Empty: 32 for integers, which allow no other, and 16 for all else. 16 is the
    /// default of kernels (tt-metal's fp32_dest_acc_en is false).
    std::optional<unsigned> dst_bits;
    std::optional<DataFormat> out;  ///< format of the result in L1; empty: Int32 for integers, else `a`
    /// The format between the packer's early and late conversion (ALU_FORMAT_SPEC_REG2_Dstacc, In_data_format). Empty:
    /// - block floats: Bfp8_b or Bfp8, by the width of Dst's exponents;
    /// - Fp8_e4m3: Float16 with Round_10b_mant;
    /// - integers: Int8 or Int32;
    /// - other formats from 16 bits of Dst: the format that Dst holds;
    /// - other formats from 32 bits of Dst: `out`, and Tf32 for 5-bit exponents.
    std::optional<DataFormat> intermediate;
    Interrupt interrupt{};  ///< ends a long computation
};

/// a x b. `a` goes to SrcB, `b` to SrcA. Dst starts as zeros and holds the whole sum.
///
/// The order of additions is that of a kernel: one tile of the sum after the other; in a tile, all phases; in a phase, the left
/// half of a's tile and then the right half. Each addition is one MVMUL. Sources: examples/matmul; seed rwc-and-addressing
/// 4.2. Error "arrays.shape" also if `a.cols` differs from `b.rows`.
Result<Matrix> matmul(const Matrix& a, const Matrix& b, const ArrayOptions& options = {});

/// a + b, by ELWADD without accumulation. `a` goes to SrcA, `b` to SrcB. ArrayOptions::fidelity is not used.
///
/// If `b` has one row or one column and `a` has more, the instruction broadcasts it.
Result<Matrix> elwadd(const Matrix& a, const Matrix& b, const ArrayOptions& options = {});
/// a - b, by ELWSUB. Operands and broadcasts are those of elwadd().
Result<Matrix> elwsub(const Matrix& a, const Matrix& b, const ArrayOptions& options = {});
/// a * b, by one ELWMUL per phase onto zeros in Dst. Operands and broadcasts are those of elwadd().
Result<Matrix> elwmul(const Matrix& a, const Matrix& b, const ArrayOptions& options = {});

/// weights x a, by GAPOOL onto zeros in Dst. Blocks of 16 rows of `a` are added one after the other, each in all phases.
///
/// `weights` has 1 to 4 rows and `a.rows` columns. It goes to SrcB in format `b`, and `a` goes to SrcA. A row of ones gives
/// the sums of a's columns. A row of 1/a.rows gives their means.
Result<Matrix> gapool(const Matrix& a, const Matrix& weights, const ArrayOptions& options = {});

/// The maximum of each column.
struct Maxima {
    Matrix values;  ///< one row; empty if the machine gives only the place (argmax of Tf32 and of integers)
    std::vector<std::uint32_t> rows;  ///< the row of each maximum; empty without argmax
};

/// The maximum of each column, by GMPOOL: 16 rows of `a` at a time, onto an invalid row of Dst. SrcB holds 1.0.
///
/// ArrayOptions::b and ArrayOptions::fidelity are not used. Formats of 5-bit exponents need 16 bits of Dst.
///
/// With `arg_max` the instruction takes 8 rows at a time, since it reports the place of no others. Dst then has 32 bits, of
/// which 16 are the value's. `a` has at most 128 rows, and at most 8 for Tf32 and integers, else error "arrays.shape". Among
/// equal values in 8 rows the last in the order 4 to 7, 0 to 3 wins; among groups of 8 the last group wins, or if they are
/// 0 the first. Source: GMPOOL,
/// Functional model.
Result<Maxima> gmpool(const Matrix& a, bool arg_max, const ArrayOptions& options = {});

/// One MVMUL in one phase: dst + b x a, for 8 x 16 values of SrcB (format `b`) and 16 x 16 values of SrcA (format `a`).
///
/// `dst` has 128 patterns in row-major order, or none, which stands for zeros. With 32 bits a pattern is an FP32, or an INT32
/// as sign and magnitude. With 16 bits it is a BF16, or an FP16 for formats of 5-bit exponents. `phase` is 0 to 3, else error
/// "arrays.fidelity". The result has the same form as `dst`. ArrayOptions::fidelity, `out` and `intermediate` are not used.
Result<std::vector<std::uint32_t>> mvmul(const Matrix& b, const Matrix& a, std::span<const std::uint32_t> dst,
                                         unsigned phase, const ArrayOptions& options = {});

/// The formats on the way from L1 through Dst to L1.
struct ConvertOptions {
    Arch arch = Arch::blackhole;  ///< the chip
    /// Format of the array in L1: all formats of ArrayOptions::a, but of integers only Int32.
    DataFormat from = DataFormat::Float32;
    /// The unpackers convert Float32 to this in Dst: Float32 (32 bits), Float16_b or Float16 (16 bits).
    DataFormat dst = DataFormat::Float32;
    DataFormat to = DataFormat::Float16_b;   ///< format in L1 afterwards
    std::optional<DataFormat> intermediate;  ///< as in ArrayOptions
    Interrupt interrupt{};                   ///< ends a long computation
};

/// The bytes that a packer leaves in L1 after the array was unpacked to Dst and packed again.
///
/// The bytes are whole tiles (Layout::tiles), padded with zeros. Int32 is sign and magnitude, as in hardware.
Result<std::vector<std::byte>> pack_tiles(const Matrix& array, const ConvertOptions& options);

/// The values of pack_tiles(), in the shape of the array.
Result<Matrix> convert(const Matrix& array, const ConvertOptions& options);

/// The values that the unpackers make of tiles in L1 on the way to a source register.
///
/// `rows` and `cols` are multiples of 32. `bytes` has exactly tensor_bytes() bytes, else error "tensor.shape". `format` and
/// `src` are those of ArrayOptions.
Result<Matrix> unpack_tiles(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, DataFormat format,
                            DataFormat src = DataFormat::Tf32, Arch arch = Arch::blackhole,
                            const Interrupt& interrupt = {});

}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
/// @file
/// Arrays to bytes of L1 and back, in any format and layout; `.npy` files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/data_format.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// A dense matrix in row-major order.
struct Matrix {
    std::size_t rows = 0;                     ///< the number of rows
    std::size_t cols = 0;                     ///< the number of columns
    std::vector<float> values;                ///< rows × cols
    std::vector<std::int64_t> integers = {};  ///< the exact values of integer formats and inputs; else empty
};

/// The order of a matrix's datums in memory. A unit is what has its own header and exponents: a tile, or a whole matrix of `rows`.
enum class Layout : std::uint8_t {
    tiles,  ///< 32x32 tiles in row-major order, each four 16x16 faces in row-major order; both sizes are multiples of 32
    rows,   ///< row after row
};

/// "tiles" or "rows".
std::string_view name(Layout layout);

/// The inverse of name(Layout), for the exact spelling only.
std::optional<Layout> parse_layout(std::string_view text);

/// The rounding of floating-point values to a format.
enum class Rounding : std::uint8_t {
    host,    ///< to nearest (see to_bytes()); block formats as in the vendor's host library
    device,  ///< that of a packer's late conversion from FP32 (docs/internals/numerics.md, 9; spec-notes T5)
};

/// "host" or "device".
std::string_view name(Rounding rounding);

/// The inverse of name(Rounding), for the exact spelling only.
std::optional<Rounding> parse_rounding(std::string_view text);

/// The form of a matrix in memory, besides its format.
///
/// Each unit of the Layout consists of: a header if there is one; the starts of compressed rows; the exponents of a block format,
/// one byte per 16 datums; the datums. Each of these is padded to 16 bytes. Sources: UNPACR_Regular, Functional model; Packers,
/// Compression.
struct TensorForm {
    Layout layout = Layout::tiles;  ///< the order of datums

    /// Adds a header of (1 + digest_size) × 16 bytes per unit: a tile header of SETDMAREG, then zeros. Readers skip it.
    std::optional<std::uint8_t> digest_size = {};

    /// Replaces zeros (only +0) by counts behind the datums before them, as packers do (spec-notes E32).
    ///
    /// A unit keeps the room that it would have without zeros, and is filled up with zeros (tensor_sizes()). Not for the 2-bit datums
    /// of Bfp2 and Bfp2_b. At most 65535 datums per unit.
    bool compressed = false;

    /// Datums of a compressed row, whose first and last are never omitted: XDim of the unpackers' tile descriptor. 0: 16 in `tiles`,
    /// a row of the matrix in `rows`. Must divide the datums of a unit.
    std::uint32_t row_datums = 0;

    /// The exponent of all blocks of a block format, which then has none in memory (Force_shared_exp of the unpackers). At most 31
    /// with 5-bit exponents. Larger values become the largest magnitude. Not with Rounding::device.
    std::optional<std::uint8_t> shared_exponent = {};

    Rounding rounding = Rounding::host;  ///< readers ignore it

    constexpr TensorForm() = default;
    /// The form with this layout and defaults for all else.
    constexpr TensorForm(Layout all_else_default) : layout(all_else_default) {}

    friend bool operator==(const TensorForm&, const TensorForm&) = default;  ///< equal in every member
};

/// The most bytes that a matrix of `rows` × `cols` datums takes.
///
/// Errors: "tensor.format" for a code without a format, and for a format that does not allow the form; "tensor.form" for a form that
/// contradicts itself; "tensor.shape" if the layout does not allow the shape, or no memory could hold it. Block formats need columns in
/// multiples of 16.
Result<std::size_t> tensor_bytes(std::size_t rows, std::size_t cols, DataFormat format, const TensorForm& form);

/// The matrix as bytes of L1. Errors: those of tensor_bytes().
///
/// Floats are rounded to nearest, ties to even. Float16, Lf8 (E5M2) and Fp8_e4m3 have no infinity and no NaN in hardware: these, and
/// values that are too large, become the largest magnitude. A Tf32 is a Float32 whose low 13 bits are 0.
///
/// Integers are exact if the matrix has `integers`. Otherwise values are rounded to nearest, ties to even, and NaN becomes 0. Values
/// out of range become the nearest limit. Int8 is sign and magnitude, -127 to 127, as unpackers read it. Int32 is two's
/// complement, as in the vendor's host library (spec-notes T2).
///
/// Block formats follow the vendor's host library (spec-notes T1). The shared exponent is the largest of the 16. Magnitudes are shifted
/// by the difference of exponents, without the bits that drop out, and then rounded to nearest, ties to even. The limit is the
/// largest magnitude. A magnitude of 0 has no sign. Denormals are 0. With 5-bit exponents, values beyond the
/// largest exponent become the largest magnitude. With 8-bit exponents, infinity and NaN are treated as ordinary numbers.
///
/// Rounding::device is the packer's late conversion from FP32 to Float32, Float16, Float16_b, Lf8 or a block format. Other formats
/// give error "tensor.format". Bits that do not fit are cut. Magnitudes of blocks are aligned, rounded to 7 bits with ties away from
/// zero, and then cut to 3 or 1 (spec-notes T5).
Result<std::vector<std::byte>> to_bytes(const Matrix& matrix, DataFormat format, const TensorForm& form);

/// The inverse of to_bytes(), exact. Integer formats also give Matrix::integers.
///
/// A sign without magnitude in a block format becomes what unpackers make of it: negative infinity, or -65536 with a 5-bit exponent
/// (spec-notes A39). Errors: "tensor.shape" if `bytes` has not exactly tensor_bytes() bytes; "tensor.data" if compressed rows overlap, or
/// have another number of datums than row_datums.
Result<Matrix> from_bytes(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, DataFormat format,
                          const TensorForm& form);

/// The bytes that each unit of the Layout uses of its room. Less than the room if zeros are left out. A multiple of 16, except for
/// a last line of datums. Errors: those of from_bytes().
Result<std::vector<std::size_t>> tensor_sizes(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols,
                                              DataFormat format, const TensorForm& form);

/// Reads a NumPy `.npy` file of one or two dimensions. One dimension becomes one row.
///
/// Format 1.0 to 3.0, C or Fortran order, little-endian. Dtypes: f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 and bool. A float64 becomes a float32,
/// to nearest. Errors: "npy.open", "npy.format", "npy.dtype", "npy.shape", "npy.size".
Result<Matrix> read_npy(const std::string& path);

/// read_npy() for to_bytes() in `format`. For an integer format, float64 gives Matrix::integers, too: to nearest, ties to even; NaN
/// becomes 0, and values beyond 64 bits become the nearest limit.
Result<Matrix> read_npy(const std::string& path, DataFormat format);

/// Writes a matrix as a `.npy` file, whole or not at all: int64 if it has `integers`, else float32. Errors "npy.open",
/// "npy.shape".
Result<void> write_npy(const std::string& path, const Matrix& matrix);

/// Reads a file of exactly `size` bytes. Errors: "tensor.open"; "tensor.shape" for another size.
Result<std::vector<std::byte>> read_bytes(const std::string& path, std::size_t size);

/// Writes a file, whole or not at all. Error "tensor.open".
Result<void> write_bytes(const std::string& path, std::span<const std::byte> bytes);

}  // namespace tessera

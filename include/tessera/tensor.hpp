// SPDX-License-Identifier: Apache-2.0
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

/// A dense row-major matrix of values.
struct Matrix {
    std::size_t rows = 0, cols = 0;
    std::vector<float> values;  ///< rows × cols
    /// The same exactly, where they came as integers; else empty.
    std::vector<std::int64_t> integers = {};
};

/// How a matrix lies in memory. In a block format each tile, and each matrix of layout `rows`, begins with its exponents:
/// one byte per 16 datums in their order, padded to 16 bytes (UNPACR_Regular, Functional model).
enum class Layout : std::uint8_t {
    tiles,  ///< 32x32 tiles in row-major order, each four 16x16 faces in row-major order; both sizes multiples of 32
    rows,   ///< row after row
};

/// "tiles" or "rows".
std::string_view name(Layout layout);

/// The inverse of name(): exact spelling only.
std::optional<Layout> parse_layout(std::string_view text);

/// Bytes that `rows` × `cols` datums occupy. Error "tensor.format" for a code that names no format, "tensor.shape" when
/// the layout does not take that shape (block formats need columns in multiples of 16) or no memory could hold it.
Result<std::size_t> tensor_bytes(std::size_t rows, std::size_t cols, DataFormat format, Layout layout);

/// The matrix as bytes of L1. Errors as tensor_bytes.
///
/// Floating-point values are rounded to nearest, ties to even. Float16, Lf8 (E5M2) and Fp8_e4m3 are as hardware has them,
/// without infinity and NaN: those, and what is too large, become the largest magnitude, all ones. Tf32 is a Float32
/// whose low 13 bits are 0.
///
/// Integers are exact where the matrix has `integers`, else its values rounded to nearest even (NaN is 0); beyond the
/// format's range they become its nearest end. Int8 is sign and magnitude, -127 to 127, as unpackers read it; Int32 is in
/// two's complement, as the vendor's host library has it (spec-notes T2).
///
/// Block formats are packed as the vendor's host library packs them (spec-notes T1): the shared exponent is the largest of
/// the 16; magnitudes lose the bits that the difference of exponents shifts out, and are then rounded to nearest even, at
/// most to the largest magnitude; a magnitude of 0 has no sign. Denormals are 0. With 5-bit exponents (no suffix) values
/// beyond the largest exponent become the largest magnitude; with 8-bit ones infinity and NaN are ordinary numbers.
Result<std::vector<std::byte>> to_bytes(const Matrix& matrix, DataFormat format, Layout layout);

/// The inverse, exact; integer formats also give `integers`. `bytes` has exactly tensor_bytes() bytes, else error
/// "tensor.shape". A sign without magnitude in a block format is what unpackers make of it: negative infinity, or -65536
/// with a 5-bit exponent (spec-notes A39).
Result<Matrix> from_bytes(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, DataFormat format,
                          Layout layout);

/// Reads a NumPy `.npy` file (format 1.0 to 3.0, C or Fortran order, one or two dimensions; one dimension is one row;
/// dtypes f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 and bool, little-endian). Error codes "npy.open", "npy.format",
/// "npy.dtype", "npy.shape", "npy.size".
Result<Matrix> read_npy(const std::string& path);

/// Writes a matrix as a `.npy` file, of int64 where it has `integers`, else of float32; whole or not at all. Errors
/// "npy.open", "npy.shape".
Result<void> write_npy(const std::string& path, const Matrix& matrix);

/// Reads a file of exactly `size` bytes. Errors "tensor.open", "tensor.shape" when it has another size.
Result<std::vector<std::byte>> read_bytes(const std::string& path, std::size_t size);

/// Writes a file, whole or not at all. Error "tensor.open".
Result<void> write_bytes(const std::string& path, std::span<const std::byte> bytes);

}  // namespace tessera

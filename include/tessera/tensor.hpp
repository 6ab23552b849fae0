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

/// The order of a matrix's datums in memory, and what stands together there: a tile, or a whole matrix of layout `rows`.
enum class Layout : std::uint8_t {
    tiles,  ///< 32x32 tiles in row-major order, each four 16x16 faces in row-major order; both sizes multiples of 32
    rows,   ///< row after row
};

/// "tiles" or "rows".
std::string_view name(Layout layout);

/// The inverse of name(): exact spelling only.
std::optional<Layout> parse_layout(std::string_view text);

/// How floating-point values are rounded to a format.
enum class Rounding : std::uint8_t {
    host,    ///< to nearest, as to_bytes() says for each format; block formats as the vendor's host library
    device,  ///< as a packer converts FP32 late (docs/internals/numerics.md, 9; spec-notes T5)
};

/// "host" or "device".
std::string_view name(Rounding rounding);

/// The inverse of name(): exact spelling only.
std::optional<Rounding> parse_rounding(std::string_view text);

/// How a matrix stands in memory, beside its format. Each tile, or the matrix of layout `rows`, is: a header if there is
/// one, the starts of compressed rows, exponents of a block format (a byte per 16 datums), datums; each of these padded to
/// 16 bytes (UNPACR_Regular, Functional model; Packers, Compression).
struct TensorForm {
    Layout layout = Layout::tiles;

    /// With a header of (1 + digest_size) × 16 bytes: a tile header as SETDMAREG makes it, then zeros. Reading skips it.
    std::optional<std::uint8_t> digest_size = {};

    /// Zeros (+0 alone) are counts behind the datums before them, as a packer leaves them out (spec-notes E32). Each tile
    /// still has the room of one without zeros, and zeros behind what it takes (tensor_sizes()). Not for the 2 bits of
    /// Bfp2 and Bfp2_b; at most 65535 datums together.
    bool compressed = false;

    /// Datums of a compressed row, whose first and last are never left out: XDim of the unpackers' tile descriptor. 0: 16
    /// in tiles, a row of the matrix in `rows`. Must divide what stands together.
    std::uint32_t row_datums = 0;

    /// The one exponent of all blocks, which have no exponents in memory then (the unpackers' Force_shared_exp). Up to 31
    /// with 5-bit exponents; larger values become the largest magnitude. Not with device rounding.
    std::optional<std::uint8_t> shared_exponent = {};

    Rounding rounding = Rounding::host;  ///< reading ignores it

    constexpr TensorForm() = default;
    constexpr TensorForm(Layout all_else_default) : layout(all_else_default) {}

    friend bool operator==(const TensorForm&, const TensorForm&) = default;
};

/// Bytes that `rows` × `cols` datums occupy at most. Error "tensor.format" for a code that names no format, and for a
/// format that does not go with what the form asks for; "tensor.form" for a form that contradicts itself; "tensor.shape"
/// when the layout does not take that shape (block formats need columns in multiples of 16, compressed rows must fit) or
/// no memory could hold it.
Result<std::size_t> tensor_bytes(std::size_t rows, std::size_t cols, DataFormat format, const TensorForm& form);

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
///
/// With device rounding values are FP32 to a packer, which has a late conversion from it to Float32, Float16, Float16_b,
/// Lf8 and the block formats: cut to fewer bits; magnitudes of blocks aligned, rounded to 7 bits with ties away from zero,
/// then cut to 3 or 1 (spec-notes T5). Other formats: error "tensor.format".
Result<std::vector<std::byte>> to_bytes(const Matrix& matrix, DataFormat format, const TensorForm& form);

/// The inverse, exact; integer formats also give `integers`. `bytes` has exactly tensor_bytes() bytes, else error
/// "tensor.shape". A sign without magnitude in a block format is what unpackers make of it: negative infinity, or -65536
/// with a 5-bit exponent (spec-notes A39). Error "tensor.data" when compressed rows do not start where others end, or have
/// another number of datums than row_datums.
Result<Matrix> from_bytes(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, DataFormat format,
                          const TensorForm& form);

/// Bytes that each tile, or the matrix of layout `rows`, takes of its room: less than all where zeros are left out, a
/// multiple of 16 but for a last line of datums. Errors as from_bytes.
Result<std::vector<std::size_t>> tensor_sizes(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols,
                                              DataFormat format, const TensorForm& form);

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

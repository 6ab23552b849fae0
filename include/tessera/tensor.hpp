// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tessera/data_format.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// A dense row-major matrix of values.
struct Matrix {
    std::size_t rows = 0, cols = 0;
    std::vector<float> values;  ///< rows × cols
};

/// How a matrix lies in memory.
enum class Layout : std::uint8_t {
    tiles,  ///< 32x32 tiles in row-major order, each four 16x16 faces in row-major order; both sizes multiples of 32
    rows,   ///< row after row
};

/// Bytes that `rows` × `cols` datums occupy. Error "tensor.format" for a format that has no converter yet (there are
/// Float32, Float16, Float16_b), "tensor.shape" when the layout does not take that shape.
Result<std::size_t> tensor_bytes(std::size_t rows, std::size_t cols, DataFormat format, Layout layout);

/// The matrix as bytes of L1. Values are rounded to nearest, ties to even; Float16 saturates as the hardware's format
/// does (no infinity: the largest magnitude is 0x7FFF). Errors as tensor_bytes.
Result<std::vector<std::byte>> to_bytes(const Matrix& matrix, DataFormat format, Layout layout);

/// The inverse. `bytes` has exactly tensor_bytes() bytes, else error "tensor.shape".
Result<Matrix> from_bytes(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, DataFormat format,
                          Layout layout);

/// Reads a NumPy `.npy` file (format 1.0 to 3.0, C or Fortran order, one or two dimensions; one dimension is one row;
/// dtypes f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 and bool, little-endian). Error codes "npy.open", "npy.format",
/// "npy.dtype", "npy.shape", "npy.size".
Result<Matrix> read_npy(const std::string& path);

/// Writes a matrix as a `.npy` file of float32, whole or not at all. Errors "npy.open", "npy.shape".
Result<void> write_npy(const std::string& path, const Matrix& matrix);

}  // namespace tessera

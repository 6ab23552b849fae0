// SPDX-License-Identifier: Apache-2.0
// Where the datums and exponents of a matrix lie in memory.
#pragma once

#include "formats/datum_size.hpp"
#include "tessera/tensor.hpp"

namespace tessera::tensor {

inline constexpr std::size_t tile_side = 32, face_side = 16, faces_per_side = tile_side / face_side;
inline constexpr std::size_t tile_datums = tile_side * tile_side;
inline constexpr std::size_t section_alignment = 16;  ///< exponent sections are whole lines of L1

/// Bytes of the exponents of so many datums.
constexpr std::size_t exponent_section(std::size_t datums) {
    const std::size_t blocks = (datums + formats::block_datums - 1) / formats::block_datums;
    return (blocks + section_alignment - 1) / section_alignment * section_alignment;
}

/// Where the datum of a row and column stands, counted in datums.
constexpr std::size_t position(std::size_t row, std::size_t column, std::size_t cols, Layout layout) {
    if (layout == Layout::rows) return row * cols + column;
    const std::size_t tile = row / tile_side * (cols / tile_side) + column / tile_side;
    const std::size_t face = row % tile_side / face_side * faces_per_side + column % tile_side / face_side;
    const std::size_t within = row % face_side * face_side + column % face_side;
    return tile * tile_datums + face * face_side * face_side + within;
}

/// Byte offsets of the block that begins at a position: its exponent, its first datum.
struct BlockPlace {
    std::size_t exponent, datums;
};

/// Exponents stand before the datums that they are for: of each tile, or of the whole matrix. `datums`: of the matrix.
constexpr BlockPlace block_place(std::size_t at, std::size_t datums, unsigned datum_bits, Layout layout) {
    const std::size_t unit = layout == Layout::tiles ? tile_datums : datums;
    const std::size_t unit_bytes = exponent_section(unit) + unit * datum_bits / 8;
    const std::size_t start = at / unit * unit_bytes, within = at % unit;
    return {start + within / formats::block_datums, start + exponent_section(unit) + within * datum_bits / 8};
}

}  // namespace tessera::tensor

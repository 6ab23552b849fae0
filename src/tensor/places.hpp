// SPDX-License-Identifier: Apache-2.0
// Memory layout of a matrix: byte offsets of datums, exponents, row starts and counters.
#pragma once

#include "formats/datum_size.hpp"
#include "tessera/tensor.hpp"

namespace tessera::tensor {

inline constexpr std::size_t tile_side = 32, face_side = 16, faces_per_side = tile_side / face_side;
inline constexpr std::size_t tile_datums = tile_side * tile_side, face_datums = face_side * face_side;
inline constexpr std::size_t face_rows = tile_datums / face_side;  ///< of a tile
inline constexpr std::size_t line_bytes = 16;                      ///< of L1; sections are padded to it
inline constexpr std::size_t group_datums = 32;    ///< compressed datums in a row before their counters
inline constexpr std::size_t counter_bytes = 16;   ///< four bits per datum
inline constexpr std::size_t most_zeros = 15;      ///< that one counter can skip
inline constexpr std::size_t row_start_bytes = 2;  ///< a row start counts datums in 16 bits

constexpr std::size_t ceil_div(std::size_t n, std::size_t d) { return n / d + (n % d != 0); }
constexpr std::size_t whole_lines(std::size_t bytes) { return ceil_div(bytes, line_bytes) * line_bytes; }

/// A contiguous piece: a tile, or a whole matrix. Sections are byte offsets.
struct Unit {
    std::size_t datums{};
    std::size_t rows{}, row_datums{};  ///< of compression; rows == 0: uncompressed
    unsigned datum_bits{};
    bool has_exponents{};
    std::size_t row_starts{}, exponents{}, data{};
    std::size_t bytes{};  ///< total size if no zero is omitted

    constexpr bool compressed() const { return rows != 0; }
    /// Offset of a group of compressed datums; counters follow them.
    constexpr std::size_t group(std::size_t index) const { return data + index * (group_bytes() + counter_bytes); }
    constexpr std::size_t group_bytes() const { return group_datums * datum_bits / 8; }
    /// Byte with a compressed datum's counter, in its low or high half.
    constexpr std::size_t counter(std::size_t datum) const {
        return group(datum / group_datums) + group_bytes() + datum % group_datums / 2;
    }
    /// Size in bytes with `kept` datums.
    constexpr std::size_t bytes_of(std::size_t kept) const {
        return compressed() ? group(ceil_div(kept, group_datums)) : data + ceil_div(kept * datum_bits, 8);
    }
};

constexpr Unit unit_of(std::size_t datums, unsigned datum_bits, bool block_format, const TensorForm& form,
                       std::size_t row_datums) {
    Unit unit;
    unit.datums = datums;
    unit.datum_bits = datum_bits;
    unit.has_exponents = block_format && !form.shared_exponent;
    std::size_t at = form.digest_size ? (1 + std::size_t{*form.digest_size}) * line_bytes : 0;
    unit.row_starts = at;
    if (form.compressed) {
        unit.row_datums = row_datums;
        unit.rows = datums / row_datums;
        at += whole_lines((unit.rows + 1) * row_start_bytes);
    }
    unit.exponents = at;
    if (unit.has_exponents) at += whole_lines(ceil_div(datums, formats::block_datums));
    unit.data = at;
    unit.bytes = unit.bytes_of(datums);
    return unit;
}

/// Row-major index of the first value in row `row` of a tile's faces. A face row has sixteen datums.
constexpr std::size_t face_row(std::size_t tile, std::size_t row, std::size_t cols) {
    const std::size_t across = cols / tile_side, face = row / face_side;
    const std::size_t down = tile / across * tile_side + face / faces_per_side * face_side + row % face_side;
    return down * cols + tile % across * tile_side + face % faces_per_side * face_side;
}

/// The inverse for tiles: index of a value among the datums of all tiles.
constexpr std::size_t position_in_tiles(std::size_t row, std::size_t column, std::size_t cols) {
    const std::size_t tile = row / tile_side * (cols / tile_side) + column / tile_side;
    const std::size_t face = row % tile_side / face_side * faces_per_side + column % tile_side / face_side;
    return tile * tile_datums + face * face_datums + row % face_side * face_side + column % face_side;
}

}  // namespace tessera::tensor

// SPDX-License-Identifier: Apache-2.0
// The grid of tiles, as jobs describe it to kernels: which columns and rows of the NoC it has.
#pragma once

#include "shared_tiles.hpp"

extern "C" {
// Arguments: the job sets them.
[[gnu::section(".arguments")]] volatile std::uint32_t columns = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t rows = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t xs[16] = {1};  // of the columns, in coordinates of NoC 0
[[gnu::section(".arguments")]] volatile std::uint32_t ys[16] = {1};  // of the rows
}

namespace kernel {

/// The words of a row's tiles, and of a column's.
inline constexpr LineWords row_words{0x16300, 0x16310}, column_words{0x16320, 0x16330};

/// Of this tile.
struct InGrid {
    std::uint32_t column = 0, row = 0;
    explicit InGrid(Place here) {
        while (xs[column] != here.x) ++column;
        while (ys[row] != here.y) ++row;
    }
    Line of_row() const { return {column, columns - 1, {xs[0], ys[row]}, {xs[1], ys[row]}, {xs[columns - 1], ys[row]}}; }
    Line of_column() const { return {row, rows - 1, {xs[column], ys[0]}, {xs[column], ys[1]}, {xs[column], ys[rows - 1]}}; }
};

}  // namespace kernel

// SPDX-License-Identifier: Apache-2.0
// NC: reads, for each tile of the product, a row of tiles of A and a column of tiles of B into circular buffers.
#include "tile_reader.hpp"

using namespace kernel;

extern "C" {
// Arguments: the job sets them. A has rows x depth tiles, B depth x cols.
[[gnu::section(".arguments")]] volatile std::uint32_t rows = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t cols = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t depth = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t a = 0;  // where they begin
[[gnu::section(".arguments")]] volatile std::uint32_t b = 0;
[[gnu::section(".arguments")]] volatile std::uint32_t array_tiles = 0x10000;  // behind which an array begins again
}

void kernel_main() {
    TileReader left(0, a, array_tiles), right(1, b, array_tiles);
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t col = 0; col < cols; ++col)
            for (std::uint32_t k = 0; k < depth; ++k) {
                left.bring(row * depth + k);
                right.bring(k * cols + col);
            }
}

// SPDX-License-Identifier: Apache-2.0
// NC: brings tiles of A, which all tiles of a row of the grid need, by NoC 0.
#include "grid.hpp"

using namespace kernel;

extern "C" {
// Arguments: the job sets them. Every tile of the grid computes height x width tiles of the product.
[[gnu::section(".arguments")]] volatile std::uint32_t height = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t width = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t depth = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t a[3] = {};  // x and y of a DRAM tile, and where the array begins
}

void kernel_main() {
    using Noc0 = Noc<0, 0>;
    const InGrid here(Noc0::here());
    Noc0 noc;
    SharedTiles<Noc0> tiles(noc, 0, row_words, here.of_row(), {a[0], a[1]}, a[2]);
    for (std::uint32_t i = 0; i < height; ++i)
        for (std::uint32_t j = 0; j < width; ++j)
            for (std::uint32_t k = 0; k < depth; ++k) tiles.bring((here.row * height + i) * depth + k);
    noc.wait_written();
    noc.wait_increments();
}

// SPDX-License-Identifier: Apache-2.0
// NC: reads the tiles of one or two arrays into circular buffers.
#include "tile_reader.hpp"

using namespace kernel;

extern "C" {
// Arguments: the job sets them.
[[gnu::section(".arguments")]] volatile std::uint32_t tiles = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t a = 0;  // where an array begins
[[gnu::section(".arguments")]] volatile std::uint32_t b = 0;  // 0: there is none
[[gnu::section(".arguments")]] volatile std::uint32_t array_tiles = 0x10000;  // behind which an array begins again
}

void kernel_main() {
    TileReader first(0, a, array_tiles), second(1, b, array_tiles);
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        first.bring(tile);
        if (b != 0) second.bring(tile);
    }
}

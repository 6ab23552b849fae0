// SPDX-License-Identifier: Apache-2.0
// B: starts the other cores, brings tiles of B, which all tiles of a column of the grid need, by NoC 1, and carries the product to DRAM.
#include "grid.hpp"
#include "mailbox.hpp"

namespace {

using namespace kernel;

constexpr std::uint32_t other_cores = 1 << 12 | 1 << 13 | 1 << 14 | 1 << 18;  // T0, T1, T2 and NC in SOFT_RESET_0
constexpr std::uint32_t page_bytes = 2048;

}  // namespace

extern "C" {
// Arguments: the job sets them. Every tile of the grid computes height x width tiles of the product.
[[gnu::section(".arguments")]] volatile std::uint32_t height = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t width = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t depth = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t b[3] = {};       // x and y of a DRAM tile, and where the array begins
[[gnu::section(".arguments")]] volatile std::uint32_t result[3] = {};  // the same
}

void kernel_main() {
    Word& reset = at(address::soft_reset_0);
    reset = reset | other_cores;
    for (unsigned i = 0; i < 3; ++i) CircularBuffer::describe(i, layout::pages + i * layout::pages_bytes, 2, page_bytes);
    for (unsigned i = 0; i < cores; ++i) at(layout::status + 4 * i) = not_done;
    settle(layout::status + 4 * (cores - 1));
    reset = reset & ~other_cores;

    using Noc1 = Noc<1, 0>;
    const InGrid here(Noc1::here());
    const std::uint32_t pages = height * width;
    constexpr Core t_cores[] = {Core::t0, Core::t1, Core::t2};
    for (const Core core : t_cores) {
        mailbox::send(core, pages);
        mailbox::send(core, depth);
    }

    Noc1 noc;
    SharedTiles<Noc1> tiles(noc, 1, column_words, here.of_column(), {b[0], b[1]}, b[2]);
    CircularBuffer out(2);
    const std::uint32_t all_columns = columns * width;
    const auto carry = [&](std::uint32_t page) {
        const std::uint32_t row = here.row * height + page / width, column = here.column * width + page % width;
        out.wait_received();
        noc.write(out.read_page(), {result[0], result[1]}, result[2] + (row * all_columns + column) * page_bytes, page_bytes);
        noc.wait_written();
        out.pop();
    };
    // A page leaves while the next one is computed.
    for (std::uint32_t page = 0; page < pages; ++page) {
        for (std::uint32_t k = 0; k < depth; ++k) tiles.bring(k * all_columns + here.column * width + page % width);
        if (page > 0) carry(page - 1);
    }
    carry(pages - 1);
    noc.wait_increments();
    for (unsigned i = 1; i < cores; ++i)
        while (at(layout::status + 4 * i) != done) forget_cached();
}

// SPDX-License-Identifier: Apache-2.0
// B: starts the other cores, gives the T cores their number of tiles, and copies pages out as they come.
#include "circular_buffer.hpp"
#include "mailbox.hpp"

namespace {

using namespace kernel;

constexpr std::uint32_t other_cores = 1 << 12 | 1 << 13 | 1 << 14 | 1 << 18;  // T0, T1, T2 and NC in SOFT_RESET_0

}  // namespace

extern "C" {
// Arguments: the job sets them.
[[gnu::section(".arguments")]] volatile std::uint32_t pages = 1;  // that come out
[[gnu::section(".arguments")]] volatile std::uint32_t steps = 1;   // of the computation for each
[[gnu::section(".arguments")]] volatile std::uint32_t result = 0;  // where they go
[[gnu::section(".arguments")]] volatile std::uint32_t result_pages = 0x10000;  // behind which they go there again
// Of the circular buffers: where they begin, how many pages they have room for, and of how many bytes.
[[gnu::section(".arguments")]] volatile std::uint32_t buffer_begin[3] = {
    layout::pages, layout::pages + layout::pages_bytes, layout::pages + 2 * layout::pages_bytes};
[[gnu::section(".arguments")]] volatile std::uint32_t buffer_pages[3] = {2, 2, 2};
[[gnu::section(".arguments")]] volatile std::uint32_t page_bytes[3] = {2048, 2048, 2048};
}

void kernel_main() {
    Word& reset = at(address::soft_reset_0);
    reset = reset | other_cores;
    for (unsigned i = 0; i < 3; ++i) CircularBuffer::describe(i, buffer_begin[i], buffer_pages[i], page_bytes[i]);
    for (unsigned i = 0; i < cores; ++i) at(layout::status + 4 * i) = not_done;
    settle(layout::status + 4 * (cores - 1));
    reset = reset & ~other_cores;

    constexpr Core t_cores[] = {Core::t0, Core::t1, Core::t2};
    for (const Core core : t_cores) {
        mailbox::send(core, pages);
        mailbox::send(core, steps);
    }
    CircularBuffer out(2);
    for (std::uint32_t page = 0; page < pages; ++page) {
        const std::uint32_t to = result + page % result_pages * out.page_bytes();
        out.wait_received();
        // A job may have the array itself for a circular buffer.
        if (to != out.read_page()) copy_blocks(to, out.read_page(), out.page_bytes());
        out.pop();
    }
    for (unsigned i = 1; i < cores; ++i)
        while (at(layout::status + 4 * i) != done) forget_cached();
}

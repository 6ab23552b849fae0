// SPDX-License-Identifier: Apache-2.0
// B: starts the other cores, tells the T cores how much there is to do, and carries pages away as they come.
#include "circular_buffer.hpp"
#include "mailbox.hpp"

namespace {

using namespace kernel;

constexpr std::uint32_t other_cores = 1 << 12 | 1 << 13 | 1 << 14 | 1 << 18;  // T0, T1, T2 and NC in SOFT_RESET_0

}  // namespace

extern "C" {
// Arguments: the job sets them.
[[gnu::section(".arguments")]] volatile std::uint32_t pages = 1;  // that come out
[[gnu::section(".arguments")]] volatile std::uint32_t page_bytes = 4;
[[gnu::section(".arguments")]] volatile std::uint32_t steps = 1;   // of the computation for each
[[gnu::section(".arguments")]] volatile std::uint32_t result = 0;  // where they go
}

void kernel_main() {
    Word& reset = at(address::soft_reset_0);
    reset = reset | other_cores;
    for (unsigned i = 0; i < 3; ++i) CircularBuffer(i, 1, 4).clear();
    for (unsigned i = 0; i < cores; ++i) at(layout::status + 4 * i) = not_done;
    settle(layout::status + 4 * (cores - 1));
    reset = reset & ~other_cores;

    constexpr Core t_cores[] = {Core::t0, Core::t1, Core::t2};
    for (const Core core : t_cores) {
        mailbox::send(core, pages);
        mailbox::send(core, steps);
    }
    CircularBuffer out(2, 2, page_bytes);
    for (std::uint32_t page = 0; page < pages; ++page) {
        out.wait_received();
        copy_blocks(result + page * page_bytes, out.read_page(), page_bytes);
        out.pop();
    }
    for (unsigned i = 1; i < cores; ++i)
        while (at(layout::status + 4 * i) != done) forget_cached();
}

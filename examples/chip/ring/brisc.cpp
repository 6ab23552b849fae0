// SPDX-License-Identifier: Apache-2.0
// B: starts NC, and passes the right page of each tile to the tile before it, by NoC 1.
#include "layout.hpp"
#include "pass_around.hpp"

using namespace kernel;

void kernel_main() {
    constexpr std::uint32_t nc = 1 << 18;  // in SOFT_RESET_0
    Word& reset = at(address::soft_reset_0);
    reset = reset | nc;
    const std::uint32_t status_of_nc = layout::status + 4 * static_cast<std::uint32_t>(Core::nc);
    at(layout::status) = not_done;
    at(status_of_nc) = not_done;
    settle(status_of_nc);
    reset = reset & ~nc;

    Noc<1, 0> noc;
    const InRing ring(noc.here());
    pass_around(noc, ring, {{0x16310, 0x16314}, layout::pages + layout::pages_bytes, ring.previous, ring.next, 1},
                [&](std::uint32_t n) { return ring.behind(n); });
    while (at(status_of_nc) != done) forget_cached();
}

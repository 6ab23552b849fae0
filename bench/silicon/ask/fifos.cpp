// SPDX-License-Identifier: Apache-2.0
// Question: how many instructions can T0 push while its thread waits?
// Core:     trisc0
// Words:    0 to 63: the wall clock after 1 to 64 NOPs that wait behind a long STALLWAIT
// Assumed blackhole: fifo_words.t0 = 32 in src/units/costs/costs.cpp
// Assumed wormhole:  fifo_words.t0 = 42 in src/units/costs/costs.cpp
// Answer:   fifo_words.t0 = next(n for n in range(1, 64) if w[n] - w[n - 1] > 100)
// Report:   words 0 to 63, the chip, its firmware's version
#include "support/ask.hpp"

using namespace asking;

#ifdef ARCH_BLACKHOLE
constexpr uint32_t mover_busy = 1 << 9;
#else
constexpr uint32_t mover_busy = 1 << 12;
#endif

void ask() {
    SET(THCON_SEC0_REG6_Destination_address, ASK_SCRATCH / 16);
    get_cfg_pointer()[THCON_SEC0_REG6_Buffer_size_ADDR32] = 4096;  // lines of zeros
    configured();
    TTI_XMOV(0, 0);
    TTI_STALLWAIT(p_stall::STALL_THREAD, mover_busy);
    for (unsigned i = 0; i < 64; ++i) {
        TTI_NOP;
        words[i] = wall_clock();
    }
    tensix_sync();
}

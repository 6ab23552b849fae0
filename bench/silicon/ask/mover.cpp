// SPDX-License-Identifier: Apache-2.0
// Question: how long does the mover take from L1 to L1, for zeros, and after its last line?
// Core:     trisc0
// Words:    0: a NOP; 1: an XMOV of 8 lines; 2: of 264 lines; 3: of 8 lines of zeros; 4: of 264 lines of zeros
// Documented: mover.copy_cycles = 11 in src/units/costs/costs.cpp
// Answer:   mover.copy_cycles = (w[2] - w[1]) / 256 * 8
// Documented: mover.zero_cycles = 1 in src/units/costs/costs.cpp
// Answer:   mover.zero_cycles = (w[4] - w[3]) / 256
// Assumed:  mover.pipeline = 8 in src/units/costs/costs.cpp
// Answer:   mover.pipeline = w[3] - w[0] + 1 - 8 * (w[4] - w[3]) / 256
// Report:   words 0 to 4, the chip, its firmware's version
#include "support/ask.hpp"

using namespace asking;

static uint32_t cycles_of_lines(uint32_t lines, uint32_t direction) {
    SET(THCON_SEC0_REG6_Source_address, ASK_SCRATCH / 16);
    SET(THCON_SEC0_REG6_Destination_address, ASK_SCRATCH / 16 + 0x1000);
    get_cfg_pointer()[THCON_SEC0_REG6_Buffer_size_ADDR32] = lines | direction << 30;
    configured();
    return cycles([] { TTI_XMOV(0, 0); });
}

void ask() {
    constexpr uint32_t zeros = 0, l1_to_l1 = 3;
    words[0] = cycles([] { TTI_NOP; });
    words[1] = cycles_of_lines(8, l1_to_l1);
    words[2] = cycles_of_lines(264, l1_to_l1);
    words[3] = cycles_of_lines(8, zeros);
    words[4] = cycles_of_lines(264, zeros);
}

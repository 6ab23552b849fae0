// SPDX-License-Identifier: Apache-2.0
// Question: how many cycles is a packer at work after its last write to L1?
// Core:     trisc0
// Words:    0: a NOP; 1: one PACR; 2: 17 PACRs
// Assumed:  pack.pipeline = 8 in src/units/costs/costs.cpp
// Answer:   pack.pipeline = w[1] - w[0] + 1 - (w[2] - w[1]) / 16
// Report:   words 0 to 2, the chip, its firmware's version
#include "support/movers.hpp"

using namespace asking;

void ask() {
    configure_packer(bf16);
    words[0] = cycles([] { TTI_NOP; });
    words[1] = cycles([] { PACK_LAST; });
    words[2] = cycles([] {
        repeat<16>([] { PACK; });
        PACK_LAST;
    });
}

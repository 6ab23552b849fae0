// SPDX-License-Identifier: Apache-2.0
// Question: how many cycles is an unpacker at work before its first read of L1 and after its last?
// Core:     trisc0
// Words:    0: a NOP; 1: one UNPACR of SrcA; 2: 9 of them; 3: one UNPACR of SrcB; 4: one of SrcA with twice as many datums
// Assumed blackhole: unpack.pipeline = 5 in src/units/costs/costs.cpp
// Assumed wormhole: unpack.pipeline = 8 in src/units/costs/costs.cpp
// Answer:   unpack.pipeline = w[1] - w[0] + 1 - 2 - (w[4] - w[1])
// Accepts:  matrix.cleardvalid-reset
// Report:   words 0 to 4, the chip, its firmware's version
// Two cycles of address calculation come from the documents (UNPACR_Regular, Performance).
#include "support/movers.hpp"

using namespace asking;

void ask() {
    configure_unpackers(bf16);
    words[0] = cycles([] { TTI_NOP; });
    words[1] = cycles([] { UNPACK_A; });
    words[2] = cycles([] { repeat<9>([] { UNPACK_A; }); });
    words[3] = cycles([] { UNPACK_B; });
    configure_unpackers<512>(bf16);
    words[4] = cycles([] { UNPACK_A; });
}

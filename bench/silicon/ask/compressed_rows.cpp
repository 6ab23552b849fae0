// SPDX-License-Identifier: Apache-2.0
// Question: how many cycles does an unpacker take for a row start of a compressed tile?
// Core:     trisc0
// Words:    0: an UNPACR of 7 of the 8 datums of a compressed row, which needs one row start; 1: of all 8, which needs two
// Assumed:  unpack.row_start_cycles = 1 in src/units/costs/costs.cpp
// Answer:   unpack.row_start_cycles = w[1] - w[0]
// Accepts:  matrix.cleardvalid-reset
// Report:   words 0 and 1, the chip, its firmware's version
#include "support/movers.hpp"

using namespace asking;

void ask() {
    // Row starts, 16 bits each, in 16 bytes; 32 datums; how many zeros follow each of them: none.
    for (unsigned i = 0; i < 64; ++i) scratch[i] = 0;
    scratch[0] = 0 | 8 << 16;
    scratch[1] = 16 | 24 << 16;
    configure_unpackers<8>(bf16, true);
    TTI_SETADCXX(3, 6, 0);
    words[0] = cycles([] { UNPACK_A; });
    TTI_SETADCXX(3, 7, 0);
    words[1] = cycles([] { UNPACK_A; });
}

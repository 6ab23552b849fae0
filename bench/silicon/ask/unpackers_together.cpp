// SPDX-License-Identifier: Apache-2.0
// Question: how fast do both unpackers read L1 at the same time, in each format?
// Core:     trisc0
// Words:    for BFP8, BF16 and FP32, 4 and then 20 UNPACRs of SrcA alone, 4 and 20 of SrcB alone, 4 and 20 pairs of both: 0 to 5: BFP8;
//           6 to 11: BF16; 12 to 17: FP32
// Assumed blackhole: unpack.together.bfp8 = 1 in src/units/costs/unpack_cost.cpp
// Documented wormhole: unpack.together.bfp8 = 2 in src/units/costs/unpack_cost.cpp
// Answer:   unpack.together.bfp8 = (w[5] - w[4]) / (w[1] - w[0])
// Assumed blackhole: unpack.together.bf16 = 1 in src/units/costs/unpack_cost.cpp
// Documented wormhole: unpack.together.bf16 = 2 in src/units/costs/unpack_cost.cpp
// Answer:   unpack.together.bf16 = (w[11] - w[10]) / (w[7] - w[6])
// Assumed blackhole: unpack.together.fp32 = 1 in src/units/costs/unpack_cost.cpp
// Documented wormhole: unpack.together.fp32 = 2 in src/units/costs/unpack_cost.cpp
// Answer:   unpack.together.fp32 = (w[17] - w[16]) / (w[13] - w[12])
// Accepts:  matrix.cleardvalid-reset
// Report:   words 0 to 17, the chip, its firmware's version
// The answer is how many times as long both take as one alone.
#include "support/movers.hpp"

using namespace asking;

void ask() {
    constexpr Format formats[] = {bfp8, bf16, fp32};
    for (unsigned i = 0; i < 3; ++i) {
        configure_unpackers(formats[i]);
        volatile uint32_t* const to = words + 6 * i;
        to[0] = cycles([] { repeat<4>([] { UNPACK_A; }); });
        to[1] = cycles([] { repeat<20>([] { UNPACK_A; }); });
        to[2] = cycles([] { repeat<4>([] { UNPACK_B; }); });
        to[3] = cycles([] { repeat<20>([] { UNPACK_B; }); });
        to[4] = cycles([] {
            repeat<4>([] {
                UNPACK_A;
                UNPACK_B;
            });
        });
        to[5] = cycles([] {
            repeat<20>([] {
                UNPACK_A;
                UNPACK_B;
            });
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
// Question: how fast does packer 0 read Dst and write L1, in each output format?
// Core:     trisc0
// Words:    for FP32, BF16, BFP8 and BFP4 the cycles of 8 PACRs and of 24: 0: FP32, 8; 1: FP32, 24; 2: BF16, 8; 3: BF16, 24; 4: BFP8, 8;
//           5: BFP8, 24; 6: BFP4, 8; 7: BFP4, 24
// Assumed blackhole: pack.lines_per_cycle = 8 in src/units/costs/costs.cpp
// Answer blackhole:  pack.lines_per_cycle = 64 * 4 / 16 / ((w[1] - w[0]) / 16)
// Assumed blackhole: pack.datums_per_cycle = 64 in src/units/costs/costs.cpp
// Answer blackhole:  pack.datums_per_cycle = 64 / ((w[7] - w[6]) / 16)
// Documented wormhole: pack.lines_per_cycle = 1 in src/units/costs/costs.cpp
// Answer wormhole:   pack.lines_per_cycle = 256 * 4 / 16 / ((w[1] - w[0]) / 16)
// Assumed wormhole:  pack.datums_per_cycle = 16 in src/units/costs/costs.cpp
// Answer wormhole:   pack.datums_per_cycle = 256 / ((w[7] - w[6]) / 16)
// Report:   words 0 to 7, the chip, its firmware's version
// Blackhole's were measured for BF16 alone (P1).
#include "support/movers.hpp"

using namespace asking;

void ask() {
    constexpr Format formats[] = {fp32, bf16, bfp8, bfp4};
    for (unsigned i = 0; i < 4; ++i) {
        configure_packer(formats[i]);
        words[2 * i] = cycles([] {
            repeat<7>([] { PACK; });
            PACK_LAST;
        });
        words[2 * i + 1] = cycles([] {
            repeat<23>([] { PACK; });
            PACK_LAST;
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
// Question: how fast does packer 0 add to L1, in FP32 and in BF16?
// Core:     trisc0
// Words:    0: 8 PACRs of FP32; 1: 24; 2: 8 PACRs of BF16; 3: 24
// Assumed blackhole: pack.accumulate_cycles = 1 in src/units/costs/costs.cpp
// Answer blackhole:  pack.accumulate_cycles = (w[1] - w[0]) / 16 * 8 / (64 * 4 / 16)
// Assumed wormhole:  pack.accumulate_cycles = 5 in src/units/costs/costs.cpp
// Answer wormhole:   pack.accumulate_cycles = (w[1] - w[0]) / 16 / (256 * 4 / 16)
// Report:   words 0 to 3, the chip, its firmware's version
// Blackhole's was measured for BF16 alone (P2).
// The cost is that of one line of 16 bytes on Wormhole, of eight lines on Blackhole.
#include "support/movers.hpp"

using namespace asking;

void ask() {
    constexpr Format formats[] = {fp32, bf16};
    for (unsigned i = 0; i < 2; ++i) {
        configure_packer(formats[i]);
        SET(THCON_SEC0_REG1_Pack_L1_Acc, 1);
        configured();
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

// SPDX-License-Identifier: Apache-2.0
// Question: how many cycles do MOP, MOP_CFG and REPLAY take beside those of their instructions?
// Core:     trisc0
// Words:    0: 32 NOPs; 1: 16 pairs of a MOP of one NOP and a NOP; 2: 32 NOPs and 16 MOP_CFGs; 3: 4 times a REPLAY that records 8 NOPs
//           without executing them; 4: 12 times; 5: 4 times a REPLAY that plays them; 6: 32 NOPs and 16 REPLAYs of one
// Documented: mop_exit_cycles = 1 in src/units/costs/costs.cpp
// Answer:   mop_exit_cycles = (w[1] - w[0]) / 16
// Assumed:  MOP_CFG.cycles = 1 in src/units/costs/costs.cpp
// Answer:   MOP_CFG.cycles = (w[2] - w[0]) / 16
// Assumed:  REPLAY.recording = 1 in src/units/costs/costs.cpp
// Answer:   REPLAY.recording = (w[4] - w[3]) / 8 - 8
// Report:   words 0 to 6, the chip, its firmware's version
#include "support/ask.hpp"

using namespace asking;

void ask() {
    volatile uint32_t* const mop = reinterpret_cast<volatile uint32_t*>(0xFFB8'0000);  // TENSIX_MOP_CFG_BASE
    mop[0] = 1;
    mop[1] = 1;
    for (unsigned i = 2; i < 9; ++i) mop[i] = TT_OP_NOP;
    words[0] = cycles([] { repeat<32>([] { TTI_NOP; }); });
    words[1] = cycles([] {
        repeat<16>([] {
            TTI_MOP(1, 0, 0);
            TTI_NOP;
        });
    });
    words[2] = cycles([] {
        repeat<16>([] { TTI_MOP_CFG(0); });
        repeat<32>([] { TTI_NOP; });
    });
    words[3] = cycles([] {
        repeat<4>([] {
            TTI_REPLAY(0, 8, 0, 1);
            repeat<8>([] { TTI_NOP; });
        });
    });
    words[4] = cycles([] {
        repeat<12>([] {
            TTI_REPLAY(0, 8, 0, 1);
            repeat<8>([] { TTI_NOP; });
        });
    });
    words[5] = cycles([] { repeat<4>([] { TTI_REPLAY(0, 8, 0, 0); }); });
    words[6] = cycles([] {
        repeat<32>([] { TTI_NOP; });
        repeat<16>([] { TTI_REPLAY(0, 1, 0, 0); });
    });
}

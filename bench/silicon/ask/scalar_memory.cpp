// SPDX-License-Identifier: Apache-2.0
// Question: how long do requests of the scalar unit to L1 take, and how often can it send one?
// Core:     trisc0
// Words:    0: a NOP; 1: one LOADIND; 2: 9; 3: one STOREIND; 4: 9; 5: one ATINCGET; 6: 9; 7: one ATSWAP; 8: 9; 9: one LOADREG
// Assumed:  LOADIND.latency = 10 in src/units/scalar/rules/memory.cpp
// Answer:   LOADIND.latency = w[1] - w[0] + 1
// Documented: LOADIND.occupancy = 3 in src/units/scalar/rules/memory.cpp
// Answer:   LOADIND.occupancy = (w[2] - w[1]) / 8
// Assumed:  STOREIND.latency = 10 in src/units/scalar/rules/memory.cpp
// Answer:   STOREIND.latency = w[3] - w[0] + 1
// Assumed:  ATINCGET.latency = 27 in src/units/scalar/rules/atomics.cpp
// Answer:   ATINCGET.latency = w[5] - w[0] + 1
// Documented: ATINCGET.interval = 12 in src/units/scalar/rules/atomics.cpp
// Answer:   ATINCGET.interval = (w[6] - w[5]) / 8
// Assumed:  ATSWAP.latency = 27 in src/units/scalar/rules/atomics.cpp
// Answer:   ATSWAP.latency = w[7] - w[0] + 1
// Documented: ATSWAP.interval = 12 in src/units/scalar/rules/atomics.cpp
// Answer:   ATSWAP.interval = (w[8] - w[7]) / 8
// Assumed:  LOADREG.latency = 10 in src/units/scalar/rules/memory.cpp
// Answer:   LOADREG.latency = w[9] - w[0] + 1
// Accepts:  hazard.gpr-request
// Report:   words 0 to 9, the chip, its firmware's version
#include "support/ask.hpp"

using namespace asking;

// GPR 16: an address in units of 16 bytes; GPR 17: no offset; GPR 20: data. LOADREG reads a register of overlay stream 0.
#define LOAD TTI_LOADIND(1, 34, 0, 20, 16)
#define STORE TTI_STOREIND(1, 0, 1, 34, 0, 20, 16)
#define INCREMENT TTI_ATINCGET(1, 31, 0, 20, 16)
#define SWAP TTI_ATSWAP(1, 0xFF, 20, 16)

void ask() {
    ckernel::regfile[16] = ASK_SCRATCH / 16;
    ckernel::regfile[17] = 0;
    for (unsigned i = 20; i < 24; ++i) ckernel::regfile[i] = 1;
    configured();
    words[0] = cycles([] { TTI_NOP; });
    words[1] = cycles([] { LOAD; });
    words[2] = cycles([] { repeat<9>([] { LOAD; }); });
    words[3] = cycles([] { STORE; });
    words[4] = cycles([] { repeat<9>([] { STORE; }); });
    words[5] = cycles([] { INCREMENT; });
    words[6] = cycles([] { repeat<9>([] { INCREMENT; }); });
    words[7] = cycles([] { SWAP; });
    words[8] = cycles([] { repeat<9>([] { SWAP; }); });
    words[9] = cycles([] { TTI_LOADREG(20, (overlay_register - 0xFFB0'0000) / 4); });
}

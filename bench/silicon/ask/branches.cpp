// SPDX-License-Identifier: Apache-2.0
// Question: how many branches in turn does a core predict?
// Core:     trisc0
// Words:    cycles of 16 rounds of so many branches that are taken: 0: 1; 1: 2; 2: 4; 3: 8; 4: 16; 5: 32; 6: 64; 7: 128; 8: 256
// Assumed blackhole: predictor_entries = 256 in src/riscv/costs.cpp
// Assumed wormhole:  predictor_entries = 8 in src/riscv/costs.cpp
// Answer:   predictor_entries = 2 * max(1 << i for i in range(9) if w[i] / 16 < 1.5 * (1 << i) + 12)
// Report:   words 0 to 8, the chip, its firmware's version
// Each branch has two words, so a table that the pc's word selects from holds half as many branches as it has entries.
#include "support/clock.hpp"

using namespace asking;

#define BRANCHES(n)                                                                                         \
    core_cycles([] {                                                                                        \
        for (int round = 0; round < 16; ++round) asm volatile(".rept " #n "\nbeq x0, x0, .+8\nnop\n.endr"); \
    })

void ask() {
    words[0] = BRANCHES(1);
    words[1] = BRANCHES(2);
    words[2] = BRANCHES(4);
    words[3] = BRANCHES(8);
    words[4] = BRANCHES(16);
    words[5] = BRANCHES(32);
    words[6] = BRANCHES(64);
    words[7] = BRANCHES(128);
    words[8] = BRANCHES(256);
}

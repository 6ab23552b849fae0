// SPDX-License-Identifier: Apache-2.0
// Question: does a thread go on while its vector instruction waits for SFPSWAP, with an instruction that is not INCRWC?
// Core:     trisc0
// Words:    0: 16 rounds of SFPSWAP, SFPMOV, NOP; 1: 32 of them
// Assumed blackhole: vector_place = 1 in src/units/costs/costs.cpp
// Assumed wormhole:  vector_place = 0 in src/units/costs/costs.cpp
// Answer:   vector_place = 4 - (w[1] - w[0]) / 16
// Report:   words 0 and 1, the chip, its firmware's version
// A round takes four cycles if the thread waits at its gate, three if the SFPMOV waits in front of the vector unit.
#include "support/ask.hpp"

using namespace asking;

template <unsigned rounds>
unsigned cycles_of_rounds() {
    return cycles([] {
        repeat<rounds>([] {
            TTI_SFPSWAP(0, 1, 2, 1);
            TTI_SFPMOV(0, 3, 4, 0);
            TTI_NOP;
        });
    });
}

void ask() {
    words[0] = cycles_of_rounds<16>();
    words[1] = cycles_of_rounds<32>();
}

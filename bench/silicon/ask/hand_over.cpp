// SPDX-License-Identifier: Apache-2.0
// Question: how many cycles does a bank lose when it goes to the matrix unit, and when it comes back?
// Core:     trisc0
// Words:    0: a NOP; 1: an UNPACR that keeps its bank; 2: a MOVA2D that has its bank; 3: an UNPACR that hands its bank over to a
//           MOVA2D; 4: both banks are handed over, and an UNPACR waits for the one that a SETRWC gives back; 5: that SETRWC alone
// Assumed:  hand_over.to_matrix = 0 in src/engine/execution/execution.cpp
// Answer:   hand_over.to_matrix = w[3] - w[1] - (w[2] - w[0] + 1)
// Assumed:  hand_over.back = 0 in src/engine/execution/execution.cpp
// Answer:   hand_over.back = w[4] - w[1] - (w[5] - w[0] + 1)
// Accepts:  matrix.cleardvalid-reset
// Report:   words 0 to 5, the chip, its firmware's version
#include "support/movers.hpp"

using namespace asking;

#define HAND_OVER_A TTI_UNPACR(0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1)
#define GIVE_BACK_A TTI_SETRWC(1, 0, 0, 0, 0, 0)
#define USE_A TTI_MOVA2D(0, 0, 0, 2, 0)

static void no_bank_handed_over() { TTI_CLEARDVALID(0, 1); }

static void one_bank_handed_over() {
    no_bank_handed_over();
    tensix_sync();
    HAND_OVER_A;
}

static void both_banks_handed_over() {
    one_bank_handed_over();
    HAND_OVER_A;
}

void ask() {
    configure_unpackers(bf16);
    words[0] = cycles([] { TTI_NOP; });
    words[1] = cycles([] { UNPACK_A; }, no_bank_handed_over);
    words[2] = cycles([] { USE_A; }, one_bank_handed_over);
    words[3] = cycles(
        [] {
            HAND_OVER_A;
            USE_A;
        },
        no_bank_handed_over);
    words[4] = cycles(
        [] {
            GIVE_BACK_A;
            UNPACK_A;
        },
        both_banks_handed_over);
    words[5] = cycles([] { GIVE_BACK_A; }, both_banks_handed_over);
    no_bank_handed_over();
}

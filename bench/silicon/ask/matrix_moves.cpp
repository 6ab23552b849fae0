// SPDX-License-Identifier: Apache-2.0
// Question: how long do moves between Dst and SrcB and the old pools take in the matrix unit?
// Core:     trisc0
// Words:    0: a NOP; 1: a MOVD2B of four rows; 2: a MOVDBGB2D of four rows (Blackhole); 3: an APOOL3S1; 4: a MOVB2D of four rows; 5: an MVMUL
// Assumed:  MOVD2B.latency = 2 in src/units/matrix/rules/movd2a_movd2b_movb2a.cpp
// Answer:   MOVD2B.latency = w[1] - w[0] + 1
// Assumed blackhole: MOVDBGB2D.latency = 4 in src/units/matrix/rules/mova2d_movb2d.cpp
// Answer blackhole:  MOVDBGB2D.latency = w[2] - w[4] + 4
// Assumed:  APOOL3S1.latency = 5 in src/units/matrix/matrix.hpp
// Answer:   APOOL3S1.latency = w[3] - w[5] + 5
// Accepts:  matrix.legacy
// Accepts:  matrix.cleardvalid-reset
// Report:   words 0 to 5, the chip, its firmware's version
// What writes Dst is in the unit longer than its latency, all by the same time (S1, I27): documents give 4 cycles for MOVB2D and 5 for MVMUL.
#include "support/ask.hpp"

using namespace asking;

void ask() {
    TTI_CLEARDVALID(0, 1);
    TTI_SETDVALID(3);
    TTI_SETRWC(0, 0, 0, 0, 0, 0xF);
    configured();
    words[0] = cycles([] { TTI_NOP; });
    words[1] = cycles([] { TTI_MOVD2B(0, 16, 0, 2, 0); });
#ifdef ARCH_BLACKHOLE
    words[2] = cycles([] { TTI_MOVDBGB2D(0, 16, 0, 4, 0); });
#endif
    words[3] = cycles([] { TTI_APOOL3S1(0, 0, 0, 0); });
    words[4] = cycles([] { TTI_MOVB2D(0, 16, 0, 4, 0); });
    words[5] = cycles([] { TTI_MVMUL(0, 0, 0, 0); });
    TTI_CLEARDVALID(0, 1);
}

// SPDX-License-Identifier: Apache-2.0
// Question: how many UNPACRs wait in front of an unpacker before they hold back their thread?
// Core:     trisc0
// Words:    0 to 11: 1 to 12 UNPACRs and, behind them, scalar instructions that take longer than those UNPACRs; 12: the same of 24
//           UNPACRs; 13: of 25
// Assumed:  queue_depth.unpacker = 4 in src/units/costs/costs.cpp
// Answer:   queue_depth.unpacker = next(n for n in range(1, 12) if w[n] - w[n - 1] > (1 + w[13] - w[12]) / 2) - 1
// Accepts:  matrix.cleardvalid-reset
// Report:   words 0 to 13, the chip, its firmware's version
#include "support/movers.hpp"

using namespace asking;

template <unsigned unpacrs>
uint32_t unpack_beside_scalar() {
    return cycles([] {
        repeat<unpacrs>([] { UNPACK_A; });
        for (int i = 0; i < 30; ++i) repeat<10>([] { TTI_ADDDMAREG(0, 8, 8, 8); });
    });
}

void ask() {
    configure_unpackers<1024>(fp32);
    words[0] = unpack_beside_scalar<1>();
    words[1] = unpack_beside_scalar<2>();
    words[2] = unpack_beside_scalar<3>();
    words[3] = unpack_beside_scalar<4>();
    words[4] = unpack_beside_scalar<5>();
    words[5] = unpack_beside_scalar<6>();
    words[6] = unpack_beside_scalar<7>();
    words[7] = unpack_beside_scalar<8>();
    words[8] = unpack_beside_scalar<9>();
    words[9] = unpack_beside_scalar<10>();
    words[10] = unpack_beside_scalar<11>();
    words[11] = unpack_beside_scalar<12>();
    words[12] = unpack_beside_scalar<24>();
    words[13] = unpack_beside_scalar<25>();
}

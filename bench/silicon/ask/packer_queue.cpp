// SPDX-License-Identifier: Apache-2.0
// Question: how many PACRs wait in front of a packer before they hold back their thread?
// Core:     trisc0
// Words:    0 to 11: 1 to 12 PACRs and, behind them, scalar instructions that take longer than those PACRs; 12: the same of 24 PACRs;
//           13: of 25
// Assumed:  queue_depth.packer = 4 in src/units/costs/costs.cpp
// Answer:   queue_depth.packer = next(n for n in range(1, 12) if w[n] - w[n - 1] > (1 + w[13] - w[12]) / 2) - 1
// Report:   words 0 to 13, the chip, its firmware's version
// The packer reads L1 here, which makes a PACR slow: 16 bytes per cycle.
#include "support/movers.hpp"

using namespace asking;

template <unsigned pacrs>
uint32_t pack_beside_scalar() {
    return cycles([] {
        repeat<pacrs - 1>([] { PACK; });
        PACK_LAST;
        for (int i = 0; i < 30; ++i) repeat<10>([] { TTI_ADDDMAREG(0, 8, 8, 8); });
    });
}

void ask() {
    configure_packer(fp32);
    SET(THCON_SEC0_REG1_Source_interface_selection, 1);
    configured();
    words[0] = pack_beside_scalar<1>();
    words[1] = pack_beside_scalar<2>();
    words[2] = pack_beside_scalar<3>();
    words[3] = pack_beside_scalar<4>();
    words[4] = pack_beside_scalar<5>();
    words[5] = pack_beside_scalar<6>();
    words[6] = pack_beside_scalar<7>();
    words[7] = pack_beside_scalar<8>();
    words[8] = pack_beside_scalar<9>();
    words[9] = pack_beside_scalar<10>();
    words[10] = pack_beside_scalar<11>();
    words[11] = pack_beside_scalar<12>();
    words[12] = pack_beside_scalar<24>();
    words[13] = pack_beside_scalar<25>();
}

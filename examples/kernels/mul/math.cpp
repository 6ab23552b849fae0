// SPDX-License-Identifier: Apache-2.0
// T1: multiplies SrcA by SrcB in four phases, each of which multiplies some bits of the mantissas, and adds to one half of
// Dst while the packer empties the other.
#include "mailbox.hpp"
#include "sync.hpp"

using namespace kernel;

void kernel_main() {
    const std::uint32_t tiles = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    // Address modifier 0: on to the next eight rows. Modifier 1, for the last eight: back to the beginning for the next phase.
    configure<cfg::ADDR_MOD_AB_SEC0_SrcAIncr(8), cfg::ADDR_MOD_AB_SEC0_SrcBIncr(8),
              cfg::ADDR_MOD_DST_SEC0_DestIncr(8)>();
    configure<cfg::ADDR_MOD_AB_SEC1_SrcAClear(1), cfg::ADDR_MOD_AB_SEC1_SrcBClear(1),
              cfg::ADDR_MOD_DST_SEC1_DestClear(1), cfg::ADDR_MOD_DST_SEC1_FidelityIncr(1)>();
    constexpr std::uint32_t phases = 4, last = ELWMUL({.addr_mode = 1});
    configure_mop({.outer = phases,
                   .inner = 8,
                   .instruction = ELWMUL({.addr_mode = 0}),
                   .last_of_inner = last,
                   .last = last});
    ttinsn<SETRWC({.BitMask = 0xF})>();
    ttinsn<ZEROACC({.clear_mode = 3})>();
    wait_math_configured();
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        wait_half_free(tile % 2);
        ttinsn<MOP({.mop_type = 1})>();
        // Both banks are handed back; counters and phase begin again.
        ttinsn<SETRWC({.clear_ab_vld = 3, .BitMask = 0xF})>();
        half_filled<condition::matrix>();
    }
    wait_coprocessor();
}

// SPDX-License-Identifier: Apache-2.0
// T2: a tile from a half of Dst to L1, its rows as they are.
#pragma once

#include "pack.hpp"

namespace kernel {

/// Counters, address modifiers and MOP of T2. Later instructions wait until T0 has configured the packer.
inline void configure_tile_packer() {
    // Address modifier 0: on to the next rows. Modifier 1, for the last ones: back to row 0.
    configure<cfg::ADDR_MOD_PACK_SEC0_YsrcIncr(chip::rows_per_pacr)>();
    configure<cfg::ADDR_MOD_PACK_SEC1_YsrcClear(1)>();
    begin_packing();
    constexpr std::uint32_t last = chip::pack_rows(1, true);
    configure_mop({.inner = 64 / chip::rows_per_pacr,
                   .instruction = chip::pack_rows(0, false),
                   .last_of_inner = last,
                   .last = last});
}

inline void pack_tile(PagePacker& packer, unsigned half) {
    packer.begin_page();
    push(SETADCZW({.CntSetMask = packer_counters, .Ch0_Y = half, .BitMask = 0xF}));
    wait_half_filled();
    ttinsn<MOP({.mop_type = 1})>();
}

}  // namespace kernel

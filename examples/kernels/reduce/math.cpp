// SPDX-License-Identifier: Apache-2.0
// T1: adds the columns of `depth` tiles, in two phases. SrcB has ones in its first row and zeros in the three below, so that
// GAPOOL adds the sums to one row of Dst. Ones have no lower bits for two further phases.
#include "mailbox.hpp"
#include "sync.hpp"

namespace {

using namespace kernel;

constexpr std::uint32_t phase_length = 4, phases = 2;

template <unsigned row, unsigned address_modifier>
void add_face() {
    ttinsn<chip::add_columns(row, address_modifier)>();
}

/// Address modifier 0: on to the next face. Modifier 1: back to the first one for the next phase.
void record_phase() {
    configure<cfg::ADDR_MOD_AB_SEC0_SrcAIncr(16)>();
    configure<cfg::ADDR_MOD_AB_SEC1_SrcAClear(1)>();
    configure<cfg::ADDR_MOD_DST_SEC1_FidelityIncr(1)>();
    ttinsn<REPLAY({.start_idx = 0, .len = phase_length, .load_mode = 1})>();
    add_face<0, 0>();
    add_face<16, 0>();
    add_face<0, 0>();
    add_face<16, 1>();
}

}  // namespace

void kernel_main() {
    const std::uint32_t tiles = mailbox::receive(Core::b);
    const std::uint32_t depth = mailbox::receive(Core::b);

    record_phase();
    ttinsn<SETRWC({.BitMask = 0xF})>();
    ttinsn<ZEROACC({.clear_mode = 3})>();
    wait_math_configured();
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        wait_half_free(tile % 2);
        for (std::uint32_t step = 0; step < depth; ++step) {
            for (std::uint32_t phase = 0; phase < phases; ++phase)
                ttinsn<REPLAY({.start_idx = 0, .len = phase_length})>();
            // Both banks are handed back; counters and phase begin again.
            ttinsn<SETRWC({.clear_ab_vld = 3, .BitMask = 0xF})>();
        }
        half_filled<condition::matrix>();
    }
    wait_coprocessor();
}

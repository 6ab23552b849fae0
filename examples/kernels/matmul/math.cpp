// SPDX-License-Identifier: Apache-2.0
// T1: multiplies. A step is a tile of each matrix in four phases: of 8 and 8 bits of mantissa, a phase multiplies some.
// `depth` steps are a tile of the product.
#include "mailbox.hpp"
#include "sync.hpp"

namespace {

using namespace kernel;

constexpr std::uint32_t phase_length = 16, counters_a_b_dst = 7;

/// Address modifiers lead through the 16 pairs of faces.
void configure_addressing() {
    // 0: SrcB and Dst go on by 8 rows, SrcA by a face.
    configure<cfg::ADDR_MOD_AB_SEC0_SrcBIncr(8), cfg::ADDR_MOD_DST_SEC0_DestIncr(8)>();
    // 1: for the same rows of SrcB, the face of SrcA on the right.
    configure<cfg::ADDR_MOD_AB_SEC1_SrcAIncr(16), cfg::ADDR_MOD_AB_SEC1_SrcBCR(1),
              cfg::ADDR_MOD_DST_SEC1_DestIncr(8)>();
    // 2: the face of SrcB below.
    configure<cfg::ADDR_MOD_AB_SEC2_SrcACR(1), cfg::ADDR_MOD_AB_SEC2_SrcBIncr(32), cfg::ADDR_MOD_AB_SEC2_SrcBCR(1),
              cfg::ADDR_MOD_DST_SEC2_DestIncr(8)>();
    // 3: the second half of the sum: faces 2 and 3 of SrcA, 1 and 3 of SrcB (32 + 48 is 16, modulo 64).
    configure<cfg::ADDR_MOD_AB_SEC3_SrcAIncr(32), cfg::ADDR_MOD_AB_SEC3_SrcACR(1), cfg::ADDR_MOD_AB_SEC3_SrcBIncr(48),
              cfg::ADDR_MOD_AB_SEC3_SrcBCR(1), cfg::ADDR_MOD_DST_SEC3_DestCR(1)>();
}

template <unsigned... modes>
void push_mvmuls() {
    (ttinsn<MVMUL({.addr_mode = modes})>(), ...);
}

void record_phase() {
    ttinsn<REPLAY({.start_idx = 0, .len = phase_length, .load_mode = 1})>();
    push_mvmuls<0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0, 0>();
}

template <unsigned number>
void multiply_phase() {
    configure<cfg::FIDELITY_BASE_Phase(number)>();
    ttinsn<REPLAY({.start_idx = 0, .len = phase_length})>();
    // The last phase hands both banks back.
    ttinsn<SETRWC({.clear_ab_vld = number == 3 ? 3 : 0, .BitMask = counters_a_b_dst})>();
}

}  // namespace

void kernel_main() {
    const std::uint32_t tiles = mailbox::receive(Core::b);
    const std::uint32_t depth = mailbox::receive(Core::b);

    configure_addressing();
    record_phase();
    ttinsn<SETRWC({.BitMask = 0xF})>();
    ttinsn<ZEROACC({.clear_mode = 3})>();
    wait_math_configured();
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        wait_half_free(tile % 2);
        for (std::uint32_t step = 0; step < depth; ++step) {
            multiply_phase<0>();
            multiply_phase<1>();
            multiply_phase<2>();
            multiply_phase<3>();
        }
        half_filled<condition::matrix>();
    }
    wait_coprocessor();
}

// SPDX-License-Identifier: Apache-2.0
// T1: multiplies. A step is a tile of each matrix in one to four phases, each of which multiplies some bits of the mantissas.
// `depth` steps are a tile of the product.
#include "mailbox.hpp"
#include "sync.hpp"

namespace {

using namespace kernel;

constexpr std::uint32_t phase_length = 16;

enum AddressModifier : unsigned { next_rows, other_half, right_faces, next_phase };

/// SrcB goes through the faces of A, eight rows at a time. Faces 0 and 2 are multiplied with the upper faces of B, 1 and 3
/// with the lower ones; counters of SrcA and SrcB go round at 64.
void configure_addressing() {
    configure<cfg::ADDR_MOD_AB_SEC0_SrcBIncr(8)>();
    configure<cfg::ADDR_MOD_AB_SEC1_SrcAIncr(32), cfg::ADDR_MOD_AB_SEC1_SrcBIncr(8)>();
    configure<cfg::ADDR_MOD_AB_SEC2_SrcAIncr(48), cfg::ADDR_MOD_AB_SEC2_SrcBIncr(8)>();
    configure<cfg::ADDR_MOD_AB_SEC3_SrcAClear(1), cfg::ADDR_MOD_AB_SEC3_SrcBClear(1)>();
    configure<cfg::ADDR_MOD_DST_SEC3_FidelityIncr(1)>();
}

/// The faces of the product on one side, from this row of Dst on: each gets the sum of two products.
template <unsigned row, AddressModifier last>
void multiply_side() {
    ttinsn<MVMUL({.addr_mode = next_rows, .dst = row})>();
    ttinsn<MVMUL({.addr_mode = other_half, .dst = row + 8})>();
    ttinsn<MVMUL({.addr_mode = next_rows, .dst = row})>();
    ttinsn<MVMUL({.addr_mode = other_half, .dst = row + 8})>();
    ttinsn<MVMUL({.addr_mode = next_rows, .dst = row + 32})>();
    ttinsn<MVMUL({.addr_mode = other_half, .dst = row + 40})>();
    ttinsn<MVMUL({.addr_mode = next_rows, .dst = row + 32})>();
    ttinsn<MVMUL({.addr_mode = last, .dst = row + 40})>();
}

void record_phase() {
    ttinsn<REPLAY({.start_idx = 0, .len = phase_length, .load_mode = 1})>();
    multiply_side<0, right_faces>();
    multiply_side<16, next_phase>();
}

}  // namespace

extern "C" {
// An argument: the job sets it.
[[gnu::section(".arguments")]] volatile std::uint32_t phases = 4;  // LoFi 1, HiFi4 4
}

void kernel_main() {
    const std::uint32_t tiles = mailbox::receive(Core::b);
    const std::uint32_t depth = mailbox::receive(Core::b);

    const std::uint32_t fidelity = phases;
    configure_addressing();
    record_phase();
    ttinsn<SETRWC({.BitMask = 0xF})>();
    ttinsn<ZEROACC({.clear_mode = 3})>();
    wait_math_configured();
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        wait_half_free(tile % 2);
        for (std::uint32_t step = 0; step < depth; ++step) {
            for (std::uint32_t phase = 0; phase < fidelity; ++phase)
                ttinsn<REPLAY({.start_idx = 0, .len = phase_length})>();
            // Both banks are handed back; counters and phase begin again.
            ttinsn<SETRWC({.clear_ab_vld = 3, .BitMask = 0xF})>();
        }
        half_filled<condition::matrix>();
    }
    wait_coprocessor();
}

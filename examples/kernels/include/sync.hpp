// SPDX-License-Identifier: Apache-2.0
// The waits of the kernels: for stores of the core, and for the halves of Dst that T1 fills and T2 empties.
#pragma once

#include "chip.hpp"
#include "coprocessor.hpp"
#include "semaphore.hpp"

namespace kernel {

/// Units that STALLWAIT and SEMWAIT block.
namespace block {
inline constexpr std::uint32_t sync = 1 << 1, pack = 1 << 2, unpack = 1 << 3, scalar = 1 << 5, math = 1 << 6,
                               config = 1 << 7, vector = 1 << 8, all = 0x1FF;
}

/// Later instructions wait for the core's stores to configuration and GPRs.
inline void stores_done() { ttinsn<STALLWAIT({.stall_res = block::all, .wait_res = condition::stores})>(); }

/// T0 has configured the units, and signals T1 and T2. Semaphores are initialised before their first use.
inline void units_are_configured() {
    ttinsn<SEMINIT({.max_value = 2, .init_value = 0, .sem_sel = unpack_sync.mask()})>();
    ttinsn<SEMINIT({.max_value = 2, .init_value = 0, .sem_sel = math_pack.mask()})>();
    ttinsn<SEMINIT({.max_value = 1, .init_value = 0, .sem_sel = math_ready.mask()})>();
    ttinsn<SEMINIT({.max_value = 1, .init_value = 0, .sem_sel = pack_ready.mask()})>();
    stores_done();
    ttinsn<SEMPOST({.sem_sel = math_ready.mask()})>();
    ttinsn<SEMPOST({.sem_sel = pack_ready.mask()})>();
    wait_coprocessor();
}

template <std::uint32_t blocked, Semaphore semaphore, std::uint32_t condition>
[[gnu::always_inline]] inline void wait_semaphore() {
    ttinsn<SEMWAIT({.stall_res = blocked | block::sync, .sem_sel = semaphore.mask(), .wait_sem_cond = condition})>();
}

/// T1, T2: their unit waits until T0 has configured it.
inline void wait_math_configured() { wait_semaphore<block::math, math_ready, while_zero>(); }
inline void wait_pack_configured() { wait_semaphore<block::pack, pack_ready, while_zero>(); }

/// T1: matrix and vector unit wait until a half of Dst is free, and use that half.
inline void wait_half_free(unsigned half) {
    wait_semaphore<block::math | block::vector, math_pack, while_max>();
    if (half == 0)
        configure<cfg::DEST_TARGET_REG_CFG_MATH_Offset(0)>();
    else
        configure<cfg::DEST_TARGET_REG_CFG_MATH_Offset(512)>();
}

/// T1: the half is T2's as soon as the unit is through with it.
template <std::uint32_t unit>
inline void half_filled() {
    ttinsn<STALLWAIT({.stall_res = block::sync, .wait_res = unit})>();
    ttinsn<SEMPOST({.sem_sel = math_pack.mask()})>();
}

/// T2: PACRs wait until a half of Dst is filled.
inline void wait_half_filled() { wait_semaphore<block::pack, math_pack, while_zero>(); }

/// T2: the half is T1's again as soon as the packer has read it.
inline void half_emptied() {
    ttinsn<STALLWAIT({.stall_res = block::sync, .wait_res = condition::packer})>();
    ttinsn<SEMGET({.sem_sel = math_pack.mask()})>();
}

}  // namespace kernel

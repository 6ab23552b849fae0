// SPDX-License-Identifier: Apache-2.0
// Stands for the vendor's ckernel.h where Debian's compiler builds a kernel for Tessera: the few names that these kernels use.
#pragma once

#include <stdint.h>

/// One instruction of the core: .ttinsn, the word rotated left by two.
#define TTI_INSN(word) asm volatile(".word %0" ::"i"((word) << 2 | (word) >> 30) : "memory")

#include "tti.hpp"

namespace ckernel {

inline volatile uint32_t* const pc_buf_base = reinterpret_cast<volatile uint32_t*>(0xFFE8'0000);
inline volatile uint32_t* const regfile = reinterpret_cast<volatile uint32_t*>(0xFFE0'0000);
inline volatile uint32_t* const mop_cfg = reinterpret_cast<volatile uint32_t*>(0xFFB8'0000);

inline volatile uint32_t* get_cfg_pointer() { return reinterpret_cast<volatile uint32_t*>(0xFFEF'0000); }

/// Waits until the coprocessor has done all that the thread has pushed.
inline void tensix_sync() {
    uint32_t value = 0;
    asm volatile("sw %0, (%1)\nlw %0, (%1)\nand x0, x0, %0" : "+r"(value) : "r"(&pc_buf_base[1]) : "memory");
}

struct p_stall {
    static constexpr uint32_t STALL_THREAD = 0x1FF, STALL_UNPACK = 0x8;
    static constexpr uint32_t STALL_ON_ZERO = 1;
#ifdef ARCH_BLACKHOLE
    static constexpr uint32_t TRISC_CFG = 1 << 10, SRCA_CLR = 1 << 5;
#else
    static constexpr uint32_t TRISC_CFG = 1 << 13, SRCA_CLR = 1 << 8;
#endif
};

}  // namespace ckernel

// SPDX-License-Identifier: Apache-2.0
// The parts that all kernels here share, and all that those about a core alone need: where results go, the wall clock,
// the time of code.
#pragma once

#include <stdint.h>

/// Results are words of L1 from here on.
#ifndef ASK_WORDS
#define ASK_WORDS 0x100000
#endif
/// The kernel may overwrite 256 KiB of L1 from here on.
#ifndef ASK_SCRATCH
#define ASK_SCRATCH 0x110000
#endif

/// The kernel, on the core that its head names.
void ask();

namespace asking {

inline volatile uint32_t* const words = reinterpret_cast<volatile uint32_t*>(ASK_WORDS);
inline volatile uint32_t* const scratch = reinterpret_cast<volatile uint32_t*>(ASK_SCRATCH);

/// A register of overlay stream 0: REMOTE_DEST_BUF_START.
#ifdef ARCH_BLACKHOLE
constexpr uint32_t overlay_register = 0xFFB4'0000 + 4 * 8;
#else
constexpr uint32_t overlay_register = 0xFFB4'0000 + 4 * 3;
#endif

/// Loads a word and waits for its value.
inline uint32_t load(const volatile uint32_t* address) {
    uint32_t value;
    asm volatile("lw %0, (%1)\nand x0, x0, %0" : "=r"(value) : "r"(address) : "memory");
    return value;
}

/// RISCV_DEBUG_REG_WALL_CLOCK_L
inline uint32_t wall_clock() { return load(reinterpret_cast<volatile uint32_t*>(0xFFB1'21F0)); }

/// Calls `each` n times, unrolled.
template <unsigned n, typename Each>
[[gnu::always_inline]] inline void repeat(Each each) {
#pragma GCC unroll 256
    for (unsigned i = 0; i < n; ++i) each();
}

/// Cycles of `run`. Repeated, so that the code is in the core's cache in the end; aligned, so that no change elsewhere moves its lines.
template <typename Run>
[[gnu::noinline, gnu::aligned(64)]] uint32_t core_cycles(Run run) {
    uint32_t took = 0;
    for (int i = 0; i < 3; ++i) {
        const uint32_t begin = wall_clock();
        run();
        took = wall_clock() - begin;
    }
    return took;
}

}  // namespace asking

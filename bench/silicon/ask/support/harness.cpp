// SPDX-License-Identifier: Apache-2.0
// The part of firmware, for Tessera: starts a core, calls its kernel, and stores a word when it is done.
#include "support/clock.hpp"

extern "C" {

[[noreturn, gnu::used]] void run() {
#ifdef ARCH_BLACKHOLE
    // cfg0.DisTriscCache and cfg0.DisLowCash, bits of a CSR: as tt-metal's firmware sets them, each .ttinsn is pushed by itself, and L0 is off.
    asm volatile(".insn i 0x73, 2, x0, %0, 0x7C0" ::"r"(1 << 18 | 1 << 3));
#endif
    ask();
    asking::words[-1] = 1;
    for (;;) asm volatile("");
}

[[noreturn, gnu::naked, gnu::section(".start")]] void _start() {
    asm volatile(
        ".option push\n"
        ".option norelax\n"
        "la gp, __global_pointer$\n"
        ".option pop\n"
        "la sp, stack_top\n"
        "j run\n");
}
}

// SPDX-License-Identifier: Apache-2.0
// Question: how often does Blackhole's cache of L1 (L0) empty itself, and how long does a fence take?
// Core:     trisc0
// Words:    0: cycles of 8 rounds of 100 loads of one word, each of which needs the one before; 1: of 1008 rounds; 2 and 3:
//           the same with an instruction of one cycle in place of each load; 4: 100 fences; 5: 100 instructions of one cycle
// Assumed blackhole: periodic_flush = 125 in src/riscv/costs.cpp
// Answer blackhole:  periodic_flush = round((8 - 2) / ((w[1] - w[0] - w[3] + w[2]) / 100000 - 1) - 1)
// Assumed blackhole: fence = 2 in src/riscv/costs.cpp
// Answer blackhole:  fence = (w[4] - w[5]) / 100 + 1
// Report:   words 0 to 5, the chip, its firmware's version
// Documents give 2 cycles for a hit and 8 for a miss.
#include "support/clock.hpp"

using namespace asking;

static uint32_t cycles_without_loads(unsigned rounds) {
    return core_cycles([rounds] {
        uint32_t at = ASK_SCRATCH, value = 0;
        for (unsigned round = 0; round < rounds; ++round)
            repeat<100>([&] {
                asm volatile("addi %0, x0, 0\nand %0, %0, x0\nadd %1, %1, %0" : "=&r"(value), "+r"(at));
            });
    });
}

static uint32_t cycles_of_loads(unsigned rounds) {
    return core_cycles([rounds] {
        uint32_t at = ASK_SCRATCH, value = 0;
        for (unsigned round = 0; round < rounds; ++round)
            repeat<100>([&] { asm volatile("lw %0, (%1)\nand %0, %0, x0\nadd %1, %1, %0" : "=&r"(value), "+r"(at)); });
    });
}

void ask() {
    // cfg0.DisLowCash, bit 3 of a CSR: tt-metal's firmware sets it, which turns the cache off.
    asm volatile(".insn i 0x73, 7, x0, x8, 0x7C0");
    words[0] = cycles_of_loads(8);
    words[1] = cycles_of_loads(1008);
    words[2] = cycles_without_loads(8);
    words[3] = cycles_without_loads(1008);
    words[4] = core_cycles([] { repeat<100>([] { asm volatile("fence" ::: "memory"); }); });
    words[5] = core_cycles([] { repeat<100>([] { asm volatile("nop"); }); });
    asm volatile(".insn i 0x73, 6, x0, x8, 0x7C0");
}

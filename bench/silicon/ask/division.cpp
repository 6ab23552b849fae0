// SPDX-License-Identifier: Apache-2.0
// Question: how does the time of a division depend on its dividend?
// Core:     trisc0
// Words:    0 to 31: cycles of 16 divisions of a dividend of 1 to 32 bits by 3; 32: the same without divisions
// Assumed wormhole: divide_base = 2 in src/riscv/costs.cpp
// Answer:   divide_base = (w[11] - w[32]) / 16 + 1 - next(n for n in range(12, 33) if w[n] != w[11])
// Assumed wormhole: divide_group = 4 in src/riscv/costs.cpp
// Answer:   divide_group = sum(cycles == w[11] for cycles in w[:32])
// Report:   words 0 to 32, the chip, its firmware's version
// Blackhole's were measured (R3, R4).
#include "support/clock.hpp"

using namespace asking;

void ask() {
    for (unsigned bits = 1; bits <= 32; ++bits)
        words[bits - 1] = core_cycles([bits] {
            const uint32_t dividend = 1u << (bits - 1);
            uint32_t quotient;
            repeat<16>([&] {
                asm volatile("divu %0, %1, %2\nand %0, %0, x0" : "=&r"(quotient) : "r"(dividend), "r"(3));
            });
        });
    words[32] = core_cycles([] {
        uint32_t quotient;
        repeat<16>([&] { asm volatile("addi %0, x0, 0\nand %0, %0, x0" : "=&r"(quotient)); });
    });
}

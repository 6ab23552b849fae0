// SPDX-License-Identifier: Apache-2.0
// Question: how long do a core's loads from registers of the tile and from Dst take?
// Core:     trisc0
// Words:    cycles of 64 loads, each of which needs the one before: 0: L1; 1: a semaphore; 2: a GPR; 3: configuration; 4: the wall
//           clock; 5: a NoC's identity; 6: an overlay stream; 7: the pc snapshot (Blackhole); 8: Dst (Blackhole); 9: no loads
// Documented: load.semaphore = 3 in src/tile/address_map.hpp
// Answer:   load.semaphore = (w[1] - w[9]) / 64 + 1
// Documented: load.gpr = 4 in src/tile/address_map.hpp
// Answer:   load.gpr = (w[2] - w[9]) / 64 + 1
// Documented: load.config = 4 in src/tile/address_map.hpp
// Answer:   load.config = (w[3] - w[9]) / 64 + 1
// Documented: load.debug = 7 in src/tile/address_map.hpp
// Answer:   load.debug = (w[4] - w[9]) / 64 + 1
// Documented: load.noc = 7 in src/tile/address_map.hpp
// Answer:   load.noc = (w[5] - w[9]) / 64 + 1
// Documented: load.overlay = 7 in src/tile/address_map.hpp
// Answer:   load.overlay = (w[6] - w[9]) / 64 + 1
// Assumed blackhole: load.pc_snapshot = 7 in src/tile/address_map.hpp
// Answer blackhole:  load.pc_snapshot = (w[7] - w[9]) / 64 + 1
// Assumed blackhole: load.dst = 4 in src/tile/address_map.hpp
// Answer blackhole:  load.dst = (w[8] - w[9]) / 64 + 1
// Report:   words 0 to 9, the chip, its firmware's version
// What documents give is the least latency.
#include "support/clock.hpp"

using namespace asking;

static uint32_t cycles_of_loads(uint32_t address) {
    return core_cycles([address] {
        uint32_t at = address, value = 0;
        repeat<64>([&] { asm volatile("lw %0, (%1)\nand %0, %0, x0\nadd %1, %1, %0" : "=&r"(value), "+r"(at)); });
    });
}

void ask() {
    words[0] = cycles_of_loads(ASK_SCRATCH);
    words[1] = cycles_of_loads(0xFFE8'0020);
    words[2] = cycles_of_loads(0xFFE0'0000);
    words[3] = cycles_of_loads(0xFFEF'0000);
    words[4] = cycles_of_loads(0xFFB1'21F0);
    words[5] = cycles_of_loads(0xFFB2'002C);
    words[6] = cycles_of_loads(overlay_register);
#ifdef ARCH_BLACKHOLE
    words[7] = cycles_of_loads(0xFFB1'3138);
    words[8] = cycles_of_loads(0xFFBD'8000);
#endif
    words[9] = core_cycles([] {
        uint32_t at = 0, value = 0;
        repeat<64>([&] { asm volatile("addi %0, x0, 0\nand %0, %0, x0\nadd %1, %1, %0" : "=&r"(value), "+r"(at)); });
    });
}

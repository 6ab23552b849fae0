// SPDX-License-Identifier: Apache-2.0
// Question: how large is NC's instruction cache, and how fast does code arrive that it does not have?
// Core:     ncrisc
// Words:    cycles of 16 rounds of a loop of so many instructions: 0: 64; 1: 120; 2: 248; 3: 504; 4: 1016; 5: 1528; 6: 2040
// Assumed blackhole: fetch.nc.cache_bytes = 4096 in src/riscv/costs.cpp
// Documented wormhole: fetch.nc.cache_bytes = 512 in src/riscv/costs.cpp
// Answer:   fetch.nc.cache_bytes = max(256 << i for i in range(5) if w[i] / 16 < 1.05 * [64, 120, 248, 504, 1016][i] + 8)
// Assumed blackhole: fetch.nc.cycles_per_line = 5 in src/riscv/costs.cpp
// Assumed wormhole:  fetch.nc.cycles_per_line = 5.6 in src/riscv/costs.cpp
// Answer:   fetch.nc.cycles_per_line = (w[6] - w[5]) / 16 / 512 * 4
// Report:   words 0 to 6, the chip, its firmware's version
#include "support/fetches.hpp"

void ask() { asking::measure_fetches(); }

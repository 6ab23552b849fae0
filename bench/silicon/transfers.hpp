// SPDX-License-Identifier: Apache-2.0
// Measures transfers over the NoC and with DRAM as others did on chips: a core of each tile issues requests as tt-metal's
// functions do, waits for them, and reads the wall clock before and after.
#pragma once

#include <cstdint>
#include <vector>

#include "silicon/core_loops.hpp"
#include "tessera/chip.hpp"

namespace tessera::bench::silicon {

/// The work of a loop beside the stores that make a request.
enum class Issue : std::uint8_t {
    constant,  ///< nothing: addresses and lengths are constants (tt-metal's data movement tests)
    computed,  ///< addresses of 64 bits are computed for each request, lengths compared (noc_async_write)
    strided,   ///< the same, and addresses advance and return to the beginning (nocreadbench, dramratebench)
};

/// Requests of one core in a loop, then a barrier.
struct Transfer {
    NocPlace from;                     ///< the tile whose core asks
    NocPlace to;                       ///< the other tile: Tensix or DRAM
    bool writes = false;               ///< false: reads
    RiscvCore core = RiscvCore::nc;    ///< that asks: B or NC
    unsigned noc = 0;                  ///< 0 or 1
    unsigned count = 1;                ///< requests
    std::uint32_t bytes = 64;          ///< of each; more than a packet is split by software
    bool stateful = false;             ///< place and length are stored once, before the loop
    Issue issue = Issue::constant;     ///< of the loop
    bool zone = false;                 ///< the clock is read by profiler's markers, which store what they read
    unsigned last_x = 0, last_y = 0;   ///< of a write to a rectangle from `to` on; 0: to one tile
    bool linked = false;               ///< each request but the last is linked to the next
    std::uint64_t address = 0x8'0000;  ///< in the other tile
    unsigned stride = 0;               ///< of `strided`: bytes between requests, both addresses
    std::vector<NocPlace> others{};    ///< constant reads and writes: the same `count` requests to each of these, too
};

/// Cycles of each transfer, all of which begin together. Errors "silicon.run" (the run ends with a fault), "silicon.place".
Result<std::vector<double>> cycles_of(const Machine& machine, const std::vector<Transfer>& transfers);

}  // namespace tessera::bench::silicon

// SPDX-License-Identifier: Apache-2.0
// Predictions from the assembly in programs/, a tile at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "silicon/core_loops.hpp"

namespace tessera::bench::silicon {

/// Programs whose threads run together. Each has one or more threads of its own.
struct TileLoop {
    std::vector<std::string> programs;   ///< names in programs/; those of one thread continue each other
    std::string symbols;                 ///< `.equ` lines
    std::string text = {};               ///< follows the programs
    std::vector<std::string> last = {};  ///< programs that follow the text
    RiscvCore measured = RiscvCore::t1;
    unsigned tiles = 1;                                         ///< of a round of the measured core
    std::array<unsigned, riscv_cores> times = {1, 1, 1, 1, 1};  ///< rounds of each core's own loop in a round
    Own own = {};                                               ///< beside the loop's own two instructions
    unsigned inner = 0;                                         ///< how often a core executes its parts LOOP in a round
    /// CoreLoop::gathers of Blackhole's cores. tt-metal's firmware forbids it, the kernel library's tests since the end of August 2026
    /// (tt-metal 54806).
    bool gathers = false;
};

/// Cycles of a tile: of a round of the measured core's loop, its own instructions included.
std::function<Result<double>(const Machine&)> cycles_of_tile(TileLoop loop);

}  // namespace tessera::bench::silicon

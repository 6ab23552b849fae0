// SPDX-License-Identifier: Apache-2.0
#include "goals.hpp"

#include <algorithm>
#include <iterator>

namespace tessera::bench {

namespace {

// Line, the vendor's simulator's ns, times with AVX-512, times with AVX2, limit in ns.
constexpr Goal goals[] = {
    {"UNPACR tile BF16", 2220, 40, 20},
    {"UNPACR tile FP32 to TF32", 2810, 40, 20},
    {"UNPACR tile INT8", 3350, 40, 20},
    {"UNPACR tile BFP8", 3450, 60, 25},
    {"UNPACR tile BFP4", 5250, 60, 25},
    {"PACR tile BF16", 5600, 60, 40},
    {"PACR tile FP32 to BF16", 5200, 60, 40},
    {"PACR tile BFP8", 7600, 60, 40},
    {"PACR tile BFP4", 9500, 60, 40},
    {"MVMUL, BF16, 16-bit Dst", 5500, 60, 30},
    {"MVMUL, BF16, 32-bit Dst", 5500, 60, 30},
    {"MVMUL, BF16, 32-bit Dst, phase 0", 5500, 60, 30},
    {"MVMUL, BF16, 32-bit Dst, phase 1", 5500, 60, 30},
    {"MVMUL, BF16, 32-bit Dst, phase 2", 5500, 60, 30},
    {"MVMUL, BF16, 32-bit Dst, phase 3", 5500, 60, 30},
    {"MVMUL, INT8", 1100, 12, 8},
    {"ELWADD, BF16", 2400, 40, 20},
    {"ELWMUL, BF16", 1600, 28, 13},
    {"SFPMAD", 231, 10, 5},
    {"SFPLUTFP32", 293, 8, 5},
    {"SFPSWAP", 82, 6, 4},
    {"SFPLOAD", 63, 6, 4},
    {"block 32x32x32, HiFi4, three threads", 367'000, 50, 28},
    {"block 32x32x32, LoFi, three threads", 109'000, 40, 22},
    {"add of a tile, three threads", 33'000, 25, 18},
    {"copy of a tile, three threads", 16'600, 15, 12},
    {"engine: NOP in line, one thread", 0, 0, 0, 6},
    {"engine: NOP replayed, one thread", 0, 0, 0, 6},
    {"start: tessera --version", 0, 0, 0, 20e6},
    {"start: a Core made", 0, 0, 0, 1e6},
    {"snapshot: saved", 0, 0, 0, 150e3},
    {"snapshot: gone back to", 0, 0, 0, 150e3},
};

}  // namespace

const Goal* goal_of(std::string_view line) {
    const Goal* found = std::find_if(std::begin(goals), std::end(goals), [&](const Goal& g) { return g.line == line; });
    return found == std::end(goals) ? nullptr : found;
}

std::string line_of_same_work(std::string_view line) {
    constexpr std::string_view repeated = "repeated on other data: ";
    std::string_view job = line;
    if (line.starts_with(repeated)) job.remove_prefix(repeated.size());
    for (const std::string_view on : {", core that has run it", ", new cores"})
        if (job.ends_with(on)) job.remove_suffix(on.size());
    return std::string(job) + (job == line ? "" : ", three threads");
}

std::string_view published_peer() {
    return "the vendor's simulator on a Zen 5 of 4.0 to 4.3 GHz, November 2026: another computer, so that ratios are "
           "rough";
}

}  // namespace tessera::bench

// SPDX-License-Identifier: Apache-2.0
// Predictions of tt-sim (github.com/mesham/tt-sim 8b031a64) for rows that it compares itself: the columns "table" of
// tt_sim.perf.tensix_bench_sweep and "pred" of tt_sim.perf.riscv_bench_sweep, for one thread on Blackhole; division on both chips from
// docs/cost-model-caveats-for-consumers.md.
#include "silicon/measurement.hpp"

namespace tessera::bench::silicon {

namespace {

struct Peer {
    std::string_view row, what;
    double cycles;
    bool on_wormhole = false;
};

constexpr Peer peers[] = {
    {"I1", "NOP, one thread", 1},
    {"I1", "DMANOP, one thread", 1},
    {"I1", "SFPNOP, one thread", 1},
    {"I1", "SFPMOV, one thread", 1},
    {"I1", "SFPADD, one thread", 1},
    {"I1", "SFPMUL, one thread", 1},
    {"I1", "SFPMAD, one thread", 1},
    {"I1", "SFPABS, one thread", 1},
    {"I1", "SETDMAREG, one thread", 1},
    {"I1", "SETRWC, one thread", 1},
    {"I1", "INCRWC, one thread", 1},
    {"I3", "ADDDMAREG, one thread", 3},
    {"I3", "MULDMAREG, one thread", 3},
    {"I3", "SHIFTDMAREG, one thread", 3},
    {"I3", "CMPDMAREG, one thread", 3},
    {"I5", "RDCFG, one thread", 1},
    {"R1", "addi, independent", 1},
    {"R1", "addi, dependent", 1},
    {"R2", "mul, independent", 1},
    {"R2", "mul, dependent", 2},
    {"R3", "divu, dividend of 29 bits", 6, true},
    {"R4", "divu, dividend of 12 bits, B", 6},
    {"R5", "lw from L1, dependent", 8},
    {"R6", "lw from L1, independent", 1},
    {"R7", "lw from local memory, dependent", 2},
    {"R7", "sw to local memory", 1},
    {"R8", "sw to four lines of L1", 5},
    {"R9", "sw to one line of L1", 1},
    {"R10", "branch, not taken", 1},
    {"R11", "xori and branch, not taken", 2},
};

}  // namespace

std::optional<double> peer_of(const Measurement& measurement) {
    for (const Peer& one : peers)
        if (one.row == measurement.row && one.what == measurement.what &&
            (one.on_wormhole || measurement.arch == Arch::blackhole))
            return one.cycles;
    return std::nullopt;
}

}  // namespace tessera::bench::silicon

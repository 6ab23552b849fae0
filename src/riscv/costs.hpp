// SPDX-License-Identifier: Apache-2.0
// How many cycles instructions of the RISC-V cores take: one table per architecture, each figure with its source.
#pragma once

#include <cstdint>

#include "tessera/arch.hpp"
#include "units/costs/source.hpp"

namespace tessera::riscv {

struct Cost {
    std::uint8_t cycles;
    units::Source source;
};

struct Costs {
    Cost local_load;       ///< latency, local data RAM
    Cost l1_load;          ///< latency
    Cost l0_hit;           ///< latency; 0: there is no L0
    Cost atomic;           ///< latency
    Cost multiply_busy;    ///< cycles before the next instruction
    Cost multiply;         ///< latency
    Cost divide_short;     ///< by zero, by one, -2^31 by -1
    Cost divide_least;     ///< otherwise at least
    Cost divide_most;      ///< and at most: one more than the dividend's magnitude has bits
    Cost mispredicted;     ///< bubble behind a branch
    Cost serialised;       ///< CSR instructions and fences, from EX1 until the next instruction enters it
    Cost l1_store;         ///< cycles between stores to L1 that do not coalesce
    Cost store_queue;      ///< stores that may wait
    Cost retire_queue;     ///< instructions between EX1 and their retirement
    Cost loads_in_flight;  ///< of five or more cycles of latency; 0: as many as the retire queue holds
    Cost fused;            ///< .ttinsn of one cycle, on T0 to T2
    Cost periodic_flush;   ///< hits of L0 until all of it is flushed
    bool coalesces;        ///< stores to L1
    bool fence_orders;     ///< fence is more than a nop
};

const Costs& costs(Arch arch);

}  // namespace tessera::riscv

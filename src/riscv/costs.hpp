// SPDX-License-Identifier: Apache-2.0
// Cycles of RISC-V instructions: one table per architecture, each figure with its source.
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
    Cost multiply_busy;    ///< occupancy: cycles before the next instruction
    Cost multiply;         ///< latency
    Cost divide_short;     ///< by zero, by one, -2^31 by -1
    Cost divide_least;     ///< otherwise, minimum
    Cost divide_most;      ///< and maximum: significant bits of the dividend's magnitude plus one
    Cost mispredicted;     ///< bubble after a mispredicted branch
    Cost serialised;       ///< CSR instructions and fences, from EX1 until the next instruction may enter
    Cost l1_store;         ///< cycles between stores to L1 that do not coalesce
    Cost store_queue;      ///< capacity in stores
    Cost retire_queue;     ///< capacity: instructions between EX1 and retirement
    Cost loads_in_flight;  ///< loads with a latency of five or more cycles; 0: limited by the retire queue only
    Cost fused;            ///< .ttinsn fused in one cycle, on T0 to T2
    Cost periodic_flush;   ///< L0 hits between full flushes
    bool coalesces;        ///< stores to L1 coalesce
    bool fence_orders;     ///< fence is more than a nop
};

const Costs& costs(Arch arch);

}  // namespace tessera::riscv

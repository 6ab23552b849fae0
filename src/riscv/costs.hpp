// SPDX-License-Identifier: Apache-2.0
// Cycles of RISC-V instructions: one table per timing and architecture, each figure with its source.
#pragma once

#include <array>
#include <cstdint>

#include "tessera/arch.hpp"
#include "tessera/kernels.hpp"
#include "tessera/timing.hpp"
#include "units/costs/source.hpp"

namespace tessera::riscv {

struct Cost {
    std::uint8_t cycles;
    units::Source source;
};

/// A core's instruction fetches.
struct FetchCost {
    std::uint16_t cache_bytes;
    std::uint8_t cycles, lines;  ///< so many lines of 16 bytes that are not in the cache arrive in so many cycles
    units::Source cache, rate;
};

struct Costs {
    Cost local_load;     ///< latency, local data RAM
    Cost l1_load;        ///< latency
    Cost l0_hit;         ///< latency; 0: there is no L0
    Cost atomic;         ///< latency
    Cost done_check;     ///< latency, CoprocessorDoneCheck and MOPExpanderDoneCheck, once the condition holds
    Cost multiply_busy;  ///< occupancy: cycles before the next instruction
    Cost multiply;       ///< latency
    Cost divide_short;   ///< by zero, by one, -2^31 by -1
    /// Otherwise, this and one for each significant bit of the dividend's magnitude, in groups of `divide_group` bits.
    Cost divide_base;
    Cost divide_group;
    Cost divide_least;  ///< minimum
    Cost divide_most;   ///< maximum
    Cost mispredicted;  ///< bubble after a mispredicted branch
    /// Entries of the table that predicts branches and `jal` by what they did last. 0: backward branches are predicted
    /// as taken, forward ones as not taken, no `jal` is mispredicted, and fetches take no time.
    std::uint16_t predictor_entries;
    units::Source predictor;
    Cost serialised;       ///< CSR instructions and fences, from EX1 until the next instruction may enter
    Cost l1_store;         ///< cycles between stores to L1 that do not coalesce
    Cost store_queue;      ///< capacity in stores
    Cost retire_queue;     ///< capacity: instructions between EX1 and retirement
    Cost loads_in_flight;  ///< loads of L1 that do not hit L0; 0: limited by the retire queue only
    Cost fused;            ///< .ttinsn fused in one cycle, on T0 to T2
    Cost periodic_flush;   ///< L0 hits between full flushes
    std::array<FetchCost, riscv_cores> fetch;  ///< by RiscvCore
    bool counts_device_loads;                  ///< loads of devices are among `loads_in_flight`
    bool coalesces;                            ///< stores to L1 coalesce
    bool shares_l1;                            ///< stores of cores with the same port or bank of L1 wait for each other
    bool fence_orders;                         ///< fence is more than a nop

    /// Whether fetches take time, and the predictor learns.
    constexpr bool has_front_end() const { return predictor_entries != 0; }
};

/// Under Timing::instant and Timing::functional: the documented costs.
const Costs& costs(Arch arch, Timing timing);

}  // namespace tessera::riscv

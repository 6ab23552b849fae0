// SPDX-License-Identifier: Apache-2.0
// Cycles of the NoC and of DRAM.
#pragma once

#include <cstdint>

#include "tessera/arch.hpp"
#include "tessera/timing.hpp"

namespace tessera::noc {

using Cycle = std::uint64_t;
inline constexpr Cycle never = ~Cycle{0};

struct Costs {
    // NoC/README, "Performance".
    std::uint32_t to_router, hop, from_router;
    // Fitted to single transfers and to the bandwidth of long ones (SILICON_TIMINGS N1 to N9, N20 to N36).
    std::uint32_t accept;       ///< from the store to NOC_CMD_CTRL until the request leaves
    std::uint32_t read_source;  ///< a write's data from L1
    std::uint32_t serve_read;   ///< L1 of the target
    std::uint32_t serve_write;  ///< until the acknowledgement leaves
    std::uint32_t gap;          ///< between packets of one NIU, beside their flits
    std::uint32_t reserve_hop;  ///< a broadcast's reservation, for each hop and back
    // SILICON_TIMINGS D1 to D12.
    std::uint32_t dram_read, dram_write;
    std::uint32_t dram_per_16kib;  ///< cycles of a channel for 16 KiB

    bool at_once() const { return hop == 0; }
};
/// Timing::instant and Timing::functional have no cycles.
const Costs& costs(Arch arch, Timing timing);

}  // namespace tessera::noc

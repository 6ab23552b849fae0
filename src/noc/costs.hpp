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
    // Measured, but not one by one: single transfers show their sums. Rows of docs/silicon-transfers.md behind each.
    std::uint32_t accept;       ///< from the store to NOC_CMD_CTRL until the request leaves: N1, N2, N4 with serve_read
    std::uint32_t read_source;  ///< a write's data from L1: N8, N35 with serve_write
    std::uint32_t serve_read;   ///< L1 of the target
    std::uint32_t serve_write;  ///< until the acknowledgement leaves
    std::uint32_t gap;          ///< between packets of one NIU, beside their flits: N22, N28
    /// Of an NIU, for 256 flits of data that it sends: cycles in which none leaves (N10, N22, N28, N29, N32; NoC 1: N5, N7).
    /// Nobody has said why Wormhole's NoC 1 is slower. Links have no such pauses: two writers fill one (N31).
    std::uint32_t write_pauses;
    std::uint32_t response_pauses[2];  ///< the same of what a read answers, by NoC
    std::uint32_t reserve_hop;  ///< a broadcast's reservation, for each hop and back: assumed to be `hop`; N43 agrees
    std::uint32_t dram_read;    ///< beside serve_read: D1, D2
    std::uint32_t dram_write;   ///< beside serve_write: D10, D11
    std::uint32_t dram_per_16kib;  ///< cycles of a channel for 16 KiB: D5, D7

    bool at_once() const { return hop == 0; }
};
/// Timing::instant and Timing::functional have no cycles.
const Costs& costs(Arch arch, Timing timing);

}  // namespace tessera::noc

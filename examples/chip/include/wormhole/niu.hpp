// SPDX-License-Identifier: Apache-2.0
// Registers of Wormhole's NIUs (WormholeB0/NoC/MemoryMap); the other chip has a header of the same name.
#pragma once

#include "memory.hpp"

namespace kernel::niu {

inline constexpr std::uint32_t width = 10, height = 12;
constexpr std::uint32_t base(unsigned noc) { return 0xFFB2'0000 + noc * 0x1'0000; }
/// Where the old values of increments go: nobody needs them.
constexpr std::uint32_t scratch(unsigned noc) { return 0x16200 + noc * 16; }

inline constexpr std::uint32_t initiator_stride = 0x400, targ_lo = 0x00, ret_lo = 0x0C, ctrl = 0x1C, at_len_be = 0x20, at_data = 0x24,
                               cmd_ctrl = 0x28, node_id = 0x2C, counters = 0x200;
// Bits of NOC_CTRL.
inline constexpr std::uint32_t read = 0, atomic = 1, write = 2, response = 1 << 4, broadcast = 1 << 5, path_reserve = 1 << 8,
                               unicast_vc = 1 << 7 | 1 << 13, broadcast_vc = 1 << 7 | 2 << 14;
// Indices of counters.
inline constexpr std::uint32_t atomics_received = 0, acks_received = 1, reads_received = 2, writes_sent = 10;

inline void set_end(std::uint32_t initiator, std::uint32_t lo, std::uint32_t x, std::uint32_t y, std::uint32_t address) {
    at(initiator + lo) = address;
    at(initiator + lo + 4) = x << 4 | y << 10;
}
/// Of a multicast's receivers.
inline void set_rectangle(std::uint32_t initiator, std::uint32_t first_x, std::uint32_t first_y, std::uint32_t last_x, std::uint32_t last_y) {
    at(initiator + ret_lo + 4) = last_x << 4 | last_y << 10 | first_x << 16 | first_y << 22;
}

}  // namespace kernel::niu

// SPDX-License-Identifier: Apache-2.0
// User-visible texts about accesses and waits.
#pragma once

#include <string>

#include "tile/device.hpp"

namespace tessera::tile {

/// Of an access over the NoC or by the host that would have to wait.
inline constexpr const char* target_is_busy =
    "the target is busy, and Tessera does not model the queue in which this would wait";
/// "trisc1 loads from 0xFFB12094: RISCV_DEBUG_REG_DBG_INVALID_INSTRN of RISCV_DEBUG_REGS_START_ADDR; Tessera …"
std::string fault_text(Arch arch, const Request& request, const char* does, const char* why);
/// A register's name, or the region's and the offset in it.
std::string in_region(Arch arch, const Region& region, std::uint32_t address);
/// An address in words: "L1 0x1FFB8", "semaphore 3", "RISCV_DEBUG_REG_WALL_CLOCK_L", or a region and an offset in it.
std::string address_text(Arch arch, User user, std::uint32_t address);
/// The awaited event, and the party that could cause it. Empty if the core waits for nothing.
std::string wait_text(const Waiting& waiting);

}  // namespace tessera::tile

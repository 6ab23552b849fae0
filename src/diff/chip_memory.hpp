// SPDX-License-Identifier: Apache-2.0
// Bytes of two chips, compared.
#pragma once

#include <span>

#include "tessera/chip_diff.hpp"

namespace tessera::diff {

/// Bytes at `address` of both; "l1 byte 0x20", "byte 0x40". Counts in `difference`, and keeps the first in it.
void compare_bytes(std::string_view what, std::uint64_t address, std::span<const std::byte> a, std::span<const std::byte> b,
                   PlaceDifference& difference);

/// All of a channel of DRAM that either chip has written. A count of 0: no difference.
PlaceDifference compare_dram(const Chip& a, const Chip& b, unsigned channel);

std::string tile_name(unsigned column, unsigned row);
std::string channel_name(unsigned channel);

}  // namespace tessera::diff

// SPDX-License-Identifier: Apache-2.0
// Ranges of bytes in a chip.
#pragma once

#include <set>

#include "tessera/chip_case.hpp"

namespace tessera::check {

/// The format of cases of a grid.
constexpr std::string_view chip_case_format = "tessera-chip-case-1";

/// Errors "l1.range", "dram.range", "chip.tile", "chip.dram".
Result<std::vector<std::byte>> read_range(Chip& chip, const ChipRange& range);

/// "tile (1, 0) byte 0x20000 of L1 is 0x0B, expected 0x0C; 3 bytes in all", or empty. Errors as read_range().
Result<std::string> first_difference(Chip& chip, const std::vector<ChipCase::Expected>& expect);

/// Addresses of the blocks of a channel that either chip has written (Chip::dram_blocks()).
std::set<std::uint64_t> written_blocks(const Chip& a, const Chip& b, unsigned channel);

/// All lines of 16 bytes that differ in the tiles that `run` names, and in DRAM.
std::vector<ChipRange> changed_lines(Chip& before, Chip& after, const ChipRun& run);

/// Sorted, without overlaps: tiles row by row, then channels.
std::vector<ChipRange> merged(std::vector<ChipRange> ranges);

}  // namespace tessera::check

// SPDX-License-Identifier: Apache-2.0
/// @file
/// The state of a core or a chip as one number.
#pragma once

#include <cstdint>

#include "tessera/chip.hpp"
#include "tessera/core.hpp"

namespace tessera {

/// A digest of the state that programs can observe: equal for equal states, and another one if any element differs (but for one pair
/// of states in 2^64). The same on every machine and in every build. Not meant to resist attacks.
///
/// It covers the elements that diff_runs() compares: L1 and every other section, without
/// - time and caches: "riscv_count", "riscv_l0", "riscv_l0_use", "row_start_cache"
/// - work that was pending when a run was stopped: "fifo", "fifo_count", "unit_queue"
/// - a packer's leftovers of a stream that has ended.
///
/// Marks of written memory and the Reset are not state.
///
/// It is XXH64, each part with the hash before it as its seed, and 0 as the first. The elements of a section, in order of
/// Core::sections(), are little-endian, in one byte if they have 8 bits and else in four. For each block of 64 KiB of them: the name of the
/// section, with the number of the block added to its seed, then the block. A block of zeros is left out, so that a section that a later
/// version adds changes no digest until it is used.
std::uint64_t state_digest(const Core& core);

/// A digest of a chip between two runs: of all its tiles, each as above, and of DRAM. Equal for equal states. Ethernet tiles and what is on its
/// way over the NoC are not covered.
///
/// It begins as 0. For each tile whose digest is not that of one after a reset, row by row: XXH64 of column, row (four bytes each) and digest
/// (eight). For each block of DRAM that is not all 0, by channel and address: XXH64 of channel (four bytes), address (eight), then of
/// the block. Each has the hash before it as its seed.
std::uint64_t state_digest(const Chip& chip);

}  // namespace tessera

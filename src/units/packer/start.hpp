// SPDX-License-Identifier: Apache-2.0
// The addresses in L1 at which a packer's output streams would begin (Packers, Output address generator). Not part of
// the memoised setup, since they change with every tile.
#pragma once

#include "units/packer/setup.hpp"
#include "units/state_view.hpp"

namespace tessera::units::packer {

/// The thread whose address counters a packer uses.
unsigned thread_of_counters(const StateView& view, const PackerSetup& packer);

inline constexpr std::uint32_t l1_units = 0x1FFFF;  ///< bits of an address of L1 in units of 16 bytes

/// L1_Dest_addr as configured.
std::uint32_t destination(const StateView& view, unsigned packer, unsigned context);
/// Whether the address exceeds L1's address range, so that it wraps.
bool wraps(std::uint32_t destination);

/// In units of 16 bytes.
std::uint32_t start_of(const StateView& view, const Setup& setup, unsigned packer, unsigned context);

}  // namespace tessera::units::packer

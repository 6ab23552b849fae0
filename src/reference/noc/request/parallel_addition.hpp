// SPDX-License-Identifier: Apache-2.0
// Blackhole's parallel addition to a line of L1 (BlackholeA0/NoC/Atomics).
#pragma once

#include <array>
#include <cstdint>

#include "reference/noc/checked.hpp"

namespace tessera::reference::noc {

/// The aligned 16 bytes of L1 that an atomic acts on.
using Line = std::array<std::uint8_t, 16>;

/// Adds to each lane of the line its part of the broadcast NOC_AT_DATA.
Checked<> add_in_parallel(Line& line, std::uint32_t Fmt, std::uint32_t AT_DATA);

}  // namespace tessera::reference::noc

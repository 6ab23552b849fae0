// SPDX-License-Identifier: Apache-2.0
// How the two addresses of a copy must agree.
#pragma once

#include <cstdint>

#include "reference/noc/checked.hpp"
#include "reference/noc/request/memory.hpp"

namespace tessera::reference::noc {

/// WormholeB0/NoC/Alignment, when NOC_AT_LEN_BE contains a length; NoC/MemoryMap: 4 bytes for MMIO.
Checked<> aligned(const End& from, const End& to, std::uint64_t length);

}  // namespace tessera::reference::noc

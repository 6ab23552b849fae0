// SPDX-License-Identifier: Apache-2.0
// What one instruction costs under documented timing.
#pragma once

#include <cstdint>

#include "units/costs/source.hpp"

namespace tessera::units {

/// In cycles, on both architectures.
struct InstructionCost {
    std::uint8_t occupancy = 1;
    std::uint8_t latency = 1;
    Source source{};
    std::uint8_t retry = 0;     ///< between attempts of one that waits in its unit
    std::uint8_t interval = 0;  ///< between starts of those that have one
};

}  // namespace tessera::units

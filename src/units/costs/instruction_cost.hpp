// SPDX-License-Identifier: Apache-2.0
// The cost of one instruction under documented timing.
#pragma once

#include <cstdint>

#include "plan/plan.hpp"
#include "units/costs/source.hpp"

namespace tessera::units {

/// In cycles, on both architectures.
struct InstructionCost {
    std::uint8_t occupancy = 1;
    std::uint8_t latency = 1;
    Source source{};
    std::uint8_t retry = 0;     ///< between attempts, if it waits in its unit
    std::uint8_t interval = 0;  ///< between starts of instructions with an interval
    plan::Chain chain{};
    std::uint8_t early_interval = 0;  ///< plan::Cost::early_interval
    plan::Entry entry{};
};

}  // namespace tessera::units

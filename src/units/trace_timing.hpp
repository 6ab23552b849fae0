// SPDX-License-Identifier: Apache-2.0
// The issue times of a trace's instructions without outside interference. Occupancy of units and of blocks of Dst is
// known in advance, so a replay checks once whether everything is free.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/plan.hpp"

namespace tessera::units {

/// All times are cycles from the first possible issue. The instruction before the trace was issued in the preceding
/// cycle.
struct TraceTiming {
    /// The trace's use of a unit.
    struct OfPipe {
        plan::Pipe pipe{};
        std::uint32_t instructions = 0;
        std::uint32_t asked = 0;                    ///< when the unit must be free
        std::uint32_t first = 0, last = 0;          ///< first issue to it, last start in it
        std::uint32_t free = 0, interval_over = 0;  ///< when it is free again
        plan::Chain chain{};                        ///< of the last issue
        // Busy from `first` on. If it pauses (from `paused` on): for `busy` cycles until `resumed`, and then until
        // `end`.
        std::uint32_t paused = 0, busy = 0, resumed = 0, end = 0;
    };
    struct OfBlock {
        std::uint32_t block = 0;
        std::uint32_t asked = 0;  ///< when no earlier write may be under way
    };
    struct Waited {
        bool for_dst = false;  ///< else for `pipe`
        plan::Pipe pipe{};
        std::uint32_t cycles = 0;
    };

    std::vector<std::uint32_t> issued;  ///< by step
    std::vector<std::uint32_t> words;   ///< by step
    std::vector<std::uint32_t> acting;  ///< steps that do more than take time
    std::optional<std::uint32_t> last_of_vector;
    std::vector<OfPipe> pipes;
    std::vector<OfBlock> blocks;  ///< of Dst, read before any step writes them
    std::vector<plan::BankNeed> banks;
    std::vector<Waited> waits;
    std::uint32_t cycles = 0;  ///< until the next instruction can issue
    std::uint32_t end = 0;     ///< of the last execution
};

}  // namespace tessera::units

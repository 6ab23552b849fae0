// SPDX-License-Identifier: Apache-2.0
// When the instructions of a trace are issued if nothing but they themselves is in their way: what each does to its unit and to blocks of
// Dst is known beforehand, so that whoever comes to the trace asks once whether all that it needs is free.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/plan.hpp"

namespace tessera::units {

/// All times in cycles from when the first may be issued; the instruction in front of it has been in the cycle before that.
struct TraceTiming {
    /// What the trace does to a unit.
    struct OfPipe {
        plan::Pipe pipe{};
        std::uint32_t instructions = 0;
        std::uint32_t asked = 0;                    ///< when it has to be free
        std::uint32_t first = 0, last = 0;          ///< issued to it
        std::uint32_t free = 0, interval_over = 0;  ///< again
        // It executes from `first` on, if with pauses from `paused` on: for `busy` cycles until `resumed`, and from then until `end`.
        std::uint32_t paused = 0, busy = 0, resumed = 0, end = 0;
    };
    struct OfBlock {
        std::uint32_t block = 0;
        std::uint32_t asked = 0;  ///< when nobody may be writing it any more
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
    std::vector<OfBlock> blocks;  ///< of Dst that are read before any step writes them
    std::vector<plan::BankNeed> banks;
    std::vector<Waited> waits;
    std::uint32_t cycles = 0;  ///< until the next instruction may be issued
    std::uint32_t end = 0;     ///< of the last execution
};

}  // namespace tessera::units

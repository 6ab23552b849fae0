// SPDX-License-Identifier: Apache-2.0
// What the engine remembers of the vector unit beside its cells: where scheduled instructions come from, what executes at
// the end of the cycle, and what the next instruction must keep away from.
#pragma once

#include <array>
#include <optional>

#include "engine/clock.hpp"
#include "plan/plan.hpp"
#include "units/vector/scheduling.hpp"

namespace tessera::engine {

/// Where the SFPLOADMACRO of a scheduled instruction stands; index -1: in an earlier run.
struct Origin {
    std::int64_t index = -1, position = -1;
};

/// Scheduled instructions of one cycle, by sub-unit.
using Due = std::array<std::optional<plan::Plan>, state::cells::sub_units>;

/// Instructions that SFPLOADMACRO has scheduled.
struct Schedule {
    bool any = false;      ///< something is scheduled
    bool awaited = false;  ///< an event is on its way
    std::array<std::array<Origin, state::cells::macro_delays>, state::cells::sub_units> origins{};
    std::array<bool, state::threads> holds{};  ///< what counts as an instruction of the thread in the unit
    Cycle taken_at = never;                    ///< when something was due last,
    unsigned taken_in = 0;                     ///< and in which sub-units, a bit each
    Due due;                                   ///< what was taken in cycle `due_at` and has not executed
    std::array<Origin, state::cells::sub_units> due_origins{};
    Cycle due_at = never;
    state::LRegs lregs_before;  ///< that cycle
};

/// A vector instruction that a thread has issued.
struct VectorPast {
    units::vector::Footmark mark;
    Cycle start = 0;
};

}  // namespace tessera::engine

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/tile_view.hpp"

namespace tessera::gdb {

/// A moment between two steps of a run in which cores do not run ahead.
struct Position {
    core::TileView::Counts executed{};  ///< instructions, by core
    std::uint64_t from = 0;   ///< cycle from which `steps` counts; 0: from the last instruction of a core
    std::uint64_t steps = 0;  ///< around the cores
    std::uint64_t cycle = 0;  ///< that is shown: of the last event, or of the instruction before which a core was stopped
    bool ended = false;       ///< it is the end of the run

    /// On the way to it, where nothing ends the run before. The call that tells the end counts as a step, and does nothing else.
    bool has_come_to(const Position& there) const {
        return executed == there.executed && from == there.from &&
               (there.ended ? steps + 1 >= there.steps : steps == there.steps);
    }
    friend bool operator==(const Position& a, const Position& b) {
        return a.executed == b.executed && a.from == b.from && a.steps == b.steps;
    }
};

}  // namespace tessera::gdb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engine/sources/time_loops.hpp"

namespace tessera::engine {

/// Time without a change that a core could observe. From time to time the run then checks whether time alone can
/// change anything.
struct QuietTime {
    std::uint64_t changes = 0;  ///< Port::changes() at `since`
    Cycle since = 0, look_at = TimeLoops::first_look;

    bool is_over(std::uint64_t now_changes, Cycle now) const { return changes == now_changes && now >= look_at; }
    void note(std::uint64_t now_changes, Cycle now) {
        if (changes != now_changes) *this = {now_changes, now, now + TimeLoops::first_look};
    }
    /// After the first check, the next ones come each time the quiet time has doubled.
    void looked(Cycle now) { look_at = now + (now - since); }
};

}  // namespace tessera::engine

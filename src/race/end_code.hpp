// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tessera/chip.hpp"
#include "util/first_error.hpp"

namespace tessera::race {

/// The code of the fault, or of the finding at level error, that ended the run. Empty: it ended well.
inline std::string end_code(const Run& run) {
    if (run.fault) return run.fault->code;
    const Finding* const error = util::first_error(run);
    return error ? error->code : std::string();
}
inline std::string end_code(const ChipRun& run) {
    if (run.fault) return run.fault->code;
    for (const TileRun& tile : run.tiles)
        if (std::string code = end_code(tile.run); !code.empty()) return code;
    return {};
}

/// Of a report with one outcome; empty: all schedules end well.
template <class Outcomes>
std::string end_of_all(const Outcomes& outcomes) {
    return outcomes.empty() || outcomes.front().end.empty() ? std::string() : ", each ends with " + outcomes.front().end;
}

}  // namespace tessera::race

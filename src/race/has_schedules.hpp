// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "tessera/race.hpp"

namespace tessera::race {

/// Refuses a timing in which nothing can be delayed, and too many schedules. Errors "run.functional", which names the job's file, and
/// "race.runs".
inline Result<void> has_schedules(const RunOptions& options, const RaceOptions& race, const std::string& file) {
    if (race.runs > RaceOptions::most_runs)
        return fail("race.runs", fmt::format("{} schedules are more than {}", race.runs, RaceOptions::most_runs));
    if (options.timing != Timing::functional) return {};
    return fail("run.functional", "functional timing has no clock, and so no schedules to compare; use documented timing", file);
}

}  // namespace tessera::race

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tessera/run.hpp"

namespace tessera::race {

/// Refuses a timing in which nothing can be delayed. Error "run.functional", which names the job's file.
inline Result<void> has_schedules(const RunOptions& options, const std::string& file) {
    if (options.timing != Timing::functional) return {};
    return fail("run.functional", "functional timing has no clock, and so no schedules to compare; use documented timing", file);
}

}  // namespace tessera::race

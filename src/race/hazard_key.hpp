// SPDX-License-Identifier: Apache-2.0
// Which findings are about order, and when two of them are the same.
#pragma once

#include <string>

#include "tessera/job.hpp"

namespace tessera::race {

/// Whether a report of races has the finding.
bool is_about_order(const Finding& finding);

/// Equal for findings about the same pair of places. A message may have times, which differ from schedule to schedule, so it counts only
/// if it names no other place.
std::string key_of(const Finding& finding, const Job& job);

}  // namespace tessera::race

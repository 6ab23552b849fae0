// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tessera/finding.hpp"
#include "tessera/job.hpp"

namespace tessera {

/// The other instructions that the message of a finding of this job names; `cycle` is no_cycle. Those of an earlier run are left out.
std::vector<Where> related_instructions(const Finding& finding, const Job& job);

}  // namespace tessera

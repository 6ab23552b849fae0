// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "diff/align.hpp"
#include "tessera/diff.hpp"

namespace tessera::diff {

/// Alignment of the ops of two programs, thread by thread.
using ProgramAlignment = std::array<std::vector<Step>, 3>;

ProgramAlignment align_programs(const Program& a, const Program& b);

/// Stores the first edits in `difference`, and counts all.
void report_edits(const ProgramAlignment& alignment, const Program& a, const Program& b, RunDifference& difference);

}  // namespace tessera::diff

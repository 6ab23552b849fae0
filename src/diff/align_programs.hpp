// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "diff/align.hpp"
#include "tessera/diff.hpp"

namespace tessera::diff {

/// The ops of two programs side by side, thread by thread.
using ProgramAlignment = std::array<std::vector<Step>, 3>;

ProgramAlignment align_programs(const Program& a, const Program& b);

/// Keeps the first edits in `difference`, and counts all.
void tell_edits(const ProgramAlignment& alignment, const Program& a, const Program& b, RunDifference& difference);

}  // namespace tessera::diff

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trace/timeline.hpp"

namespace tessera::trace {

/// The chain from cycle 0 to `cycles` that decided when the run ended, without gaps. Backwards from the last end: an instruction
/// was in its unit because it was issued, or let in, then; it was issued then because of what ended its thread's wait, or because
/// of the instruction before it; and so on. A chain of a thread that pushes as fast as it can ends at its core.
std::vector<PathStep> critical_path(const Timeline& timeline, const Job& job, Cycle cycles);

}  // namespace tessera::trace

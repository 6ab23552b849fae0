// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trace/timeline.hpp"

namespace tessera::trace {

/// The critical path: the gapless chain from cycle 0 to `cycles` that decided the run's length. It is built backwards
/// from the last end. An instruction ran in its unit because it was issued or admitted then. It was issued then because
/// its thread's wait ended, or because of the previous instruction. The chain of a thread that pushes as fast as it can
/// ends at its core.
std::vector<PathStep> critical_path(const Timeline& timeline, const Job& job, Cycle cycles);

}  // namespace tessera::trace

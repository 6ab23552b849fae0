// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bench.hpp"

namespace tessera::bench {

/// Runs of 10⁶ instructions beside ten of 10⁵. Throws what a run is refused for.
std::vector<LongRun> measure_long_runs(unsigned repetitions);

}  // namespace tessera::bench

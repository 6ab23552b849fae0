// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bench.hpp"

namespace tessera::bench {

/// Runs of 10⁶ instructions and ten of 10⁵. Throws the error of a rejected run.
std::vector<LongRun> measure_long_runs(unsigned repetitions);

}  // namespace tessera::bench

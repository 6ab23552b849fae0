// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bench.hpp"

namespace tessera::bench {

/// Products of 1 to 4096 blocks, traced or not, on 1, 2, 4, … up to all processors.
std::vector<Scaling> scale(unsigned repetitions, double seconds);

}  // namespace tessera::bench

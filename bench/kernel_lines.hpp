// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <regex>
#include <vector>

#include "bench.hpp"

namespace tessera::bench {

/// Lines of kernels whose names match the filter.
std::vector<KernelLine> measure_kernel_lines(const Options& options, const std::regex& filter);

}  // namespace tessera::bench

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <regex>
#include <vector>

#include "bench.hpp"

namespace tessera::bench {

/// Lines of programs whose names match the filter.
std::vector<ProgramLine> measure_program_lines(const Options& options, const std::regex& filter);

}  // namespace tessera::bench

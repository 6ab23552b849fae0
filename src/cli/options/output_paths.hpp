// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::cli {

/// Call before a run. Checks that all outputs can be written, and that none is an input or another output. An empty
/// path means that the option was not given. Errors "cli.write", "output.input", "output.twice".
Result<void> check_outputs(const std::vector<std::string>& outputs, std::span<const std::string> inputs);

/// A line for each output of a failed run at whose path an older file stands: "kept          sum.npy of an earlier run".
std::string kept_lines(const std::vector<std::string>& outputs);

}  // namespace tessera::cli

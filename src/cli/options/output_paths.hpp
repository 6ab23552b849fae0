// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::cli {

/// Before anything runs: that all these can be written, and that none is an input or another of them. An empty path is an
/// option that was not given. Errors "cli.write", "output.input", "output.twice".
Result<void> check_outputs(const std::vector<std::string>& outputs, std::span<const std::string> inputs);

}  // namespace tessera::cli

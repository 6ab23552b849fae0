// SPDX-License-Identifier: Apache-2.0
// Scripts by which shells complete command lines.
#pragma once

#include <string>
#include <vector>

#include "reports/command_table.hpp"

namespace tessera::cli {

std::string bash_completion(const std::vector<CommandRow>& commands);
std::string zsh_completion(const std::vector<CommandRow>& commands);
std::string fish_completion(const std::vector<CommandRow>& commands);

}  // namespace tessera::cli

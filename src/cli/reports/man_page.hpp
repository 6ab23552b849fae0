// SPDX-License-Identifier: Apache-2.0
// Man pages, in the macros of man(7).
#pragma once

#include <string>
#include <vector>

#include "reports/command_table.hpp"

namespace tessera::cli {

/// tessera(1), or tessera-NAME(1) of a subcommand. `version`: "0.1.0".
std::string man_page(const CommandRow& command, const std::vector<CommandRow>& all, const std::string& version);

}  // namespace tessera::cli

// SPDX-License-Identifier: Apache-2.0
// The program as a whole, and the subcommands that describe it to shells and to man(1).
#pragma once

#include "command.hpp"

namespace tessera::cli {

/// The program's own options and all subcommands.
void add_all(CLI::App& app, Action& action);

void add_completion(CLI::App& app, Action& action);
void add_man(CLI::App& app, Action& action);

}  // namespace tessera::cli

// SPDX-License-Identifier: Apache-2.0
// The program as a whole, and the subcommands that describe it to shells and to man(1).
#pragma once

#include <string_view>

#include "command.hpp"

namespace tessera::cli {

/// The program's own options and subcommands: the named one, or all of them for a help text or an error.
CommandLine make_program(std::string_view named = {});

void add_completion(CommandLine& program);
void add_man(CommandLine& program);

}  // namespace tessera::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tessera/error.hpp"

namespace tessera::cli {

/// The path that stands for standard input, and what it is called in messages.
inline constexpr const char *standard_input = "-", *standard_input_name = "<stdin>";

/// All of standard input. Error "cli.read".
Result<std::string> read_standard_input();

}  // namespace tessera::cli

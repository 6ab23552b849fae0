// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tessera/error.hpp"

namespace tessera::cli {

/// The path for standard input, and its name in messages.
inline constexpr const char *standard_input = "-", *standard_input_name = "<stdin>";

/// Reads all of standard input. Error "cli.read".
Result<std::string> read_standard_input();

}  // namespace tessera::cli

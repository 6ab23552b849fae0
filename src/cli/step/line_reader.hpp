// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace tessera::cli {

/// A line of standard input, without its end; nothing at the end of input. On a terminal: with prompt, editing and
/// history.
std::optional<std::string> read_line(const std::string& prompt);

}  // namespace tessera::cli

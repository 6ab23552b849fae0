// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "program/documents/node.hpp"
#include "tessera/error.hpp"

namespace tessera::program {

/// Parses a TOML text into a tree. Error "job.syntax" with place.
Result<Node> parse_toml(std::string_view text, const std::string& file);

}  // namespace tessera::program

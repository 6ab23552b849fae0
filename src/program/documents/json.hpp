// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "program/documents/node.hpp"
#include "tessera/error.hpp"

namespace tessera::program {

/// Parses a JSON text into a tree. Error "job.syntax" with place.
Result<Node> parse_json(std::string_view text, const std::string& file);

/// Converts a parsed value into a tree without places. Error "job.syntax" if it nests too deeply.
Result<Node> to_node(const nlohmann::json& value, const std::string& file);

}  // namespace tessera::program

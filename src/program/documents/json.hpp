// SPDX-License-Identifier: Apache-2.0
// The one reader of JSON texts. Linear in time. Refuses what nlohmann's parser lets pass: an object that has a key twice, values that
// nest deeper than max_node_depth, and NUL bytes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "program/documents/node.hpp"
#include "tessera/error.hpp"

namespace tessera::program {

/// Why a text is refused.
struct JsonMistake {
    std::string message;
    Position position;
    bool key_twice = false;  ///< the text is JSON, but an object has a key twice
};

/// Parses a JSON text into a tree of nlohmann's values, which have no places.
tl::expected<nlohmann::json, JsonMistake> read_json(std::string_view text);

/// Parses a JSON text into a tree. Error "job.syntax" with place.
Result<Node> parse_json(std::string_view text, const std::string& file);

/// Converts a parsed value into a tree without places. Error "job.syntax" if it nests too deeply.
Result<Node> to_node(const nlohmann::json& value, const std::string& file);

}  // namespace tessera::program

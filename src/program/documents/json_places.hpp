// SPDX-License-Identifier: Apache-2.0
// Reports that the JSON parser lacks: places of keys and values, and its own errors without their numbers.
#pragma once

#include <string_view>
#include <vector>

#include "program/documents/node.hpp"

namespace tessera::program {

struct JsonPlace {
    Position position;
    std::size_t length{};  ///< a string's includes its quotes; in bytes
};

/// Places of all keys and values in the parser's order; an array or table counts at its opening bracket. For invalid
/// JSON, the places before the first mistake are right.
std::vector<JsonPlace> json_places(std::string_view text);

/// Line and column of a byte offset.
Position position_at(std::string_view text, std::size_t byte);

/// The cause in a text of the parser, such as "[json.exception.parse_error.101] parse error at line 1, column 2: cause".
std::string_view cause_in(std::string_view error);

}  // namespace tessera::program

// SPDX-License-Identifier: Apache-2.0
// Finds the places of keys and values in a JSON text, because its parser does not report them.
#pragma once

#include <string_view>
#include <vector>

#include "program/documents/node.hpp"

namespace tessera::program {

struct JsonPlace {
    Position position;
    std::size_t length = 0;  ///< a string's includes its quotes; in bytes
};

/// Places of all keys and values in the parser's order; an array or table counts at its opening bracket. For invalid
/// JSON, the places before the first mistake are right.
std::vector<JsonPlace> json_places(std::string_view text);

/// Line and column of a byte offset.
Position position_at(std::string_view text, std::size_t byte);

}  // namespace tessera::program

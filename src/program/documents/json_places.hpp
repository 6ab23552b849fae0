// SPDX-License-Identifier: Apache-2.0
// Where the keys and values of a JSON text stand, which its parser does not tell.
#pragma once

#include <string_view>
#include <vector>

#include "program/documents/node.hpp"

namespace tessera::program {

struct JsonPlace {
    Position position;
    std::size_t length = 0;  ///< of a string with its quotes, in bytes
};

/// The places of all keys and values in the order in which a parser meets them; arrays and tables where they open. Of a
/// text that is not valid JSON the places up to the first mistake are right.
std::vector<JsonPlace> json_places(std::string_view text);

/// Line and column of a byte.
Position position_at(std::string_view text, std::size_t byte);

}  // namespace tessera::program

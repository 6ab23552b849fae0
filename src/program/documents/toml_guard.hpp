// SPDX-License-Identifier: Apache-2.0
// Rejects texts that toml++ 3.3 cannot handle. On some malformed texts it violates its own preconditions and
// gives no error:
//
// - non-ASCII characters outside strings and comments
// - strings inside a value
// - table headers without a key
// - a '}' in place of a value
//
// It also does not bound the nesting of dotted keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "program/documents/node.hpp"

namespace tessera::program {

struct TomlMistake {
    std::string message;
    Position position;
};

/// The first such mistake in the text.
std::optional<TomlMistake> find_toml_mistake(std::string_view text);

}  // namespace tessera::program

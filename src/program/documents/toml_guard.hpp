// SPDX-License-Identifier: Apache-2.0
// What toml++ 3.3 must not be given. On some malformed texts it breaks its own preconditions instead of giving an
// error: non-ASCII characters outside of strings and comments, strings that start within a value, table headers that
// start with no key, a '}' in place of a value. Nor does it bound how deep dotted keys nest.
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

/// The first such mistake.
std::optional<TomlMistake> find_toml_mistake(std::string_view text);

}  // namespace tessera::program

// SPDX-License-Identifier: Apache-2.0
// A line of assembly and where it stands. Text files give lines one by one; jobs give strings, and ops between them.
#pragma once

#include <optional>
#include <string_view>

#include "tessera/program.hpp"

namespace tessera::program {

struct SourceLine {
    std::string_view text;
    int line = 0;                         ///< in the file; 0 when unknown
    int column = 1;                       ///< of the text's first character
    bool literal = true;                  ///< the file has the text as it is, so that columns can be counted in it
    std::optional<Op> op = std::nullopt;  ///< stands for itself; there is no text then
};

}  // namespace tessera::program

// SPDX-License-Identifier: Apache-2.0
// A line of assembly and its place. Text files give lines; jobs give strings and ops.
#pragma once

#include <optional>
#include <string_view>

#include "tessera/program.hpp"

namespace tessera::program {

struct SourceLine {
    std::string_view text;
    int line{};                           ///< in the file; 0 when unknown
    int column = 1;                       ///< of the text's first character
    bool literal = true;                  ///< the text is verbatim in the file, so columns can be counted
    std::optional<Op> op = std::nullopt;  ///< a ready op in place of text
};

}  // namespace tessera::program

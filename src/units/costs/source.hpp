// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/timing.hpp"

namespace tessera::units {

/// The source of a figure.
struct Source {
    using Kind = CostBasis;
    using enum CostBasis;

    std::string_view text;  ///< of a document the page, of a measurement publication and date, of an assumption why
    Kind kind = document;
};

/// The text, with its kind in parentheses unless it is a document.
inline std::string in_words(const Source& source) {
    std::string words(source.text);
    if (source.kind != Source::document) words.append(" (").append(name(source.kind)).append(")");
    return words;
}

}  // namespace tessera::units

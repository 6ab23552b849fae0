// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::units {

/// The source of a figure.
struct Source {
    enum class Kind : std::uint8_t {
        document,  ///< the vendor's page that `text` names
        measured,  ///< on a chip; `text` names the publication and the date
        assumed,   ///< neither; `text` says why
    };
    using enum Kind;

    std::string_view text;
    Kind kind = document;
};

/// "document", "measured" or "assumed".
constexpr std::string_view name(Source::Kind kind) {
    constexpr std::string_view names[] = {"document", "measured", "assumed"};
    return names[static_cast<unsigned>(kind)];
}

/// The text, with its kind in parentheses unless it is a document.
inline std::string in_words(const Source& source) {
    std::string words(source.text);
    if (source.kind != Source::document) words.append(" (").append(name(source.kind)).append(")");
    return words;
}

}  // namespace tessera::units

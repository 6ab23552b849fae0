// SPDX-License-Identifier: Apache-2.0
// A row of the catalogue of faults and findings.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tessera/finding.hpp"

namespace tessera::findings {

enum class Kind : std::uint8_t { fault, finding };

/// Titles, messages, hardware and cures begin in lower case (but for names) and end without a period; meanings are sentences.
struct Entry {
    std::string_view code;  ///< stable
    Kind kind;
    Level level = Level::error;  ///< default; of faults always error
    bool has_level = false;      ///< of a fault: at a lower level it is a finding, and ends no run
    std::string_view title;      ///< a few words, without values
    std::string_view meaning;    ///< one sentence: what was found
    /// {0}, {1}, … are the values, {detail} the note's static text.
    std::string_view message;
    std::array<std::string_view, 4> values{};  ///< names of the values, in order
    std::string_view hardware;                 ///< a clause with a subject: what the chip does
    std::string_view cure;                     ///< what to change
    std::string_view source;                   ///< "spec-notes A20" is row A20 of docs/internals/spec-notes.md
};

namespace rows {

using enum Kind;
using enum Level;

inline constexpr std::string_view undefined = "the ISA documentation leaves the result undefined";

}  // namespace rows

}  // namespace tessera::findings

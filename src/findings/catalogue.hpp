// SPDX-License-Identifier: Apache-2.0
// Every fault and finding: a code in codes.hpp, and a row of texts in rows/. Units name a code when they resolve an instruction; the
// text is made on demand.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "findings/codes.hpp"
#include "findings/entry.hpp"

namespace tessera::findings {

/// All rows, in the order of `codes`.
extern const std::span<const Entry> catalogue;

/// A row of the catalogue as a compile-time constant.
struct Id {
    std::uint8_t index = 0;
    friend constexpr bool operator==(Id, Id) = default;
};

/// The row with that code. An unknown code does not compile.
consteval Id id(std::string_view code) {
    for (std::size_t i = 0; i < std::size(codes); ++i)
        if (codes[i] == code) return {static_cast<std::uint8_t>(i)};
    throw "no such fault or finding";
}

inline const Entry& entry(Id id) { return catalogue[id.index]; }

/// A unit's remark on an instruction: a row, its values, and a static text if the row needs one.
struct Note {
    Id id;
    std::array<std::uint32_t, 4> values{};
    std::string_view detail{};
    friend constexpr bool operator==(const Note&, const Note&) = default;
};

/// Formats the named value if there is a better text than its number; otherwise empty.
using ValueText = std::function<std::string(std::string_view name, std::uint32_t value)>;
/// Whether a value of that name is another op's number or a word of configuration.
constexpr bool is_op(std::string_view name) { return name == "other_index" || name == "store_op"; }
constexpr bool is_config_word(std::string_view name) { return name == "addr32"; }

/// Writes the note's text and values into a diagnosis; the caller sets `where`.
void describe(const Note& note, Diagnosis& diagnosis, const ValueText& text = {});

}  // namespace tessera::findings

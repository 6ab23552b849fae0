// SPDX-License-Identifier: Apache-2.0
// The meaning of fields. Fields that differ only in a number (section, context, row) are a family, and families/
// states their meaning once.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "registers/field_spec.hpp"
#include "tessera/registers.hpp"

namespace tessera::registers {

/// The kind of effect that a field has.
enum class Place : std::uint8_t {
    effect,        ///< an instruction's plan depends on it
    ignored,       ///< hardware uses another value instead; the source names it
    tile,          ///< read by devices beside the coprocessor: RISC-V cores, mover
    undocumented,  ///< no page gives an effect: stored, and reported when set
};

struct FieldFamily {
    std::string_view pattern;  ///< '#' stands for any decimal number
    FieldKind kind;
    std::string_view meaning;
    std::string_view source;
    Place place = Place::effect;
};

/// The number of characters of `name` that match the pattern, with numbers for its '#'; npos if `name` does not begin
/// so.
constexpr std::size_t fit(std::string_view pattern, std::string_view name) {
    constexpr auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t at = 0;
    for (const char c : pattern) {
        if (c != '#') {
            if (at == name.size() || name[at] != c) return std::string_view::npos;
            ++at;
            continue;
        }
        const std::size_t first = at;
        while (at < name.size() && is_digit(name[at])) ++at;
        if (at == first) return std::string_view::npos;
    }
    return at;
}

/// Whether `name` is `pattern` with numbers for its '#'.
constexpr bool matches(std::string_view pattern, std::string_view name) { return fit(pattern, name) == name.size(); }

/// Whether `name` begins with `pattern`, with numbers for its '#'.
constexpr bool begins_with(std::string_view pattern, std::string_view name) {
    return fit(pattern, name) != std::string_view::npos;
}

/// The family that a field belongs to, or null.
const FieldFamily* find_family(std::string_view name);
/// The same for a row of backend_fields or thread_fields, without a search.
const FieldFamily* find_family(const FieldSpec& spec);

/// All families, for tests.
std::size_t family_count();
const FieldFamily& family(std::size_t index);

/// The declared kind. By default a single bit is a flag and a wider field a number.
FieldKind kind_of(const FieldSpec& spec, Arch arch);

/// An exception for some members of a family.
struct PlaceException {
    std::string_view beginning;  ///< of the names; '#' as in a family
    std::optional<Arch> arch;    ///< none: both
    Place place;
    std::string_view reason;
};

/// The declared effect of a field, with the reason if it is an exception. Undocumented if nothing is declared.
struct PlaceOfField {
    Place place;
    std::string_view reason;
};
PlaceOfField place_of(std::string_view name, Arch arch);

/// The first undocumented field with a set bit in `word`, at `addr32`; null if there is none.
const FieldSpec* undocumented_in(Space space, unsigned addr32, std::uint32_t word, Arch arch);

/// The unit that a field belongs to: RegisterField::group.
std::string_view group_of(std::string_view name);

}  // namespace tessera::registers

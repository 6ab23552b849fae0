// SPDX-License-Identifier: Apache-2.0
// Names of operands' values: lookup, parsing and printing. values/ declares them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "isa/form.hpp"
#include "isa/values/value_spec.hpp"

namespace tessera::isa {

/// The values of an operand of `table` or of one of its forms (not of a copy); null if none are declared.
const ValueSet* values_of(const OperandSpec& operand);

/// The values on an architecture. Those without a meaning are alternative spellings.
template <class F>
void for_each_value(const ValueSet& set, Arch arch, F&& f) {
    for (const ValueSpec& value : set.values)
        if (includes(value.archs, arch)) f(value);
}

/// The value with a name, letter case ignored, with or without the vendor's prefix; null if there is none.
const ValueSpec* find_value(const ValueSet& set, std::string_view written, Arch arch);

/// "row|col": names that together make the value; none if some bit has no name.
std::optional<std::string> value_text(const ValueSet& set, std::uint32_t value, Arch arch);

/// The reason why `written` is not a value of the operand: the other architecture has it, or else the most similar name, which may be
/// that of a symbol, and the full list.
std::string unknown_value(const OperandSpec& operand, const ValueSet& set, std::string_view written, Arch arch,
                          std::span<const std::string_view> symbols);

/// Whether two names give different values to the same bits.
inline bool contradict(const ValueSpec& a, const ValueSpec& b, Arch arch) {
    return ((a.on(arch) ^ b.on(arch)) & a.mask(arch) & b.mask(arch)) != 0;
}

}  // namespace tessera::isa

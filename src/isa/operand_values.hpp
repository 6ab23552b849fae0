// SPDX-License-Identifier: Apache-2.0
// The names of operands' values: which an operand has, reading them and printing them. They are declared in values/.
#pragma once

#include <optional>
#include <string>

#include "isa/form.hpp"
#include "isa/values/value_spec.hpp"

namespace tessera::isa {

/// What is known of the values of an operand of `table` or of one of its forms (not of a copy); null: nothing.
const ValueSet* values_of(const OperandSpec& operand);

/// The values that an architecture has; those without a meaning of their own are other spellings.
template <class F>
void for_each_value(const ValueSet& set, Arch arch, F&& f) {
    for (const ValueSpec& value : set.values)
        if (includes(value.archs, arch)) f(value);
}

/// The value that a name stands for, letter case aside, with or without the vendor's prefix; null if there is none.
const ValueSpec* find_value(const ValueSet& set, std::string_view written, Arch arch);

/// "row|col": the names that together are the value; nothing where some bit has none.
std::optional<std::string> value_text(const ValueSet& set, std::uint32_t value, Arch arch);

/// Why `written` is no value of the operand: it is one of the other architecture; or which one is spelled like it, and all
/// that there are.
std::string unknown_value(const OperandSpec& operand, const ValueSet& set, std::string_view written, Arch arch);

/// Whether two names say different things of the same bits.
inline bool contradict(const ValueSpec& a, const ValueSpec& b, Arch arch) {
    return ((a.on(arch) ^ b.on(arch)) & a.mask(arch) & b.mask(arch)) != 0;
}

}  // namespace tessera::isa

// SPDX-License-Identifier: Apache-2.0
// What a field holds. Fields that differ only in a number (section, context, row) are a family, and what they mean is
// said once, in families/.
#pragma once

#include <string_view>

#include "registers/field_spec.hpp"
#include "tessera/registers.hpp"

namespace tessera::registers {

struct FieldFamily {
    std::string_view pattern;  ///< '#' stands for any decimal number
    FieldKind kind;
    std::string_view meaning;
    std::string_view source;
};

/// Whether `name` is `pattern` with numbers for its '#'.
bool matches(std::string_view pattern, std::string_view name);

/// The family that a field belongs to, or null.
const FieldFamily* find_family(std::string_view name);

/// All families, for tests.
std::size_t family_count();
const FieldFamily& family(std::size_t index);

/// The declared kind; without one a single bit is a flag and anything wider a number.
FieldKind kind_of(const FieldSpec& spec, Arch arch);

/// Who a field is for: RegisterField::group.
std::string_view group_of(std::string_view name);

}  // namespace tessera::registers

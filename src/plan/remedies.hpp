// SPDX-License-Identifier: Apache-2.0
// Finds the field, operand or counter that caused a fault or finding, and its right value.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "findings/catalogue.hpp"
#include "plan/explain_registers.hpp"
#include "plan/work.hpp"

namespace tessera::plan {

/// For each value read that the note can be about: its name, value, and right value.
Lines remedies(const findings::Note& note, std::span<const ReadValue> read);

/// The names in the table, with '#' for any number. For tests.
std::vector<std::string_view> remedy_names();
/// The codes in the table. For tests.
std::vector<std::string_view> remedied();

}  // namespace tessera::plan

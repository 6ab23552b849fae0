// SPDX-License-Identifier: Apache-2.0
// Which field, operand or counter is behind a fault or finding, and what it should be.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "findings/catalogue.hpp"
#include "plan/explain_registers.hpp"
#include "plan/work.hpp"

namespace tessera::plan {

/// Name, and value with what it should be instead, of those among the values read that the note can be about.
Lines remedies(const findings::Note& note, std::span<const ReadValue> read);

/// The names that the table speaks of, with '#' for any number, for tests.
std::vector<std::string_view> remedy_names();
/// The codes of the faults and findings that it has rows for, for tests.
std::vector<std::string_view> remedied();

}  // namespace tessera::plan

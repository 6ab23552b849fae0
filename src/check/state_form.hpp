// SPDX-License-Identifier: Apache-2.0
// The form of state in cases (tests/golden/README.md): read as elements of sections, and written from a core.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>

#include "tessera/case.hpp"

namespace tessera::check {

/// Receives an element and its expected value; returns false to stop.
using Visit = std::function<bool(const Section&, std::size_t, std::uint64_t)>;

/// Visits all values of an `expect`. Absent keys expect nothing; within a key, absent rows, counters and registers are
/// zero. Error "case.expect" for an unknown key or value; "case.hex", "l1.range".
Result<void> for_each_expected(Arch arch, const nlohmann::json& expect, const Visit& visit);

/// The state of a core in that form, with these ranges of L1. The ranges must lie in L1.
nlohmann::ordered_json expected_state(const Core& core, std::span<const L1Range> dump);

/// The meaning of a stored value in words: " (1 as BF16, 0.0078125 as FP16)"; empty for a plain number.
std::string meaning(const Section& section, std::uint64_t value);

}  // namespace tessera::check

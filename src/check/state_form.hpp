// SPDX-License-Identifier: Apache-2.0
// The form in which cases give state (tests/golden/README.md): read into elements of sections, and written from a core.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>

#include "tessera/case.hpp"

namespace tessera::check {

/// Takes an element and the value that it is said to have; false: enough.
using Visit = std::function<bool(const Section&, std::size_t, std::uint64_t)>;

/// Goes through all that an `expect` says. Keys that are absent say nothing; within a key, absent rows, counters and
/// registers are zero. Error "case.expect" for a key or value that means nothing; "case.hex", "l1.range".
Result<void> for_each_expected(Arch arch, const nlohmann::json& expect, const Visit& visit);

/// All that the form can say of a core, and these parts of L1. They must lie in L1.
nlohmann::ordered_json expected_state(const Core& core, std::span<const L1Range> dump);

/// What a stored value of a section may mean, for people: " (1 as BF16, 0.0078125 as FP16)"; empty where it is a plain
/// number.
std::string meaning(const Section& section, std::uint64_t value);

}  // namespace tessera::check

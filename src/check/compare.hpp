// SPDX-License-Identifier: Apache-2.0
// Holds a core's state against a case's `expect`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tessera/core.hpp"

namespace tessera::check {

/// The first difference by name, "dst row 3 column 5 is 0x3F80 (1.0 as Float16_b), expected …", or an empty text. Keys
/// that are absent from `expect` are not compared; within a key, absent rows, counters and registers are zero. Error
/// "case.expect" for a key or value that means nothing.
Result<std::string> first_difference(const Core& core, const nlohmann::json& expect);

}  // namespace tessera::check

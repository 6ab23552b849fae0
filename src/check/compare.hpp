// SPDX-License-Identifier: Apache-2.0
// Compares a core's state with a case's `expect`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "tessera/core.hpp"

namespace tessera::check {

struct Difference {
    const Section* section = nullptr;
    std::size_t element = 0;
    std::uint64_t is = 0, expected = 0;
};

/// The first unexpected element, if any. Errors as for_each_expected().
Result<std::optional<Difference>> find_difference(const Core& core, const nlohmann::json& expect);

/// Same as text: "dst row 3 column 5 is 0x3F80 (1 as BF16, …), expected …", or empty.
Result<std::string> first_difference(const Core& core, const nlohmann::json& expect);

}  // namespace tessera::check

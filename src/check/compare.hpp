// SPDX-License-Identifier: Apache-2.0
// Holds a core's state against a case's `expect`.
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

/// The first element that is not as expected, if there is one. Errors as for_each_expected().
Result<std::optional<Difference>> find_difference(const Core& core, const nlohmann::json& expect);

/// The same by name, "dst row 3 column 5 is 0x3F80 (1 as BF16, …), expected …", or an empty text.
Result<std::string> first_difference(const Core& core, const nlohmann::json& expect);

}  // namespace tessera::check

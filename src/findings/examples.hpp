// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "findings/example.hpp"

namespace tessera::findings {

/// The example of that code; null: it has none.
const Example* example_of(std::string_view code);
std::size_t example_count();

}  // namespace tessera::findings

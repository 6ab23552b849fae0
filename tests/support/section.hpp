// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tessera/core.hpp"

namespace tessera::test {

/// A section of the state, by its name. There must be one.
inline const Section& section(const Core& core, std::string_view name) { return *core.find_section(name).value(); }

}  // namespace tessera::test

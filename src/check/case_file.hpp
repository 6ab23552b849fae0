// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::check {

/// Parses hexadecimal digits to bytes; error "case.hex".
Result<std::vector<std::byte>> parse_hex(const std::string& text, const std::string& file);

}  // namespace tessera::check

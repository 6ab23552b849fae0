// SPDX-License-Identifier: Apache-2.0
/// @file
/// Numbers in text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// A number of 64 bits without a sign, decimal or hexadecimal with 0x or 0X. Empty: the text is something else.
std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace tessera

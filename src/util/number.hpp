// SPDX-License-Identifier: Apache-2.0
// Numbers in text.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::util {

/// A number of 64 bits without a sign, decimal or hexadecimal with 0x. Empty: the text is something else.
inline std::optional<std::uint64_t> parse_number(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal) text.remove_prefix(2);
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, hexadecimal ? 16 : 10);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

}  // namespace tessera::util

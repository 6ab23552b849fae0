// SPDX-License-Identifier: Apache-2.0
// Parser for bytes written as pairs of hexadecimal digits.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera::program {

/// Blanks and line ends may separate pairs. Empty if the text has other characters or half a pair.
inline std::optional<std::vector<std::byte>> parse_hex(std::string_view text) {
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') continue;
        const std::string_view pair = text.substr(i, 2);
        std::uint8_t byte{};
        const char* const end = std::from_chars(pair.data(), pair.data() + pair.size(), byte, 16).ptr;
        if (end - pair.data() != 2) return std::nullopt;
        bytes.push_back(static_cast<std::byte>(byte));
        ++i;
    }
    return bytes;
}

}  // namespace tessera::program

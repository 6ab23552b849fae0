// SPDX-License-Identifier: Apache-2.0
// Parser for bytes written as pairs of hexadecimal digits.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera::program {

/// Blanks and line ends may separate pairs. Empty if the text has other characters or half a pair.
inline std::optional<std::vector<std::byte>> parse_hex(std::string_view text) {
    auto digit = [](char c) {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
    };
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') continue;
        const int high = digit(text[i]);
        const int low = i + 1 < text.size() ? digit(text[i + 1]) : -1;
        if (high < 0 || low < 0) return std::nullopt;
        bytes.push_back(static_cast<std::byte>(high * 16 + low));
        ++i;
    }
    return bytes;
}

}  // namespace tessera::program

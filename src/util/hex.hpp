// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::util {

/// The value of a hexadecimal digit; -1: it is none.
constexpr int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// Two digits for each byte.
inline std::string to_hex(std::span<const std::byte> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const std::byte byte : bytes) {
        text += digits[std::to_integer<unsigned>(byte) >> 4];
        text += digits[std::to_integer<unsigned>(byte) & 15];
    }
    return text;
}
inline std::string to_hex(std::string_view text) { return to_hex(std::as_bytes(std::span(text))); }

/// Empty: a half byte, or another character.
template <class Byte>
std::optional<std::vector<Byte>> from_hex(std::string_view text) {
    if (text.size() % 2) return {};
    std::vector<Byte> bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
        if (high < 0 || low < 0) return {};
        bytes.push_back(static_cast<Byte>(high << 4 | low));
    }
    return bytes;
}

}  // namespace tessera::util

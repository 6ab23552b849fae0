// SPDX-License-Identifier: Apache-2.0
#include "gdb/text.hpp"

#include <algorithm>
#include <limits>

namespace tessera::gdb {

std::string to_hex(std::span<const std::uint8_t> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const std::uint8_t byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string to_hex(std::string_view text) {
    return to_hex(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

std::optional<std::vector<std::uint8_t>> from_hex(std::string_view text) {
    if (text.size() % 2) return {};
    std::vector<std::uint8_t> bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = digit(text[i]), low = digit(text[i + 1]);
        if (high < 0 || low < 0) return {};
        bytes.push_back(static_cast<std::uint8_t>(high << 4 | low));
    }
    return bytes;
}

std::optional<std::uint64_t> Cursor::number() {
    std::uint64_t value = 0;
    std::size_t count = 0;
    for (; count < rest_.size() && digit(rest_[count]) >= 0; ++count) {
        if (count == 16) return {};
        value = value << 4 | static_cast<unsigned>(digit(rest_[count]));
    }
    if (count == 0) return {};
    rest_.remove_prefix(count);
    return value;
}

std::optional<std::uint32_t> Cursor::address() {
    const auto value = number();
    if (!value || *value > std::numeric_limits<std::uint32_t>::max()) return {};
    return static_cast<std::uint32_t>(*value);
}

std::string_view Cursor::until(char end) {
    const std::size_t at = rest_.find(end);
    const std::string_view text = rest_.substr(0, at);
    rest_.remove_prefix(at == rest_.npos ? rest_.size() : at + 1);
    return text;
}

std::string_view Cursor::bytes(std::size_t count) {
    const std::string_view text = rest_.substr(0, std::min(count, rest_.size()));
    rest_.remove_prefix(text.size());
    return text;
}

}  // namespace tessera::gdb

// SPDX-License-Identifier: Apache-2.0
#include "tessera/number.hpp"

#include <charconv>

namespace tessera {

std::optional<std::uint64_t> parse_number(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal) text.remove_prefix(2);
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, hexadecimal ? 16 : 10);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
#include "gdb/text.hpp"

#include <algorithm>
#include <limits>

#include "util/hex.hpp"

namespace tessera::gdb {

std::optional<std::uint64_t> Cursor::number() {
    std::uint64_t value = 0;
    std::size_t count = 0;
    for (; count < rest_.size() && util::hex_digit(rest_[count]) >= 0; ++count) {
        if (count == 16) return {};
        value = value << 4 | static_cast<unsigned>(util::hex_digit(rest_[count]));
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::util {

/// "rows 3 to 7"; if both ends are equal, "row 3". `what` is the plural.
inline std::string range_text(std::string_view what, const std::string& first, const std::string& last) {
    if (first != last) return fmt::format("{} {} to {}", what, first, last);
    if (what.ends_with('s')) what.remove_suffix(1);
    return fmt::format("{} {}", what, first);
}

/// The same with numbers.
inline std::string range_text(std::string_view what, std::integral auto first, std::integral auto last) {
    return range_text(what, std::to_string(first), std::to_string(last));
}

/// "0x10 to 0x30" for 0x20 bytes at 0x10. The end may have 65 bits.
inline std::string byte_range_text(std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t end = address + bytes;
    return end < address ? fmt::format("0x{:X} to 0x1{:016X}", address, end) : fmt::format("0x{:X} to 0x{:X}", address, end);
}

}  // namespace tessera::util

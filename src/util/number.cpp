// SPDX-License-Identifier: Apache-2.0
#include "util/number.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

#include "tessera/number.hpp"

namespace tessera {

namespace {

struct Read {
    std::uint64_t value = 0;
    std::errc error{};  ///< result_out_of_range: a number of more than 64 bits
};

Read read(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal) text.remove_prefix(2);
    Read result;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, result.value, hexadecimal ? 16 : 10);
    result.error = stop == end ? error : std::errc::invalid_argument;
    return result;
}

}  // namespace

std::optional<std::uint64_t> parse_number(std::string_view text) {
    const Read result = read(text);
    if (result.error != std::errc{}) return std::nullopt;
    return result.value;
}

bool util::is_written_as_number(std::string_view text) { return read(text).error != std::errc::invalid_argument; }

}  // namespace tessera

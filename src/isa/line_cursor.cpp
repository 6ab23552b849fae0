// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "isa/text.hpp"

namespace tessera::isa {

namespace {

constexpr bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr auto of_words = [] {
    std::array<bool, 256> table{};
    for (unsigned c = 0; c < table.size(); ++c) table[c] = is_name_start(static_cast<char>(c)) || is_digit(static_cast<char>(c));
    return table;
}();

}  // namespace

bool LineCursor::take(std::string_view wanted) {
    skip_blanks();
    if (!line_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
}

std::string_view LineCursor::take_name() { return is_name_start(peek()) ? take_word() : std::string_view{}; }

std::string_view LineCursor::take_word() {
    skip_blanks();
    const std::size_t start = at_;
    while (at_ < line_.size() && of_words[static_cast<unsigned char>(line_[at_])]) ++at_;
    return line_.substr(start, at_ - start);
}

std::optional<std::uint32_t> LineCursor::take_small_number() {
    constexpr std::size_t most_digits = 8;
    LineCursor ahead = *this;
    ahead.skip_blanks();
    std::uint32_t value = 0;
    const std::size_t start = ahead.at_;
    while (ahead.at_ < line_.size() && is_digit(line_[ahead.at_]) && ahead.at_ - start < most_digits)
        value = value * 10 + static_cast<std::uint32_t>(line_[ahead.at_++] - '0');
    if (ahead.at_ == start) return std::nullopt;
    if (ahead.at_ < line_.size() && of_words[static_cast<unsigned char>(line_[ahead.at_])]) return std::nullopt;
    const char next = ahead.peek();
    if (next != 0 && next != ',' && !is_name_start(next)) return std::nullopt;
    *this = ahead;
    return value;
}

}  // namespace tessera::isa

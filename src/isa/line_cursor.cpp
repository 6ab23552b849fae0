// SPDX-License-Identifier: Apache-2.0
#include "isa/text.hpp"

namespace tessera::isa {

namespace {

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

int LineCursor::next_column() {
    skip_blanks();
    return column();
}

bool LineCursor::at_end() {
    skip_blanks();
    return at_ >= line_.size();
}

char LineCursor::peek() {
    skip_blanks();
    return at_ < line_.size() ? line_[at_] : '\0';
}

bool LineCursor::take(char wanted) {
    if (at_end() || peek() != wanted) return false;
    ++at_;
    return true;
}

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
    while (at_ < line_.size() && (is_name_start(line_[at_]) || is_digit(line_[at_]))) ++at_;
    return line_.substr(start, at_ - start);
}

void LineCursor::skip_blanks() {
    while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r')) ++at_;
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
    if (ahead.at_ < line_.size() && (is_name_start(line_[ahead.at_]) || is_digit(line_[ahead.at_])))
        return std::nullopt;
    const char next = ahead.peek();
    if (next != 0 && next != ',' && !is_name_start(next)) return std::nullopt;
    *this = ahead;
    return value;
}

}  // namespace tessera::isa

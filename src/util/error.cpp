// SPDX-License-Identifier: Apache-2.0
#include "tessera/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace tessera {

namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Cuts the middle out of a long text, between characters of UTF-8.
void shorten(std::string& text) {
    constexpr std::size_t end_bytes = 1000, character_bytes = 4;
    if (text.size() <= 2 * end_bytes) return;
    std::size_t begin = end_bytes, end = text.size() - end_bytes;
    while (begin > end_bytes - character_bytes && continues_character(text[begin])) --begin;
    while (end < text.size() - end_bytes + character_bytes && continues_character(text[end])) ++end;
    text.replace(begin, end - begin, " … ");
}

}  // namespace

tl::unexpected<Error> fail(std::string code, std::string message, std::string file, int line, int column) {
    shorten(message);
    return tl::make_unexpected(Error{std::move(code), std::move(message), std::move(file), line, column});
}

std::string Error::describe() const {
    std::string text;
    if (!file.empty()) {
        text = file;
        if (line > 0) text += fmt::format(":{}", line);
        if (line > 0 && column > 0) text += fmt::format(":{}", column);
        text += ": ";
    } else if (line > 0) {
        text = column > 0 ? fmt::format("line {}, column {}: ", line, column) : fmt::format("line {}: ", line);
    }
    text += message;
    if (!code.empty()) text += fmt::format(" [{}]", code);
    return text;
}

}  // namespace tessera

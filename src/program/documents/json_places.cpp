// SPDX-License-Identifier: Apache-2.0
#include "program/documents/json_places.hpp"

#include <algorithm>

namespace tessera::program {

namespace {

std::size_t string_end(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    return std::min(at + 1, text.size());
}

}  // namespace

std::vector<JsonPlace> json_places(std::string_view text) {
    std::vector<JsonPlace> places;
    std::size_t at = 0, line_start = 0;
    int line = 1;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '\n') {
            ++line;
            line_start = at + 1;
        }
        if (std::string_view(" \t\r\n,:]}").find(c) != std::string_view::npos) {
            ++at;
            continue;
        }
        std::size_t end = at + 1;
        if (c == '"')
            end = string_end(text, at);
        else if (c != '[' && c != '{')
            end = std::min(text.find_first_of(" \t\r\n,:]}[{\"", at), text.size());
        places.push_back({{line, static_cast<int>(at - line_start) + 1}, end - at});
        at = end;
    }
    return places;
}

Position position_at(std::string_view text, std::size_t byte) {
    const auto before = text.substr(0, byte);
    const auto last_newline = before.rfind('\n');
    const std::size_t line_start = last_newline == std::string_view::npos ? 0 : last_newline + 1;
    return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
            static_cast<int>(before.size() - line_start) + 1};
}

std::string_view cause_in(std::string_view error) {
    const auto skip = [&](std::string_view behind) {
        if (const auto at = error.find(behind); at != error.npos) error.remove_prefix(at + behind.size());
    };
    skip("] ");
    if (error.starts_with("parse error at ")) skip(": ");
    return error;
}

}  // namespace tessera::program

// SPDX-License-Identifier: Apache-2.0
#include "program/documents/toml.hpp"

#include <toml++/toml.h>

#include <algorithm>

#include "program/documents/toml_guard.hpp"

namespace tessera::program {

namespace {

Position position_of(const toml::source_region& source) {
    return {static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

Node convert(const toml::node& from);

void convert_value(const toml::value<std::string>& from, Node& to) {
    to.kind = Node::Kind::string;
    to.string = from.get();
    const auto& source = from.source();
    constexpr std::size_t quotes = 2;
    // Columns of the parser are characters.
    const auto characters = std::ranges::count_if(to.string, [](char c) { return (c & 0xC0) != 0x80; });
    to.literal = source.begin.line == source.end.line &&
                 source.end.column - source.begin.column == static_cast<std::size_t>(characters) + quotes;
}

void convert_value(const toml::value<std::int64_t>& from, Node& to) {
    to.kind = Node::Kind::integer;
    to.negative = from.get() < 0;
    const auto bits = static_cast<std::uint64_t>(from.get());
    to.integer = to.negative ? 0 - bits : bits;
}

void convert_value(const toml::value<bool>& from, Node& to) {
    to.kind = Node::Kind::boolean;
    to.boolean = from.get();
}

void convert_value(const toml::array& from, Node& to) {
    to.kind = Node::Kind::array;
    for (const auto& item : from) to.items.push_back(convert(item));
}

void convert_value(const toml::table& from, Node& to) {
    to.kind = Node::Kind::table;
    for (const auto& [key, value] : from)
        to.members.push_back({std::string(key.str()), position_of(key.source()), convert(value)});
}

template <class Other>
void convert_value(const Other&, Node&) {}

/// The parser bounds nesting, and thereby this recursion.
Node convert(const toml::node& from) {
    Node node;
    node.position = position_of(from.source());
    from.visit([&](const auto& value) { convert_value(value, node); });
    return node;
}

/// Whether the line has "key = word" with a word that is no number, date or truth value.
bool is_bare_text(std::string_view text, Position at) {
    for (int line = 1; line < at.line; ++line) text.remove_prefix(text.find('\n') + 1);
    text = text.substr(0, text.find_first_of("#\n"));
    const std::size_t equals = text.find('=');
    if (equals == text.npos) return false;
    text.remove_prefix(std::min(text.find_first_not_of(" \t", equals + 1), text.size()));
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return !text.empty() && is_letter(text.front()) && !text.starts_with("true") && !text.starts_with("false");
}

}  // namespace

Result<Node> parse_toml(std::string_view text, const std::string& file) {
    if (const auto mistake = find_toml_mistake(text))
        return fail("job.syntax", mistake->message, file, mistake->position.line, mistake->position.column);
    try {
        return convert(toml::parse(text, file));
    } catch (const toml::parse_error& error) {
        const auto position = position_of(error.source());
        const char* const hint = is_bare_text(text, position) ? "; a text needs quotes: \"text\"" : "";
        return fail("job.syntax", std::string(error.description()) + hint, file, position.line, position.column);
    } catch (const std::exception& error) {
        return fail("job.syntax", error.what(), file);
    }
}

}  // namespace tessera::program

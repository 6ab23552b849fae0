// SPDX-License-Identifier: Apache-2.0
#include "program/job/changes.hpp"

#include <fmt/format.h>
#include <charconv>
#include <optional>

#include "program/documents/toml.hpp"
#include "tessera/data_format.hpp"
#include "tessera/number.hpp"
#include "util/number.hpp"

namespace tessera::program {

namespace {

std::optional<std::size_t> index_of(std::string_view text) {
    std::size_t index{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return index;
}

/// The part of the tree that `name` stands for; a table gets a key that it lacks.
Result<Node*> part_of(Node& node, std::string_view name, const std::string& key, const SchemaReader& schema) {
    if (node.kind == Node::Kind::array) {
        const auto index = index_of(name);
        if (!index || *index >= node.items.size())
            return schema.error("job.value",
                                fmt::format("{}: '{}' is no item of this array, which {}", key, name,
                                            node.items.empty() ? "is empty"
                                                               : fmt::format("has items 0 to {}", node.items.size() - 1)),
                                node.position);
        return &node.items[*index];
    }
    if (node.kind != Node::Kind::table)
        return schema.error("job.value", fmt::format("{}: there is no '{}' in a single value", key, name),
                            node.position);
    for (auto& member : node.members)
        if (member.key == name) return &member.value;
    node.members.push_back({std::string(name), {}, {}});
    Node& added = node.members.back().value;
    added.kind = Node::Kind::table;
    return &added;
}

/// An integer that TOML's 64 signed bits do not hold.
std::optional<Node> large_integer(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x");
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    if (!util::is_written_as_number(digits) || (!hexadecimal && digits.front() == '0')) return std::nullopt;
    const auto value = parse_number(text);
    if (!value) return make_large_integer(text);
    Node node;
    node.kind = Node::Kind::integer;
    node.integer = *value;
    return node;
}

/// The value of TOML text. A word without quotes is a string.
Result<Node> value_of(const std::string& key, const std::string& text, const SchemaReader& schema) {
    constexpr std::string_view name = "value";
    auto tree = parse_toml(fmt::format("{} = {}", name, text), schema.file());
    if (tree && tree->members.size() == 1) return std::move(tree->members[0].value);
    if (auto integer = large_integer(text)) return std::move(*integer);
    constexpr std::string_view of_values = "\"'[]{}=,\n";
    if (text.empty() || text.find_first_of(of_values) != text.npos)
        return schema.error("job.syntax", fmt::format("{}: '{}' is not a value in TOML", key, text), {});
    Node node;
    node.kind = Node::Kind::string;
    node.string = text;
    return node;
}

/// It has no place in the file.
void forget_places(Node& node) {
    node.position = {};
    node.literal = false;
    for (Node& item : node.items) forget_places(item);
    for (auto& member : node.members) {
        member.position = {};
        forget_places(member.value);
    }
}

}  // namespace

Result<void> change_keys(Node& root, const std::map<std::string, std::string>& keys, const SchemaReader& schema) {
    for (const auto& [key, text] : keys) {
        Node* node = &root;
        for (std::string_view rest = key; !rest.empty();) {
            const auto end = rest.find('.');
            const auto part = part_of(*node, rest.substr(0, end), key, schema);
            if (!part) return tl::make_unexpected(part.error());
            node = *part;
            rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        }
        if (node == &root) return schema.error("job.value", "a key to change has no name", {});
        auto value = value_of(key, text, schema);
        if (!value) return tl::make_unexpected(std::move(value.error()));
        forget_places(*value);
        *node = std::move(*value);
    }
    return {};
}

}  // namespace tessera::program

namespace tessera {

std::optional<std::int64_t> parse_job_number(std::string_view text) {
    if (const auto format = parse_data_format(text)) return static_cast<std::int64_t>(hardware_format(*format));
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const auto magnitude = parse_number(text);
    const std::uint64_t most = std::uint64_t{1} << 63;
    if (!magnitude || *magnitude > most - !negative) return std::nullopt;
    return static_cast<std::int64_t>(negative ? 0 - *magnitude : *magnitude);
}

}  // namespace tessera

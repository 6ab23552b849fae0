// SPDX-License-Identifier: Apache-2.0
#include "program/documents/schema_reader.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "tessera/similar_name.hpp"

namespace tessera::program {

namespace {

std::string digits_of(const Node& integer) {
    if (integer.kind == Node::Kind::large_integer) return integer.string;
    return fmt::format("{}{}", integer.negative ? "-" : "", integer.integer);
}

}  // namespace

tl::unexpected<Error> SchemaReader::error(std::string code, std::string message, Position position) const {
    return fail(std::move(code), std::move(message), file_, position.line, position.column);
}

Result<void> SchemaReader::check_keys(const Node& node, std::string_view what,
                                      std::span<const std::string_view> keys) const {
    if (node.kind != Node::Kind::table)
        return error("job.type", fmt::format("{} must be a table", what), node.position);
    for (const auto& member : node.members)
        if (std::find(keys.begin(), keys.end(), member.key) == keys.end())
            return error("job.unknown-key",
                         fmt::format("{} has no key '{}'{}", what, member.key, suggestion(member.key, keys)),
                         member.position);
    return {};
}

Result<const Node*> SchemaReader::required(const Node& table, std::string_view what, std::string_view key) const {
    if (const auto* member = table.find(key)) return &member->value;
    return error("job.missing-key", fmt::format("{} needs the key '{}'", what, key), table.position);
}

Result<std::uint64_t> SchemaReader::integer(const Node& node, std::string_view what, std::uint64_t max, std::uint64_t min) const {
    const bool large = node.kind == Node::Kind::large_integer;
    if (node.kind != Node::Kind::integer && !large)
        return error("job.type",
                     fmt::format("{} must be an integer{}", what, node.kind == Node::Kind::string ? ", not a text" : ""),
                     node.position);
    if (large || node.negative || node.integer > max || node.integer < min) return out_of_range(node, what, fmt::format("{} to {}", min, max));
    return node.integer;
}

Result<std::uint64_t> SchemaReader::address(const Node& node, std::string_view what, std::uint64_t max) const {
    auto value = integer(node, what, max);
    if (value || value.error().code != "job.range") return value;
    const std::string given = node.kind == Node::Kind::large_integer
                                  ? digits_of(node)
                                  : fmt::format("{}0x{:X}", node.negative ? "-" : "", node.integer);
    return error("job.range", fmt::format("{} is {}, and must be 0 to 0x{:X}", what, given, max), node.position);
}

Result<std::uint32_t> SchemaReader::word(const Node& node, std::string_view what) const {
    constexpr std::uint64_t most_negative = std::uint64_t{1} << 31, most = std::numeric_limits<std::uint32_t>::max();
    if (node.kind == Node::Kind::integer && node.negative && node.integer <= most_negative)
        return static_cast<std::uint32_t>(0 - node.integer);
    const auto value = integer(node, what, most);
    if (!value && value.error().code == "job.range") return out_of_range(node, what, fmt::format("-{} to {}", most_negative, most));
    return value.map([](std::uint64_t word) { return static_cast<std::uint32_t>(word); });
}

Result<bool> SchemaReader::boolean(const Node& node, std::string_view what) const {
    if (node.kind != Node::Kind::boolean)
        return error("job.type", fmt::format("{} must be true or false", what), node.position);
    return node.boolean;
}

Result<std::string_view> SchemaReader::string(const Node& node, std::string_view what) const {
    if (node.kind != Node::Kind::string)
        return error("job.type", fmt::format("{} must be a string", what), node.position);
    return node.string;
}

Result<std::string_view> SchemaReader::file_name(const Node& node, std::string_view what) const {
    auto name = string(node, what);
    if (name && name->empty())
        return error("job.value", fmt::format("{} is empty: give the path of a file", what), node.position);
    if (name && name->find('\0') != name->npos)
        return error("job.value", fmt::format("{} has a NUL byte (\\u0000), which no name of a file can have: leave it out", what), node.position);
    return name;
}

Result<std::span<const Node>> SchemaReader::array(const Node& node, std::string_view what) const {
    if (node.kind != Node::Kind::array)
        return error("job.type", fmt::format("{} must be an array", what), node.position);
    return node.items;
}

tl::unexpected<Error> SchemaReader::out_of_range(const Node& node, std::string_view what, std::string_view bounds) const {
    return error("job.range", fmt::format("{} is {}, and must be {}", what, digits_of(node), bounds), node.position);
}

tl::unexpected<Error> SchemaReader::unknown_choice(const Node& node, std::string_view what,
                                                   std::string_view known) const {
    return error("job.value", fmt::format("{} is '{}', and must be {}", what, node.string, known), node.position);
}

}  // namespace tessera::program

// SPDX-License-Identifier: Apache-2.0
// The common tree of TOML and JSON files: values with their places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::program {

struct Position {
    int line = 0;  ///< 0: unknown
    int column = 0;
};

struct Node {
    enum class Kind : std::uint8_t { boolean, integer, large_integer, string, array, table, other };

    struct Member;

    Kind kind = Kind::other;
    Position position;
    bool boolean = false;
    bool negative = false;  ///< the integer is negative; `integer` is its magnitude
    std::uint64_t integer = 0;
    std::string string;            ///< also the digits of a large_integer, which needs more than 64 bits
    bool literal = false;         ///< the string's characters are verbatim in the file after its opening quote
    std::vector<Node> items;      ///< of an array
    std::vector<Member> members;  ///< of a table

    const Member* find(std::string_view key) const;
};

struct Node::Member {
    std::string key;
    Position position;
    Node value;
};

inline Node make_large_integer(std::string_view digits) {
    Node node;
    node.kind = Node::Kind::large_integer;
    node.string = digits;
    return node;
}

/// Limit of nesting in files.
inline constexpr int max_node_depth = 64;

inline const Node::Member* Node::find(std::string_view key) const {
    for (const auto& member : members)
        if (member.key == key) return &member;
    return nullptr;
}

}  // namespace tessera::program

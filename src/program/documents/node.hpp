// SPDX-License-Identifier: Apache-2.0
// What TOML and JSON files come to: one tree of values that know where they stand.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::program {

struct Position {
    int line = 0;  ///< 0: unknown
    int column = 0;
};

struct Node {
    enum class Kind : std::uint8_t { boolean, integer, string, array, table, other };

    struct Member;

    Kind kind = Kind::other;
    Position position;
    bool boolean = false;
    bool negative = false;  ///< an integer below zero; `integer` is its magnitude
    std::uint64_t integer = 0;
    std::string string;
    bool literal = false;         ///< a string whose characters follow its opening quote one by one in the file
    std::vector<Node> items;      ///< of an array
    std::vector<Member> members;  ///< of a table

    const Member* find(std::string_view key) const;
};

struct Node::Member {
    std::string key;
    Position position;
    Node value;
};

/// How deep files may nest.
inline constexpr int max_node_depth = 64;

inline const Node::Member* Node::find(std::string_view key) const {
    for (const auto& member : members)
        if (member.key == key) return &member;
    return nullptr;
}

}  // namespace tessera::program

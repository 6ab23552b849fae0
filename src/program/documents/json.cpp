// SPDX-License-Identifier: Apache-2.0
#include "program/documents/json.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "program/documents/json_places.hpp"

namespace tessera::program {

namespace {

using nlohmann::json;

Error too_deep(const std::string& file, Position position) {
    return {"job.syntax", fmt::format("values nest deeper than {}", max_node_depth), file, position.line,
            position.column};
}

Node make_integer(std::int64_t value) {
    Node node;
    node.kind = Node::Kind::integer;
    node.negative = value < 0;
    node.integer = node.negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    return node;
}

Node make_integer(std::uint64_t value) {
    Node node;
    node.kind = Node::Kind::integer;
    node.integer = value;
    return node;
}

Node make_boolean(bool value) {
    Node node;
    node.kind = Node::Kind::boolean;
    node.boolean = value;
    return node;
}

Node make_string(std::string value) {
    Node node;
    node.kind = Node::Kind::string;
    node.string = std::move(value);
    return node;
}

/// Builds the tree from the parser's events, which arrive in the order of `places`.
class TreeBuilder : public nlohmann::json_sax<json> {
public:
    TreeBuilder(std::string_view text, const std::string& file)
        : text_(text), file_(file), places_(json_places(text)) {}

    bool null() override { return add(Node{}); }
    bool boolean(bool value) override { return add(make_boolean(value)); }
    bool number_integer(number_integer_t value) override { return add(make_integer(std::int64_t{value})); }
    bool number_unsigned(number_unsigned_t value) override { return add(make_integer(std::uint64_t{value})); }
    /// The parser makes floats of integers beyond 64 bits.
    bool number_float(number_float_t, const string_t& text) override {
        return add(text.find_first_of(".eE") == text.npos ? make_large_integer(text) : Node{});
    }
    bool binary(binary_t&) override { return false; }

    bool string(string_t& value) override {
        constexpr std::size_t quotes = 2;
        const bool literal = next_ < places_.size() && places_[next_].length == value.size() + quotes;
        Node node = make_string(std::move(value));
        node.literal = literal;
        return add(std::move(node));
    }

    bool start_object(std::size_t) override { return open(Node::Kind::table); }
    bool start_array(std::size_t) override { return open(Node::Kind::array); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& value) override {
        const auto position = take_position();
        auto& table = *open_.back();
        if (table.find(value)) {
            error_ =
                Error{"job.syntax", fmt::format("'{}' is given twice", value), file_, position.line, position.column};
            return false;
        }
        if (table.members.size() == max_members) {
            error_ = Error{"job.syntax", fmt::format("an object has more than {} keys", max_members), file_,
                           position.line, position.column};
            return false;
        }
        table.members.push_back({std::move(value), position, {}});
        return true;
    }

    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& problem) override {
        const auto position = position_at(text_, byte - 1);
        error_ = Error{"job.syntax", std::string(cause_in(problem.what())), file_, position.line, position.column};
        return false;
    }

    Result<Node> result() {
        if (error_) return tl::make_unexpected(std::move(*error_));
        return std::move(root_);
    }

private:
    /// Bound for linear searches in objects; no schema has nearly as many keys.
    static constexpr std::size_t max_members = 1000;

    Position take_position() { return next_ < places_.size() ? places_[next_++].position : Position{}; }

    /// The place for the next value.
    Node& slot() {
        if (open_.empty()) return root_;
        auto& parent = *open_.back();
        if (parent.kind == Node::Kind::table) return parent.members.back().value;
        return parent.items.emplace_back();
    }

    bool add(Node node) {
        node.position = take_position();
        slot() = std::move(node);
        return true;
    }

    bool open(Node::Kind kind) {
        const auto position = take_position();
        if (open_.size() == static_cast<std::size_t>(max_node_depth)) {
            error_ = too_deep(file_, position);
            return false;
        }
        Node& node = slot();
        node.kind = kind;
        node.position = position;
        // A parent does not grow while a child is open, so pointers stay valid.
        open_.push_back(&node);
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    std::string_view text_;
    const std::string& file_;
    std::vector<JsonPlace> places_;
    std::size_t next_ = 0;
    Node root_;
    std::vector<Node*> open_;
    std::optional<Error> error_;
};

Result<Node> convert(const json& value, const std::string& file, int depth) {
    if (depth > max_node_depth) return tl::make_unexpected(too_deep(file, {}));
    switch (value.type()) {
        case json::value_t::boolean: return make_boolean(value.get<bool>());
        case json::value_t::number_integer: return make_integer(value.get<std::int64_t>());
        case json::value_t::number_unsigned: return make_integer(value.get<std::uint64_t>());
        case json::value_t::string: return make_string(value.get<std::string>());
        case json::value_t::array:
        case json::value_t::object: break;
        default: return Node{};
    }
    Node node;
    node.kind = value.is_array() ? Node::Kind::array : Node::Kind::table;
    for (const auto& [key, child] : value.items()) {
        auto converted = convert(child, file, depth + 1);
        if (!converted) return converted;
        if (value.is_array())
            node.items.push_back(std::move(*converted));
        else
            node.members.push_back({key, {}, std::move(*converted)});
    }
    return node;
}

}  // namespace

Result<Node> parse_json(std::string_view text, const std::string& file) {
    try {
        TreeBuilder builder(text, file);
        json::sax_parse(text, &builder);
        return builder.result();
    } catch (const std::exception& error) {
        return fail("job.syntax", error.what(), file);
    }
}

Result<Node> to_node(const nlohmann::json& value, const std::string& file) { return convert(value, file, 1); }

}  // namespace tessera::program

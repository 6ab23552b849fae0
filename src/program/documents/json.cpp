// SPDX-License-Identifier: Apache-2.0
#include "program/documents/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "program/documents/json_places.hpp"

namespace tessera::program {

namespace {

using nlohmann::json;

/// The text with a substitute for what is not UTF-8: the parser quotes what it has read, which may end within a character.
std::string whole_characters(std::string_view text) {
    return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

std::string too_deep() { return fmt::format("values nest deeper than {}", max_node_depth); }

template <class Integer>
Node make_integer(Integer value) {
    Node node;
    node.kind = Node::Kind::integer;
    node.negative = value < 0;
    node.integer = node.negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
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

/// A value that is neither an array nor an object.
Node scalar(const json& value) {
    switch (value.type()) {
        case json::value_t::boolean: return make_boolean(value.get<bool>());
        case json::value_t::number_integer: return make_integer(value.get<std::int64_t>());
        case json::value_t::number_unsigned: return make_integer(value.get<std::uint64_t>());
        case json::value_t::string: return make_string(value.get<std::string>());
        default: return Node{};
    }
}

/// Takes the parser's events and refuses what the parser lets pass: a key that an object has twice, and deep nesting. Derived
/// classes build a tree. Each function returns whether to go on.
class Events : public nlohmann::json_sax<json> {
public:
    explicit Events(std::string_view text) : text_(text) {}

    bool null() final { return next(nullptr, {}); }
    bool boolean(bool value) final { return next(value, {}); }
    bool number_integer(number_integer_t value) final { return next(value, {}); }
    bool number_unsigned(number_unsigned_t value) final { return next(value, {}); }
    bool number_float(number_float_t value, const string_t& written) final { return next(value, written); }
    bool string(string_t& value) final { return next(std::move(value), {}); }
    bool binary(binary_t&) final { return false; }
    bool start_object(std::size_t) final { return enter(json::value_t::object); }
    bool start_array(std::size_t) final { return enter(json::value_t::array); }
    bool end_object() final { return leave(); }
    bool end_array() final { return leave(); }

    bool key(string_t& value) final {
        ++count_;
        keys_.back() = value;
        return add_key(value);
    }

    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& problem) final {
        mistake_ = {whole_characters(cause_in(problem.what())), position_at(text_, byte - 1)};
        return false;
    }

    std::optional<JsonMistake>& mistake() { return mistake_; }

protected:
    virtual bool add_key(const std::string& key) = 0;
    /// `written`: the text of a number that the parser makes a float.
    virtual void add(json value, std::string_view written) = 0;
    virtual void open(json::value_t kind) = 0;
    virtual void close() = 0;

    /// Keys and values up to the present one: it is number count() - 1 of json_places().
    std::size_t count() const { return count_; }

    bool refuse(std::string why, bool key_twice = false) {
        const auto places = json_places(text_);
        mistake_ = {std::move(why), count_ <= places.size() ? places[count_ - 1].position : Position{}, key_twice};
        return false;
    }

    bool refuse_twice(std::string_view key) {
        keys_.pop_back();
        std::string place;
        for (const auto& around : keys_)
            if (!around.empty()) place += (place.empty() ? "" : ".") + around;
        return refuse(fmt::format("{} has the key '{}' twice", place.empty() ? "the text" : place, key), true);
    }

private:
    bool next(json value, std::string_view written) {
        ++count_;
        add(std::move(value), written);
        return true;
    }

    bool enter(json::value_t kind) {
        ++count_;
        if (keys_.size() == static_cast<std::size_t>(max_node_depth)) return refuse(too_deep());
        keys_.emplace_back();
        open(kind);
        return true;
    }

    bool leave() {
        keys_.pop_back();
        close();
        return true;
    }

    std::string_view text_;
    std::size_t count_ = 0;
    std::vector<std::string> keys_;  ///< the present key of each object around the place; empty for an array
    std::optional<JsonMistake> mistake_;
};

class NodeTree final : public Events {
public:
    explicit NodeTree(std::string_view text) : Events(text), places_(json_places(text)) {}

    Node& root() { return root_; }

private:
    /// Bound for linear searches in objects; no schema has nearly as many keys.
    static constexpr std::size_t max_members = 1000;

    JsonPlace place() const { return count() <= places_.size() ? places_[count() - 1] : JsonPlace{}; }

    /// The place for the next value.
    Node& slot() {
        if (open_.empty()) return root_;
        auto& parent = *open_.back();
        if (parent.kind == Node::Kind::table) return parent.members.back().value;
        return parent.items.emplace_back();
    }

    bool add_key(const std::string& key) override {
        auto& table = *open_.back();
        if (table.find(key)) return refuse_twice(key);
        if (table.members.size() == max_members) return refuse(fmt::format("an object has more than {} keys", max_members));
        table.members.push_back({key, place().position, {}});
        return true;
    }

    void add(json value, std::string_view written) override {
        constexpr std::size_t quotes = 2;
        // The parser makes floats of integers beyond 64 bits.
        const bool large = value.is_number_float() && written.find_first_of(".eE") == written.npos;
        Node node = large ? make_large_integer(written) : scalar(value);
        node.position = place().position;
        node.literal = node.kind == Node::Kind::string && place().length == node.string.size() + quotes;
        slot() = std::move(node);
    }

    void open(json::value_t kind) override {
        Node& node = slot();
        node.kind = kind == json::value_t::array ? Node::Kind::array : Node::Kind::table;
        node.position = place().position;
        // A parent does not grow while a child is open, so pointers stay valid.
        open_.push_back(&node);
    }

    void close() override { open_.pop_back(); }

    std::vector<JsonPlace> places_;
    Node root_;
    std::vector<Node*> open_;
};

/// Values as nlohmann's own parser keeps them, which takes quadratic time where it also reports its events.
class JsonTree final : public Events {
public:
    using Events::Events;

    json& root() { return root_; }

private:
    json& slot() {
        if (open_.empty()) return root_;
        return open_.back()->is_array() ? open_.back()->emplace_back() : *of_key_;
    }

    bool add_key(const std::string& key) override {
        const auto [member, is_new] = open_.back()->emplace(key, nullptr);
        of_key_ = &*member;
        return is_new || refuse_twice(key);
    }

    void add(json value, std::string_view) override { slot() = std::move(value); }

    void open(json::value_t kind) override {
        json& value = slot();
        value = json(kind);
        // A parent does not grow while a child is open, so pointers stay valid.
        open_.push_back(&value);
    }

    void close() override { open_.pop_back(); }

    json root_;
    std::vector<json*> open_;
    json* of_key_ = nullptr;  ///< the value of the last key
};

/// Feeds a text to the events of a tree.
std::optional<JsonMistake> read(std::string_view text, Events& events) {
    // The parser takes a NUL byte for the end of the text.
    if (const auto at = text.find('\0'); at != text.npos)
        return JsonMistake{"the text has a NUL byte, which JSON does not allow: leave it out, or write \\u0000 in a string",
                           position_at(text, at)};
    try {
        json::sax_parse(text, &events);
        return std::move(events.mistake());
    } catch (const std::exception& error) {
        return JsonMistake{error.what(), {}};
    }
}

Result<Node> convert(const json& value, const std::string& file, int depth) {
    if (depth > max_node_depth) return fail("job.syntax", too_deep(), file);
    if (!value.is_structured()) return scalar(value);
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
    NodeTree tree(text);
    if (auto mistake = read(text, tree))
        return fail("job.syntax", std::move(mistake->message), file, mistake->position.line, mistake->position.column);
    return std::move(tree.root());
}

tl::expected<json, JsonMistake> read_json(std::string_view text) {
    JsonTree tree(text);
    if (auto mistake = read(text, tree)) return tl::make_unexpected(std::move(*mistake));
    return std::move(tree.root());
}

Result<Node> to_node(const nlohmann::json& value, const std::string& file) { return convert(value, file, 1); }

}  // namespace tessera::program

// SPDX-License-Identifier: Apache-2.0
#include "check/json_value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "program/documents/json.hpp"
#include "tessera/number.hpp"
#include "tessera/similar_name.hpp"
#include "util/hex.hpp"

namespace tessera::check {

namespace {

using nlohmann::json;

/// A value as messages show it.
std::string shown(const json& value) {
    constexpr std::size_t most = 40;
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    if (!value.is_string()) return value.dump();
    const auto& text = value.get_ref<const std::string&>();
    return text.size() > most ? "a text" : fmt::format("'{}'", text);
}

Refused refused(const char* code, std::string message, program::Position at = {}) {
    return {fail(code, std::move(message), {}, at.line, at.column).value()};
}

}  // namespace

json parse_json(std::string_view text, JsonCodes codes, std::string_view what) {
    auto parsed = program::read_json(text);
    if (parsed) return std::move(*parsed);
    const auto& [message, at, key_twice] = parsed.error();
    if (key_twice) throw refused(codes.value, message, at);
    throw refused(codes.form, fmt::format("{}: {}", what, message), at);
}

void JsonValue::refuse(std::string_view why, const char* code) const {
    throw refused(code ? code : codes_.value, fmt::format("{} {}", place_.empty() ? "the text" : place_, why));
}

void JsonValue::refuse_form(std::string_view needed) const {
    refuse(fmt::format("is {}, and must be {}", shown(*json_), needed), codes_.form);
}

void JsonValue::expect_object() const {
    if (!json_->is_object()) refuse_form("an object");
}

JsonValue JsonValue::child(const json& json, std::string_view key) const {
    return {json, fmt::format("{}{}{}", place_, place_.empty() ? "" : ".", key), codes_};
}

JsonValue JsonValue::at(std::string_view key) const {
    if (auto value = find(key)) return *value;
    refuse(fmt::format("needs the key '{}'", key), codes_.form);
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
    expect_object();
    const auto it = json_->find(key);
    if (it == json_->end()) return std::nullopt;
    return child(*it, key);
}

void JsonValue::expect_keys(std::span<const std::string_view> keys) const {
    expect_object();
    for (const auto& [key, value] : json_->items())
        if (std::ranges::find(keys, key) == keys.end())
            refuse(fmt::format("has no key '{}'{}: its keys are {}", key, suggestion(key, keys),
                               fmt::join(keys, ", ")));
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
    expect_object();
    std::vector<std::pair<std::string, JsonValue>> values;
    for (const auto& [key, value] : json_->items()) values.emplace_back(key, child(value, key));
    return values;
}

std::vector<std::pair<std::size_t, JsonValue>> JsonValue::numbered(std::size_t count) const {
    std::vector<std::pair<std::size_t, JsonValue>> values;
    for (auto& [key, value] : members()) {
        const auto number = parse_number(key);
        if (!number || *number >= count) refuse(fmt::format("has no number '{}': they are 0 to {}", key, count - 1));
        // Two spellings of a number would be two values for one place.
        if (std::to_string(*number) != key) refuse(fmt::format("has the number '{}': write it as '{}'", key, *number));
        values.emplace_back(*number, std::move(value));
    }
    return values;
}

std::vector<JsonValue> JsonValue::list() const {
    if (!json_->is_array()) refuse_form("a list");
    std::vector<JsonValue> values;
    for (const json& one : *json_) values.emplace_back(one, fmt::format("{}[{}]", place_, values.size()), codes_);
    return values;
}

std::vector<JsonValue> JsonValue::list(std::size_t count) const {
    auto values = list();
    if (values.size() != count) refuse(fmt::format("has the length {}, and must have {}", values.size(), count));
    return values;
}

std::uint64_t JsonValue::number(std::uint64_t least, std::uint64_t most) const {
    if (!json_->is_number_unsigned() || json_->get<std::uint64_t>() < least || json_->get<std::uint64_t>() > most)
        refuse(fmt::format("is {}, and must be a whole number, {} to {}", shown(*json_), least, most));
    return json_->get<std::uint64_t>();
}

const std::string& JsonValue::text() const {
    if (!json_->is_string()) refuse_form("a text");
    return json_->get_ref<const std::string&>();
}

bool JsonValue::boolean() const {
    if (!json_->is_boolean()) refuse_form("true or false");
    return json_->get<bool>();
}

std::vector<std::byte> JsonValue::bytes() const {
    constexpr const char* code = "case.hex";
    const std::string& digits = text();
    if (digits.size() % 2) refuse("has an odd number of hexadecimal digits", code);
    if (auto bytes = util::from_hex<std::byte>(digits)) return std::move(*bytes);
    const std::size_t wrong = digits.find_first_not_of("0123456789abcdefABCDEF");
    refuse(fmt::format("has '{}', which is not hexadecimal", digits.substr(wrong / 2 * 2, 2)), code);
}

}  // namespace tessera::check

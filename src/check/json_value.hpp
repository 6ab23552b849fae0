// SPDX-License-Identifier: Apache-2.0
// Reads JSON of which nothing may be lost: a value is what its place needs, or it is refused by the name of that place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::check {

/// Thrown where a text is refused. The reader of the text catches it and adds the file.
struct Refused {
    Error error;
};

/// The codes of errors: of another form (no JSON, a key that is missing, a list in place of a text), and of a wrong value.
struct JsonCodes {
    const char *form, *value;
};

/// Throws Refused, with line and column, for a text that is not JSON, with a message that begins with `what`, and for an object that
/// has a key twice.
nlohmann::json parse_json(std::string_view text, JsonCodes codes, std::string_view what);

/// A value of a JSON text with its place: "expect.rwc[0].dst". Each function throws Refused unless the value is what it names.
/// The root must outlive all values.
class JsonValue {
public:
    JsonValue(const nlohmann::json& json, std::string place, JsonCodes codes)
        : json_(&json), place_(std::move(place)), codes_(codes) {}

    /// The value of a key of an object.
    JsonValue at(std::string_view key) const;
    /// The same; empty if the object has no such key.
    std::optional<JsonValue> find(std::string_view key) const;
    /// An object has no other keys than these.
    void expect_keys(std::span<const std::string_view> keys) const;
    void expect_keys(std::initializer_list<std::string_view> keys) const { expect_keys(std::span(keys.begin(), keys.size())); }
    /// The values of an object with their keys.
    std::vector<std::pair<std::string, JsonValue>> members() const;
    /// The values of an object whose keys are numbers below `count`, written like "0" and "17".
    std::vector<std::pair<std::size_t, JsonValue>> numbered(std::size_t count) const;

    /// The values of a list.
    std::vector<JsonValue> list() const;
    /// The values of a list of `count`.
    std::vector<JsonValue> list(std::size_t count) const;

    std::uint64_t number(std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
    /// A number that a T holds.
    template <class T>
    T as() const {
        return static_cast<T>(number(0, std::numeric_limits<T>::max()));
    }
    const std::string& text() const;
    bool boolean() const;
    /// Hexadecimal digits, two for a byte. Refused with "case.hex" for others.
    std::vector<std::byte> bytes() const;

    /// Throws "PLACE WHY". No code: that of a wrong value.
    [[noreturn]] void refuse(std::string_view why, const char* code = nullptr) const;

    const nlohmann::json& raw() const { return *json_; }

private:
    [[noreturn]] void refuse_form(std::string_view needed) const;
    void expect_object() const;
    JsonValue child(const nlohmann::json& json, std::string_view key) const;

    const nlohmann::json* json_;
    std::string place_;
    JsonCodes codes_;
};

}  // namespace tessera::check

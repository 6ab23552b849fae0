// SPDX-License-Identifier: Apache-2.0
// How a page's data are packed: columns of numbers and streams of bytes, compressed, as base64; texts once each.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "viewer/go_on.hpp"

namespace tessera::viewer {

using Json = nlohmann::ordered_json;

std::string base64(std::string_view bytes);

/// {"type", "data"}: bytes as zlib and base64 have them, and what they are.
Json packed(std::string_view type, std::string_view bytes, const GoOn& go_on);

/// Data as text. It may hold what is no UTF-8, such as a name in a job.
std::string text_of(const Json& data, const GoOn& go_on);

/// Bytes, least significant first.
class ByteStream {
public:
    template <std::unsigned_integral T>
    void number(T value, unsigned bytes = sizeof(T)) {
        for (unsigned i = 0; i < bytes; ++i) data_.push_back(static_cast<char>(value >> 8 * i & 0xFF));
    }
    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) data_.push_back(static_cast<char>(value | 0x80));
        data_.push_back(static_cast<char>(value));
    }
    std::size_t size() const { return data_.size(); }
    std::string_view bytes() const { return data_; }
    Json json(const GoOn& go_on) const { return packed("u8", data_, go_on); }

private:
    std::string data_;
};

/// A column of a table: the same number of each row. The page gets its type with it.
template <class T>
class Column {
public:
    void add(T value) { values_.push_back(value); }
    T& operator[](std::size_t row) { return values_[row]; }
    T operator[](std::size_t row) const { return values_[row]; }
    std::size_t size() const { return values_.size(); }

    Json json(const GoOn& go_on) const {
        ByteStream bytes;
        for (const T value : values_) {
            if constexpr (std::same_as<T, double>)
                bytes.number(std::bit_cast<std::uint64_t>(value));
            else
                bytes.number(static_cast<std::make_unsigned_t<T>>(value));
        }
        return packed(type(), bytes.bytes(), go_on);
    }

private:
    static constexpr std::string_view type() {
        if constexpr (std::same_as<T, double>) return "f64";
        if constexpr (std::same_as<T, std::uint8_t>) return "u8";
        if constexpr (std::same_as<T, std::int8_t>) return "i8";
        if constexpr (std::same_as<T, std::int32_t>) return "i32";
        if constexpr (std::same_as<T, std::uint32_t>) return "u32";
    }
    std::vector<T> values_;
};

/// Texts by number, each once; 0 is the empty text.
class Texts {
public:
    Texts() { number(""); }
    std::uint32_t number(std::string_view text) {
        const auto [at, added] = numbers_.emplace(text, static_cast<std::uint32_t>(all_.size()));
        if (added) all_.emplace_back(text);
        return at->second;
    }
    const std::string& text(std::uint32_t number) const { return all_[number]; }
    const std::vector<std::string>& all() const { return all_; }

private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::string> all_;
};

}  // namespace tessera::viewer

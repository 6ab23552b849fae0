// SPDX-License-Identifier: Apache-2.0
// How a page's data are packed: columns of numbers and streams of bytes, compressed in blocks, as base64; texts once each.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "viewer/go_on.hpp"

namespace tessera::viewer {

using Json = nlohmann::ordered_json;

std::string base64(std::string_view bytes);

/// Compresses parts of a page, which its data name by their numbers.
class Packer {
public:
    explicit Packer(const GoOn& go_on) : go_on_(go_on) {}

    /// {"type", `coding`: number of the block, "size": of the bytes}.
    Json pack(std::string_view type, std::string_view coding, std::string_view bytes);
    /// {"json": number of the block, "size"}: data that the page reads when it is asked for them.
    Json pack_json(const Json& data);
    /// The number of a block of bytes. Does not check for an interrupt, since observers of a run must not.
    std::size_t pack_bytes(std::string_view bytes);

    const GoOn& go_on() const { return go_on_; }
    /// As base64, by number.
    const std::vector<std::string>& blocks() const { return blocks_; }

private:
    std::size_t add(std::string_view bytes, const GoOn* go_on);

    const GoOn& go_on_;
    std::vector<std::string> blocks_;
};

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
    void clear() { data_.clear(); }
    Json json(Packer& packer) const { return packer.pack("u8", "bytes", data_); }

private:
    std::string data_;
};

/// Signed numbers of small magnitude as small unsigned ones: 0, -1, 1, -2, …
constexpr std::uint64_t zigzag(std::int64_t value) {
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

/// A column of a table: the same number of each row, an integer below 2^53. The page gets its type with it.
template <class T>
class Column {
public:
    void add(T value) { values_.push_back(value); }
    T& operator[](std::size_t row) { return values_[row]; }
    T operator[](std::size_t row) const { return values_[row]; }
    std::size_t size() const { return values_.size(); }

    /// Differences from row to row, which are small or repeat: zigzag varints.
    Json json(Packer& packer) const {
        ByteStream bytes;
        std::int64_t last = 0;
        for (const T value : values_) {
            const auto now = static_cast<std::int64_t>(value);
            bytes.varint(zigzag(now - last));
            last = now;
        }
        Json all = packer.pack(type(), "deltas", bytes.bytes());
        all["count"] = values_.size();
        return all;
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
        if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
        all_.emplace_back(text);
        return numbers_.emplace(text, static_cast<std::uint32_t>(all_.size() - 1)).first->second;
    }
    const std::string& text(std::uint32_t number) const { return all_[number]; }
    const std::vector<std::string>& all() const { return all_; }

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;  // looks up without making a string
    };
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
    std::vector<std::string> all_;
};

}  // namespace tessera::viewer

// SPDX-License-Identifier: Apache-2.0
// Serialises values. members.hpp passes every member of a value to an archive, in one order for all archives.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/run.hpp"

namespace tessera::python {

/// The FNV-1a hash.
constexpr std::uint64_t digest(std::string_view bytes) {
    std::uint64_t sum = 0xCBF29CE484222325;
    for (const char byte : bytes) sum = (sum ^ static_cast<std::uint8_t>(byte)) * 0x100000001B3;
    return sum;
}

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class K, class V>
inline constexpr bool is_map<std::map<K, V>> = true;

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;

/// `has(value)`: true if a value read back is an enumerator. Specialised next to the members.
template <class E>
struct Enumeration;

/// The library's own text for a kind of wait; empty if unknown. These are the only texts that values refer to.
inline std::string_view wait_kind(std::string_view text) {
    const auto kinds = wait_kinds();
    const auto found = std::find(kinds.begin(), kinds.end(), text);
    return found == kinds.end() ? std::string_view() : *found;
}

class ArchiveWriter {
public:
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    std::string take() { return std::move(bytes_); }

private:
    template <class T>
    void put(const T& value) {
        if constexpr (Number<T>) {
            append(&value, sizeof value);
        } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::vector<std::byte>>) {
            put(value.size());
            append(value.data(), value.size());
        } else if constexpr (std::is_same_v<T, std::string_view>) {
            put(std::string(value));
        } else if constexpr (is_optional<T>) {
            put(value.has_value());
            if (value) put(*value);
        } else if constexpr (is_vector<T>) {
            put(value.size());
            for (const auto& one : value) put(one);
        } else if constexpr (is_array<T>) {
            for (const auto& one : value) put(one);
        } else if constexpr (is_map<T>) {
            put(value.size());
            for (const auto& [key, one] : value) {
                put(key);
                put(one);
            }
        } else if constexpr (is_tuple<T>) {
            std::apply(*this, value);
        } else {
            members(*this, const_cast<T&>(value));
        }
    }
    void append(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

    std::string bytes_;
};

/// Reads a writer's bytes. Other bytes are rejected, and never read past the end.
class ArchiveReader {
public:
    explicit ArchiveReader(std::string_view bytes) : rest_(bytes) {}

    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }
    /// True if all bytes were present and none are left.
    bool complete() const { return good_ && rest_.empty(); }

private:
    template <class T>
    void get(T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t byte = 0;
            get(byte);
            good_ &= byte <= 1;
            value = byte == 1;
        } else if constexpr (std::is_enum_v<T>) {
            std::underlying_type_t<T> number{};
            get(number);
            good_ = good_ && Enumeration<T>::has(static_cast<T>(number));
            if (good_) value = static_cast<T>(number);
        } else if constexpr (Number<T>) {
            if (const auto from = take(sizeof value); !from.empty()) std::memcpy(&value, from.data(), sizeof value);
        } else if constexpr (std::is_same_v<T, std::string>) {
            value = take(size());
        } else if constexpr (std::is_same_v<T, std::string_view>) {
            value = wait_kind(take(size()));
            good_ &= !value.empty();
        } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
            const auto from = take(size());
            const auto* const first = reinterpret_cast<const std::byte*>(from.data());
            value.assign(first, first + from.size());
        } else if constexpr (is_optional<T>) {
            bool there = false;
            get(there);
            // With an argument: clang 14 finds nested types with initialisers of members not constructible from nothing.
            if (there) get(value.emplace(typename T::value_type{}));
        } else if constexpr (is_vector<T>) {
            value.clear();
            for (std::size_t n = size(); n > 0 && good_; --n) get(value.emplace_back());
        } else if constexpr (is_array<T>) {
            for (auto& one : value) get(one);
        } else if constexpr (is_map<T>) {
            value.clear();
            for (std::size_t n = size(); n > 0 && good_; --n) {
                typename T::key_type key{};
                get(key);
                get(value[key]);
            }
        } else if constexpr (is_tuple<T>) {
            std::apply(*this, value);
        } else {
            members(*this, value);
        }
    }
    /// Number of elements that follow; each takes at least one byte.
    std::size_t size() {
        std::size_t n = 0;
        get(n);
        good_ &= n <= rest_.size();
        return good_ ? n : 0;
    }
    std::string_view take(std::size_t n) {
        good_ &= n <= rest_.size();
        if (!good_) return {};
        const auto taken = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return taken;
    }

    std::string_view rest_;
    bool good_ = true;
};

/// The members of a type as text; it changes when a member is added, removed or retyped.
class ArchiveForm {
public:
    template <class... T>
    void operator()(T&... values) {
        (report(values), ...);
    }
    const std::string& text() const { return text_; }

private:
    template <class T>
    void report(T& value) {
        if constexpr (Number<T>) {
            text_ += static_cast<char>('0' + sizeof value);
        } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view> ||
                             std::is_same_v<T, std::vector<std::byte>>) {
            text_ += 's';
        } else if constexpr (is_optional<T> || is_vector<T>) {
            text_ += is_vector<T> ? '*' : '?';
            typename T::value_type one{};
            report(one);
        } else if constexpr (is_array<T>) {
            for (auto& one : value) report(one);
        } else if constexpr (is_map<T>) {
            text_ += ':';
            typename T::key_type key{};
            typename T::mapped_type one{};
            (*this)(key, one);
        } else if constexpr (is_tuple<T>) {
            std::apply(*this, value);
        } else {
            text_ += '(';
            members(*this, value);
            text_ += ')';
        }
    }

    std::string text_;
};

}  // namespace tessera::python

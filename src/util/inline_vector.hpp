// SPDX-License-Identifier: Apache-2.0
// A vector of at most N trivial elements that never allocates. Unused elements are neither initialised nor copied: each
// instruction makes and copies plans, which contain several such vectors.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace tessera {

template <class T, std::size_t N>
class InlineVector {
    static_assert(N < 256 && std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    static constexpr std::size_t capacity = N;

    InlineVector() {}
    InlineVector(const InlineVector& other) : size_(other.size_) {
        std::uninitialized_copy(other.begin(), other.end(), items_);
    }
    InlineVector& operator=(const InlineVector& other) {
        if (this == &other) return *this;
        size_ = other.size_;
        std::uninitialized_copy(other.begin(), other.end(), items_);
        return *this;
    }

    void push_back(const T& value) {
        assert(size_ < N);
        std::construct_at(&items_[size_++], value);
    }
    void clear() { size_ = 0; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    bool full() const { return size_ == N; }
    const T* begin() const { return items_; }
    const T* end() const { return items_ + size_; }
    T* begin() { return items_; }
    T* end() { return items_ + size_; }
    const T& operator[](std::size_t i) const { return items_[i]; }
    T& operator[](std::size_t i) { return items_[i]; }
    friend bool operator==(const InlineVector& a, const InlineVector& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    std::uint8_t size_ = 0;  ///< placed first, next to the first items
    union {
        T items_[N];
    };
};

}  // namespace tessera

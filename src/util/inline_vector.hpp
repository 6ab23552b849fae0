// SPDX-License-Identifier: Apache-2.0
// A vector of at most N trivial elements that never allocates.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace tessera {

template <class T, std::size_t N>
class InlineVector {
public:
    constexpr void push_back(const T& value) {
        assert(size_ < N);
        items_[size_++] = value;
    }
    constexpr void clear() { size_ = 0; }
    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr bool full() const { return size_ == N; }
    constexpr const T* begin() const { return items_.data(); }
    constexpr const T* end() const { return items_.data() + size_; }
    constexpr T* begin() { return items_.data(); }
    constexpr T* end() { return items_.data() + size_; }
    constexpr const T& operator[](std::size_t i) const { return items_[i]; }
    constexpr T& operator[](std::size_t i) { return items_[i]; }
    friend constexpr bool operator==(const InlineVector& a, const InlineVector& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    std::array<T, N> items_{};
    std::uint8_t size_ = 0;
    static_assert(N < 256);
};

}  // namespace tessera

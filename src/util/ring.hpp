// SPDX-License-Identifier: Apache-2.0
// A queue in one block of memory that grows when full. Unlike std::deque, it allocates nothing while empty or large
// enough.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace tessera {

template <class T>
class Ring {
public:
    class const_iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T*;
        using reference = const T&;

        const_iterator() = default;
        reference operator*() const { return (*ring_)[at_]; }
        pointer operator->() const { return &**this; }
        const_iterator& operator++() {
            ++at_;
            return *this;
        }
        const_iterator operator++(int) { return std::exchange(*this, {ring_, at_ + 1}); }
        friend bool operator==(const const_iterator&, const const_iterator&) = default;

    private:
        friend class Ring;
        const_iterator(const Ring* ring, std::size_t at) : ring_(ring), at_(at) {}
        const Ring* ring_ = nullptr;
        std::size_t at_ = 0;
    };

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const T& operator[](std::size_t i) const { return slots_[place(i)]; }
    T& operator[](std::size_t i) { return slots_[place(i)]; }
    const T& front() const { return slots_[first_]; }
    T& front() { return slots_[first_]; }
    const T& back() const { return slots_[place(size_ - 1)]; }
    const_iterator begin() const { return {this, 0}; }
    const_iterator end() const { return {this, size_}; }

    void push_back(const T& value) { add() = value; }
    /// Appends an element with an unspecified value.
    T& add() {
        make_room(1);
        return slots_[place(size_++)];
    }
    /// Appends `count` elements; `make` fills each.
    template <class Make>
    void add(std::size_t count, Make make) {
        make_room(count);
        T* const slots = slots_.data();
        const std::size_t mask = mask_, first = first_ + size_;
        for (std::size_t i = 0; i < count; ++i) make(slots[(first + i) & mask]);
        size_ += count;
    }
    void pop_front(std::size_t count = 1) {
        first_ = place(count);
        size_ -= count;
    }
    void pop_back() { --size_; }

private:
    // The capacity is a power of two.
    std::size_t place(std::size_t i) const { return (first_ + i) & mask_; }
    void make_room(std::size_t count) {
        if (size_ + count > slots_.size()) grow(size_ + count);
    }
    void grow(std::size_t wanted) {
        std::vector<T> more(std::bit_ceil(std::max<std::size_t>(8, wanted)));
        for (std::size_t i = 0; i < size_; ++i) more[i] = std::move(slots_[place(i)]);
        slots_ = std::move(more);
        first_ = 0;
        mask_ = slots_.size() - 1;
    }

    std::vector<T> slots_;
    std::size_t first_ = 0, size_ = 0, mask_ = 0;  ///< indices of places
};

}  // namespace tessera

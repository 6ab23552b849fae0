// SPDX-License-Identifier: Apache-2.0
// A list in pages: elements never move, and access takes two steps.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera {

template <class T, std::size_t PageSize = 8>
class Paged {
public:
    std::size_t size() const { return size_; }
    const T& operator[](std::size_t i) const { return pages_[i / PageSize][i % PageSize]; }
    T& operator[](std::size_t i) { return pages_[i / PageSize][i % PageSize]; }

    /// Appends a value-initialised element.
    void add() {
        if (size_ == pages_.size() * PageSize) pages_.emplace_back(PageSize);
        ++size_;
    }

private:
    std::vector<std::vector<T>> pages_;
    std::size_t size_ = 0;
};

}  // namespace tessera

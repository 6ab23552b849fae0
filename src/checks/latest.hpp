// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace tessera::checks {

/// The last few values of a kind, without allocations: a snapshot copies them.
template <class T, std::size_t most>
class Latest {
public:
    void add(const T& value) { all_[added_++ % most] = value; }
    std::size_t size() const { return added_ < most ? added_ : most; }
    /// Counted from the latest, 0.
    const T& before_last(std::size_t i) const { return all_[(added_ - 1 - i) % most]; }

private:
    std::array<T, most> all_{};
    std::size_t added_ = 0;
};

}  // namespace tessera::checks

// SPDX-License-Identifier: Apache-2.0
// A thread's instruction FIFO: what has been pushed and not yet taken, and when words left it.
#pragma once

#include <array>
#include <cstdint>

#include "state/resources.hpp"
#include "util/ring.hpp"

namespace tessera::frontend {

using Cycle = std::uint64_t;

/// Decoded as it leaves.
struct FifoEntry {
    std::uint32_t word = 0;
    std::int16_t mop_register = -1;  ///< not an instruction: the core's store of `word` to it, kept in order
    bool expanded = false;           ///< it came in behind the MOP expander
    state::Uses uses{};              ///< that Auto TTSync keeps in order
    std::int64_t index = 0;
    Cycle pushed = 0, visible = 0;
};

class Fifo : public Ring<FifoEntry> {
public:
    /// The first `count` words leave it, the one of number i in cycle `at(i)`.
    template <class At>
    void take(std::size_t count, At&& at) {
        for (std::size_t i = 0; i < count; ++i) left_[(taken_ + i) % left_.size()] = at(i);
        taken_ += count;
        pop_front(count);
    }
    void take(Cycle now) {
        left_[taken_++ % left_.size()] = now;
        pop_front();
    }
    /// How many have left it.
    std::uint64_t taken() const { return taken_; }
    /// When the word of that number, one of the latest, left it; 0 for what was before the first.
    Cycle taken_at(std::uint64_t number) const { return left_[number % left_.size()]; }

private:
    std::uint64_t taken_ = 0;
    std::array<Cycle, 256> left_{};
};

}  // namespace tessera::frontend

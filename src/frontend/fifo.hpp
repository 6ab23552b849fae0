// SPDX-License-Identifier: Apache-2.0
// A thread's instruction FIFO: pushed words, and the cycles in which words left it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "state/resources.hpp"
#include "util/ring.hpp"

namespace tessera::frontend {

using Cycle = std::uint64_t;

/// A word in the FIFO; it is decoded when it leaves.
struct FifoEntry {
    std::uint32_t word = 0;
    std::int16_t mop_register = -1;  ///< a core's in-order store of `word` to this register, not an instruction
    bool expanded = false;           ///< entered behind the MOP expander
    state::Uses uses{};              ///< ordered by Auto TTSync
    std::int64_t index = 0;
    Cycle pushed = 0, visible = 0;
};

class Fifo : public Ring<FifoEntry> {
public:
    /// Removes the first `count` words; word i leaves in cycle `at(i)`.
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
    /// Adds a core's store to a MOP register. It replaces one to the same register that no word follows, so a core that stores for ever
    /// behind a thread that waits fills no memory.
    void push_store(const FifoEntry& store) {
        for (std::size_t i = size(); i-- > 0 && (*this)[i].mop_register >= 0;)
            if (FifoEntry& earlier = (*this)[i]; earlier.mop_register == store.mop_register) {
                earlier = store;
                return;
            }
        push_back(store);
    }
    /// Drops the entries for which `drops` holds; none of them leaves. The first `kept` stay.
    template <class Drops>
    void discard(std::size_t kept, Drops&& drops) {
        std::vector<FifoEntry> rest;
        for (std::size_t i = kept; i < size(); ++i)
            if (const FifoEntry& entry = (*this)[i]; !drops(entry)) rest.push_back(entry);
        while (size() > kept) pop_back();
        for (const FifoEntry& entry : rest) push_back(entry);
    }
    /// Number of words that have left.
    std::uint64_t taken() const { return taken_; }
    /// Cycle in which a recent word left; 0 before the first word.
    Cycle taken_at(std::uint64_t number) const { return left_[number % left_.size()]; }

private:
    std::uint64_t taken_ = 0;
    std::array<Cycle, 256> left_{};
};

}  // namespace tessera::frontend

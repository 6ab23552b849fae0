// SPDX-License-Identifier: Apache-2.0
// Pages of L1 that one core fills and another one empties, in turn. The counters of pages received and of pages
// acknowledged are in L1, each written by one side alone. A side that is a T core lets the coprocessor count (counter.hpp),
// since it is the coprocessor that fills or empties pages.
#pragma once

#include "layout.hpp"
#include "memory.hpp"

namespace kernel {

class CircularBuffer {
public:
    constexpr CircularBuffer(unsigned index, std::uint32_t capacity, std::uint32_t page_bytes)
        : index_(index), capacity_(capacity), page_bytes_(page_bytes) {}

    /// Before anybody uses it.
    void clear() const {
        at(received()) = 0;
        at(acknowledged()) = 0;
    }

    // The side that fills.
    void wait_free() const {
        while (mine_ - look(acknowledged()) >= capacity_) {
        }
    }
    std::uint32_t write_page() const { return page(); }
    void push() { at(received()) = ++mine_; }

    // The side that empties.
    void wait_received() const {
        while (look(received()) == mine_) {
        }
    }
    std::uint32_t read_page() const { return page(); }
    void pop() { at(acknowledged()) = ++mine_; }

    /// On to the next page; the counter is the coprocessor's business.
    void advance() { ++mine_; }

    /// Addresses of the counters.
    constexpr std::uint32_t received() const { return layout::circular_buffers + 32 * index_; }
    constexpr std::uint32_t acknowledged() const { return received() + 16; }
    constexpr std::uint32_t page_bytes() const { return page_bytes_; }

private:
    static std::uint32_t look(std::uint32_t address) {
        forget_cached();
        return at(address);
    }
    std::uint32_t page() const {
        return layout::pages + layout::pages_bytes * index_ + mine_ % capacity_ * page_bytes_;
    }

    unsigned index_;
    std::uint32_t capacity_, page_bytes_;
    std::uint32_t mine_ = 0;  ///< pages that this side is through with
};

}  // namespace kernel

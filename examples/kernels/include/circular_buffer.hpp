// SPDX-License-Identifier: Apache-2.0
// Pages of L1 that one core fills and another one empties, in turn. The counters of pages received and of pages
// acknowledged are registers of an overlay stream, each written by one side alone. A side that is a T core lets the
// coprocessor count (counter.hpp), since it is the coprocessor that fills or empties pages.
#pragma once

#include "chip.hpp"
#include "layout.hpp"
#include "memory.hpp"

namespace kernel {

class CircularBuffer {
public:
    /// B describes it and sets its counters to 0 before its first use.
    static void describe(unsigned index, std::uint32_t begin, std::uint32_t capacity, std::uint32_t page_bytes) {
        at(description(index)) = begin;
        at(description(index) + 4) = capacity;
        at(description(index) + 8) = page_bytes;
        settle(description(index) + 8);
        at(received(index)) = 0;
        at(acknowledged(index)) = 0;
        load_now(at(acknowledged(index)));
    }

    explicit CircularBuffer(unsigned index)
        : index_(index),
          begin_(at(description(index))),
          capacity_(at(description(index) + 4)),
          page_bytes_(at(description(index) + 8)) {}

    // The side that fills.
    void wait_free() const {
        while (((mine_ - at(acknowledged())) & most) >= capacity_) {
        }
    }
    std::uint32_t write_page() const { return page(); }
    /// `last` is the word of the page that was stored last: L1 and registers are written independently of each other.
    void push(std::uint32_t last) {
        settle(last);
        advance();
        at(received()) = mine_;
    }

    // The side that empties.
    void wait_received() const {
        while (at(received()) == mine_) {
        }
        forget_cached();
    }
    std::uint32_t read_page() const { return page(); }
    void pop() {
        advance();
        at(acknowledged()) = mine_;
    }

    /// On to the next page; the counter is the coprocessor's business.
    void advance() {
        mine_ = (mine_ + 1) & most;
        if (++place_ == capacity_) place_ = 0;
    }

    /// Pages that this side is through with.
    std::uint32_t count() const { return mine_; }

    /// Addresses of the counters.
    constexpr std::uint32_t received() const { return received(index_); }
    constexpr std::uint32_t acknowledged() const { return acknowledged(index_); }

    std::uint32_t page_bytes() const { return page_bytes_; }

private:
    static constexpr std::uint32_t most = 0xFFFF;  ///< of a count: the half of a GPR, which one SETDMAREG sets

    static constexpr std::uint32_t description(unsigned index) { return layout::circular_buffers + 16 * index; }
    static constexpr std::uint32_t received(unsigned index) {
        return chip::stream_register(index, chip::remote_dest_buf_size);
    }
    static constexpr std::uint32_t acknowledged(unsigned index) {
        return chip::stream_register(index, chip::remote_dest_buf_start);
    }
    std::uint32_t page() const { return begin_ + place_ * page_bytes_; }

    unsigned index_;
    std::uint32_t begin_, capacity_, page_bytes_;
    std::uint32_t mine_ = 0;   ///< count()
    std::uint32_t place_ = 0;  ///< of the next page in the buffer
};

}  // namespace kernel

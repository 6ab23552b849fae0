// SPDX-License-Identifier: Apache-2.0
// Tiles of an array in DRAM that all tiles of a row or a column of the grid need: the first one reads each, waits until the others have room,
// and sends it to all of them. Every tile has its circular buffer at the same addresses.
#pragma once

#include "circular_buffer.hpp"
#include "noc.hpp"

namespace kernel {

/// The words of L1 by which the tiles of a line agree.
struct LineWords {
    std::uint32_t room;  ///< in the first tile: how many pages the others have had room for, in all
    std::uint32_t sent;  ///< in the others: how many pages have come
};

/// A row or a column of the grid, as one of its tiles sees it.
struct Line {
    std::uint32_t position;   ///< of this tile in it
    std::uint32_t others;     ///< tiles beside the first
    Place first, second, last;
};

template <class Noc>
class SharedTiles {
public:
    SharedTiles(Noc& noc, unsigned buffer, const LineWords& words, const Line& line, Place dram, std::uint32_t array)
        : noc_(noc), buffer_(buffer), words_(words), line_(line), dram_(dram), array_(array) {}

    /// The next page of the circular buffer gets this tile of the array.
    void bring(std::uint32_t tile) {
        const std::uint32_t bytes = buffer_.page_bytes();
        buffer_.wait_free();
        const std::uint32_t page = buffer_.write_page();
        ++count_;
        if (line_.position == 0)
            send(array_ + tile * bytes, page, bytes);
        else
            receive();
        buffer_.push(page + bytes - 4);
    }

private:
    void send(std::uint32_t from, std::uint32_t page, std::uint32_t bytes) {
        noc_.wait_written();  // what was sent from here before
        noc_.read(dram_, from, page, bytes);
        noc_.wait_reads();
        if (line_.others == 0) return;
        while (at(words_.room) != count_ * line_.others) forget_cached();
        noc_.multicast(page, line_.second, line_.last, page, bytes, line_.others);
        at(words_.sent) = count_;
        settle(words_.sent);
        noc_.multicast(words_.sent, line_.second, line_.last, words_.sent, 4, line_.others);
    }
    void receive() {
        noc_.increment(line_.first, words_.room, 1);
        while (at(words_.sent) != count_) forget_cached();
    }

    Noc& noc_;
    CircularBuffer buffer_;
    const LineWords words_;
    const Line line_;
    const Place dram_;
    const std::uint32_t array_;
    std::uint32_t count_ = 0;
};

}  // namespace kernel

// SPDX-License-Identifier: Apache-2.0
// NC: tiles of an array in L1, one after the other into a circular buffer, as fast as it is emptied.
#pragma once

#include "circular_buffer.hpp"

namespace kernel {

class TileReader {
public:
    /// Behind the last of the array's tiles comes its first one again.
    TileReader(unsigned buffer, std::uint32_t array, std::uint32_t tiles)
        : buffer_(buffer), array_(array), tiles_(tiles) {}

    void bring(std::uint32_t tile) {
        const std::uint32_t bytes = buffer_.page_bytes(), from = array_ + tile % tiles_ * bytes;
        buffer_.wait_free();
        const std::uint32_t to = buffer_.write_page();
        // A job may have the array itself for a circular buffer.
        if (to != from) copy_blocks(to, from, bytes);
        buffer_.push(to + bytes - 4);
    }

private:
    CircularBuffer buffer_;
    std::uint32_t array_, tiles_;
};

}  // namespace kernel

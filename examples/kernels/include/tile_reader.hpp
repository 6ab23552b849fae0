// SPDX-License-Identifier: Apache-2.0
// NC: tiles of an array in L1, one after the other into a circular buffer, as fast as it is emptied.
#pragma once

#include "circular_buffer.hpp"

namespace kernel {

class TileReader {
public:
    TileReader(unsigned buffer, std::uint32_t array) : buffer_(buffer, 2, bytes), array_(array) {}

    void bring(std::uint32_t tile) {
        buffer_.wait_free();
        copy_blocks(buffer_.write_page(), array_ + tile * bytes, bytes);
        buffer_.push();
    }

private:
    static constexpr std::uint32_t bytes = 2048;

    CircularBuffer buffer_;
    std::uint32_t array_;
};

}  // namespace kernel

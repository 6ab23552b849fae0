// SPDX-License-Identifier: Apache-2.0
// T1: copies tiles from SrcA to one half of Dst while the packer empties the other.
#include "copy_tile.hpp"
#include "mailbox.hpp"

using namespace kernel;

void kernel_main() {
    const std::uint32_t tiles = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    configure_copying();
    wait_math_configured();
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        wait_half_free(tile % 2);
        copy_tile();
        ttinsn<SETRWC({.BitMask = 0xF})>();
        half_filled<condition::matrix>();
    }
    wait_coprocessor();
}

// SPDX-License-Identifier: Apache-2.0
// T1: copies the tiles of a block from SrcA to a half of Dst while the packer empties the other.
#include "copy_tile.hpp"
#include "mailbox.hpp"
#include "untilize.hpp"

using namespace kernel;

void kernel_main() {
    const std::uint32_t blocks = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    configure_copying();
    wait_math_configured();
    for (std::uint32_t block = 0; block < blocks; ++block) {
        wait_half_free(block % 2);
        for (unsigned tile = 0; tile < width; ++tile) copy_tile();
        ttinsn<SETRWC({.BitMask = 0xF})>();
        half_filled<condition::matrix>();
    }
    wait_coprocessor();
}

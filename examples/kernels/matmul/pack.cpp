// SPDX-License-Identifier: Apache-2.0
// T2: packs a tile of the product from each half of Dst in turn, and clears the half: MVMUL accumulates.
#include "mailbox.hpp"
#include "tile_packer.hpp"

using namespace kernel;

void kernel_main() {
    const std::uint32_t tiles = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    configure_tile_packer();
    PagePacker packer(CircularBuffer(2));
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        pack_tile(packer, tile % 2);
        ttinsn<STALLWAIT({.stall_res = block::math, .wait_res = condition::packer})>();
        push(chip::clear_half_of_dst(tile % 2));
        half_emptied();
        packer.end_page();
    }
    wait_coprocessor();
}

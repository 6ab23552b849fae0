// SPDX-License-Identifier: Apache-2.0
// T2: packs a tile from each half of Dst in turn.
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
        half_emptied();
        packer.end_page();
    }
    wait_coprocessor();
}

// SPDX-License-Identifier: Apache-2.0
// T0: a tile of each array to SrcA and SrcB.
#include "unpack.hpp"
#include "mailbox.hpp"
#include "packer_setup.hpp"

using namespace kernel;

void kernel_main() {
    const std::uint32_t tiles = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    configure_unpackers();
    configure_packer<row_bytes, 0>();
    units_are_configured();
    CircularBuffer second(1);
    TileUnpacker unpacker(CircularBuffer(0), &second);
    for (std::uint32_t tile = 0; tile < tiles; ++tile) unpacker.next();
    wait_coprocessor();
}

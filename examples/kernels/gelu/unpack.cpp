// SPDX-License-Identifier: Apache-2.0
// T0: tile after tile to SrcA.
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
    TileUnpacker unpacker(CircularBuffer(0), nullptr);
    for (std::uint32_t tile = 0; tile < tiles; ++tile) unpacker.next();
    wait_coprocessor();
}

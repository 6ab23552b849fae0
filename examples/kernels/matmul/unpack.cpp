// SPDX-License-Identifier: Apache-2.0
// T0: for each product of tiles, the right one to SrcA and the left one to SrcB: MVMUL computes Dst += SrcB x SrcA.
#include "unpack.hpp"
#include "mailbox.hpp"
#include "packer_setup.hpp"

using namespace kernel;

void kernel_main() {
    const std::uint32_t tiles = mailbox::receive(Core::b);
    const std::uint32_t depth = mailbox::receive(Core::b);

    configure_unpackers<true>();
    configure_packer<row_bytes, 0, true>();
    units_are_configured();
    CircularBuffer left(0);
    TileUnpacker unpacker(CircularBuffer(1), &left);
    for (std::uint32_t product = 0; product < tiles * depth; ++product) unpacker.next();
    wait_coprocessor();
}

// SPDX-License-Identifier: Apache-2.0
// T0: tile after tile to SrcA.
#include "unpack.hpp"
#include "mailbox.hpp"
#include "packer_setup.hpp"
#include "untilize.hpp"

using namespace kernel;

void kernel_main() {
    const std::uint32_t blocks = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    configure_unpackers();
    // A step of Y is a face, a step of Z as many rows as there are in a group from which a PACR takes one.
    configure_packer<16 * row_bytes, chip::rows_per_pacr * row_bytes>();
    units_are_configured();
    TileUnpacker unpacker(CircularBuffer(0, 2, tile_bytes), nullptr);
    for (std::uint32_t tile = 0; tile < blocks * width; ++tile) unpacker.next();
    wait_coprocessor();
}

// SPDX-License-Identifier: Apache-2.0
// T0: tile after tile to SrcA.
#include "unpack.hpp"
#include "faces.hpp"
#include "mailbox.hpp"
#include "packer_setup.hpp"
#include "untilize.hpp"

using namespace kernel;

void kernel_main() {
    const std::uint32_t blocks = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    configure_unpackers();
    // A step of Y is a face, a step of Z a row.
    configure_packer<16 * row_bytes, row_bytes>();
    chip::configure_faces();
    units_are_configured();
    TileUnpacker unpacker(CircularBuffer(0), nullptr);
    for (std::uint32_t tile = 0; tile < blocks * width; ++tile) unpacker.next();
    wait_coprocessor();
}

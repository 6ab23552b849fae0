// SPDX-License-Identifier: Apache-2.0
// T2: packs the faces of a tile from a half of Dst, where strips of it lie.
#include "pack.hpp"
#include "mailbox.hpp"
#include "strips.hpp"

namespace {

using namespace kernel;

void pack_face(unsigned face) {
    constexpr unsigned y = 1;
    push(SETADC({.CntSetMask = packer_counters, .DimensionIndex = y, .Value = chip::first_row(face)}));
    for (unsigned pacr = 0; pacr < chip::pacrs_per_face; ++pacr)
        push(chip::pack_from_strips(face, face == 3 && pacr + 1 == chip::pacrs_per_face));
}

}  // namespace

void kernel_main() {
    const std::uint32_t tiles = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    // Address modifier 0: on to the next rows.
    configure<cfg::ADDR_MOD_PACK_SEC0_YsrcIncr(chip::rows_per_pacr)>();
    begin_packing();
    PagePacker packer(CircularBuffer(2));
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        packer.begin_page();
        push(SETADCZW({.CntSetMask = packer_counters, .Ch0_Y = tile % 2, .BitMask = 0xF}));
        wait_half_filled();
        for (unsigned face = 0; face < 4; ++face) pack_face(face);
        half_emptied();
        packer.end_page();
    }
    wait_coprocessor();
}

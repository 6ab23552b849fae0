// SPDX-License-Identifier: Apache-2.0
// T2: packs a half of Dst row by row through all tiles of a block: the rows of L1 that come out are whole rows of the
// array.
#include "pack.hpp"
#include "faces.hpp"
#include "mailbox.hpp"
#include "untilize.hpp"

namespace {

using namespace kernel;

enum AddressModifier : unsigned { face_on_the_right, next_tile, first_tile_next_row };

void configure_addressing() {
    // Y counts faces, Z rows.
    configure<cfg::ADDR_MOD_PACK_SEC0_YsrcIncr(1)>();
    configure<cfg::ADDR_MOD_PACK_SEC1_YsrcIncr(2 + chip::faces_per_pacr)>();
    configure<cfg::ADDR_MOD_PACK_SEC2_YsrcCR(1), cfg::ADDR_MOD_PACK_SEC2_ZsrcIncr(1)>();
}

/// One row of a face through all tiles.
void pack_row(bool last) {
    for (unsigned tile = 1; tile <= width; ++tile) {
        if (chip::faces_per_pacr == 1) push(chip::pack_row(face_on_the_right, false));
        push(tile < width ? chip::pack_row(next_tile, false) : chip::pack_row(first_tile_next_row, last));
    }
}

}  // namespace

void kernel_main() {
    const std::uint32_t blocks = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    configure_addressing();
    begin_packing();
    PagePacker packer(CircularBuffer(2));
    for (std::uint32_t block = 0; block < blocks; ++block) {
        packer.begin_page();
        wait_half_filled();
        constexpr unsigned y = 1 << 1, upper_faces = 0, lower_faces = 2;
        for (unsigned face = upper_faces; face <= lower_faces; face += 2) {
            push(SETADCXY({.CntSetMask = packer_counters, .Ch0_Y = face, .BitMask = y}));
            push(SETADCZW({.CntSetMask = packer_counters, .Ch0_Y = block % 2, .BitMask = 0xF}));
            for (unsigned row = 0; row < 16; ++row) pack_row(face == lower_faces && row == 15);
        }
        half_emptied();
        packer.end_page();
    }
    wait_coprocessor();
}

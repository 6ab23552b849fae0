// SPDX-License-Identifier: Apache-2.0
// T2: packs a half of Dst row by row through all tiles of a block: the rows of L1 that come out are whole rows of the
// array.
#include "pack.hpp"
#include "mailbox.hpp"
#include "untilize.hpp"

namespace {

using namespace kernel;

enum AddressModifier : unsigned { face_on_the_right, next_tile, first_tile, first_tile_next_rows };

void configure_addressing() {
    // Y counts faces, Z groups of rows.
    configure<cfg::ADDR_MOD_PACK_SEC0_YsrcIncr(1)>();
    configure<cfg::ADDR_MOD_PACK_SEC1_YsrcIncr(3)>();
    configure<cfg::ADDR_MOD_PACK_SEC2_YsrcCR(1)>();
    configure<cfg::ADDR_MOD_PACK_SEC3_YsrcCR(1), cfg::ADDR_MOD_PACK_SEC3_ZsrcIncr(1)>();
}

/// One row of a face through all tiles.
void pack_row(unsigned row, bool last) {
    for (unsigned tile = 1; tile < width; ++tile) {
        push(chip::pack_one_row(row, face_on_the_right, false));
        push(chip::pack_one_row(row, next_tile, false));
    }
    const bool last_of_group = (row + 1) % chip::rows_per_pacr == 0;
    push(chip::pack_one_row(row, face_on_the_right, false));
    push(chip::pack_one_row(row, last_of_group ? first_tile_next_rows : first_tile, last));
}

}  // namespace

void kernel_main() {
    const std::uint32_t blocks = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    configure_addressing();
    begin_packing();
    PagePacker packer(CircularBuffer(2, 2, width * 2048));
    for (std::uint32_t block = 0; block < blocks; ++block) {
        packer.begin_page();
        wait_half_filled();
        constexpr unsigned y = 1 << 1, upper_faces = 0, lower_faces = 2;
        for (unsigned face = upper_faces; face <= lower_faces; face += 2) {
            push(SETADCXY({.CntSetMask = packer_counters, .Ch0_Y = face, .BitMask = y}));
            push(SETADCZW({.CntSetMask = packer_counters, .Ch0_Y = block % 2, .BitMask = 0xF}));
            for (unsigned row = 0; row < 16; ++row) pack_row(row, face == lower_faces && row == 15);
        }
        half_emptied();
        packer.end_page();
    }
    wait_coprocessor();
}

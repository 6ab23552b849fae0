// SPDX-License-Identifier: Apache-2.0
// T0: tiles to SrcA from pages that have whole rows.
#include "unpack.hpp"
#include "mailbox.hpp"
#include "packer_setup.hpp"
#include "strips.hpp"
#include "tilize.hpp"

namespace {

using namespace kernel;

/// Unpacker 0 reads strips of a tile, rows of which are as far apart as those of the page. Counter Y of channel 0 counts
/// strips of the page, that of channel 1 strips of the tile.
void configure_strips() {
    constexpr std::uint32_t rows_apart = width * 64, rows = 32, strip_datums = rows * chip::strip_width;
    configure<cfg::THCON_SEC0_REG2_Out_data_format(Float16_b), cfg::THCON_SEC0_REG2_Disable_zero_compress_cntx0(1),
              cfg::THCON_SEC0_REG2_Disable_zero_compress_cntx1(1), cfg::THCON_SEC0_REG2_Tileize_mode(1),
              cfg::THCON_SEC0_REG2_Shift_amount_cntx0(rows_apart >> 4 & 0xF),
              cfg::THCON_SEC0_REG2_Shift_amount_cntx1(rows_apart >> 8),
              cfg::THCON_SEC0_REG5_Tile_x_dim_cntx0(chip::strip_width),
              cfg::THCON_SEC0_REG5_Tile_x_dim_cntx1(chip::strip_width),
              cfg::UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr(1),
              cfg::UNP0_ADDR_CTRL_XY_REG_1_Ystride(2 * strip_datums)>();
    ttinsn<SETADCXX({.CntSetMask = 1, .x_end2 = strip_datums - 1, .x_start = 0})>();
}

void push_tile(unsigned tile) {
    constexpr unsigned strips = 32 / chip::strip_width, y = 1;
    for (unsigned strip = 0; strip < strips; ++strip) {
        push(SETADC({.CntSetMask = 1, .ChannelIndex = 0, .DimensionIndex = y, .Value = strips * tile + strip}));
        push(SETADC({.CntSetMask = 1, .ChannelIndex = 1, .DimensionIndex = y, .Value = strip}));
        push(UNPACR({.Unpack_block_selection = 0, .OvrdThreadId = 1, .SetDatValid = strip + 1 == strips, .Last = 1}));
    }
}

}  // namespace

void kernel_main() {
    const std::uint32_t tiles = mailbox::receive(Core::b);
    mailbox::receive(Core::b);

    configure_unpackers();
    configure_strips();
    configure_packer<row_bytes, 0>();
    units_are_configured();
    TileUnpacker unpacker(CircularBuffer(0), nullptr);
    for (std::uint32_t page = 0; page < tiles / width; ++page)
        unpacker.next([] {
            for (unsigned tile = 0; tile < width; ++tile) push_tile(tile);
        });
    wait_coprocessor();
}

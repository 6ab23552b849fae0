// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/chip/firmware.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reference/noc/coordinates.hpp"
#include "reference/noc/registers.hpp"

namespace tessera::reference::noc {

namespace {

// NoC/Coordinates, the tables that firmware configures: from translated to NoC 0.
constexpr std::uint8_t wormhole_x[32] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                         0, 5, 1, 2, 3, 4, 6, 7, 8, 9, 0,  0,  0,  0,  0,  0};
constexpr std::uint8_t wormhole_y[32] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                         0, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 0,  0,  0,  0};
constexpr std::uint8_t blackhole_x[32] = {0,  1, 2, 3, 4, 5,  6, 7,  8, 9,  10, 11, 12, 13, 14, 15,
                                          16, 9, 0, 2, 1, 16, 2, 15, 3, 14, 4,  13, 5,  12, 6,  11};
constexpr std::uint8_t blackhole_y[32] = {0,  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 11, 2,
                                          10, 3, 5, 7, 6, 9, 4, 8, 0, 1, 3,  9,  5, 7, 2,  0};
// BlackholeA0: the top two rows keep raw X.
constexpr std::uint32_t blackhole_row_mask = 0b11;

// NOC_ID_LOGICAL: the translated coordinates that software prefers, or those of NoC 0 where it has none.
std::uint32_t id_logical(const Tile& tile, Arch arch) {
    const auto index = [](const std::uint8_t(&table)[32], unsigned first, unsigned value) {
        return static_cast<unsigned>(std::find(table + first, table + 32, value) - table);
    };
    unsigned x = tile.x, y = tile.y;
    if (arch == Arch::wormhole) {
        x = index(wormhole_x, 16, tile.x);
        y = index(wormhole_y, 16, tile.y);
    } else if (tile.kind == Kind::dram) {
        x = index(blackhole_x, 17, tile.x);
        y = index(blackhole_y, 12, tile.y);
    } else if (tile.kind == Kind::ethernet && tile.index < 12) {
        x = 20 + tile.index;
        y = 25;
    } else if (tile.kind == Kind::pcie && tile.x == 2) {
        x = 19;
        y = 24;
    } else if (tile.kind == Kind::l2cpu || tile.kind == Kind::security) {
        y = index(blackhole_y, 26, tile.y);
    }
    return x | y << 6;
}

void configure(Tile& tile, unsigned noc) {
    const Arch arch = tile.niu[noc].arch;
    const bool blackhole = arch == Arch::blackhole;
    const Map& map = map_of(arch);
    const Size size = size_of(arch);
    const auto& table_x = blackhole ? blackhole_x : wormhole_x;
    const auto& table_y = blackhole ? blackhole_y : wormhole_y;
    const unsigned entries = blackhole ? 6 : 8, entry_bits = blackhole ? 5 : 4;
    const auto reg = [&](std::uint32_t offset) -> std::uint32_t& {
        return tile.niu[noc].configuration_words[(offset - CONFIGURATION) / 4];
    };
    reg(NIU_CFG_0) = 1u << coordinate_translation_enable;
    for (unsigned i = 0; i < 32; ++i) {
        // Of Wormhole's entries, those that are identities and those without a tile are alike on both NoCs.
        const bool mirror_x = noc == 1 && (blackhole || (i >= 16 && i <= 25));
        const bool mirror_y = noc == 1 && (blackhole || (i >= 16 && i <= 27));
        const std::uint32_t x = mirror_x ? size.width - 1 - table_x[i] : table_x[i];
        const std::uint32_t y = mirror_y ? size.height - 1 - table_y[i] : table_y[i];
        reg(NOC_X_ID_TRANSLATE_TABLE_0 + i / entries * 4) |= x << i % entries * entry_bits;
        reg(map.NOC_Y_ID_TRANSLATE_TABLE_0 + i / entries * 4) |= y << i % entries * entry_bits;
    }
    if (blackhole) reg(NOC_ID_TRANSLATE_ROW_MASK) = blackhole_row_mask;
    reg(map.NOC_ID_LOGICAL) = id_logical(tile, arch);
    for (const unsigned x : blackhole ? std::vector{0u, 8u, 9u} : std::vector{0u, 5u})
        reg(ROUTER_CFG_1) |= 1u << (noc ? size.width - 1 - x : x);
    for (const unsigned y : blackhole ? std::vector{0u, 1u} : std::vector{0u, 6u})
        reg(ROUTER_CFG_3) |= 1u << (noc ? size.height - 1 - y : y);
}

}  // namespace

void configure(Tile& tile) {
    for (unsigned noc = 0; noc < 2; ++noc) configure(tile, noc);
}

}  // namespace tessera::reference::noc

// SPDX-License-Identifier: Apache-2.0
// Diagrams/Src/NoC.lua, TileLabel and TileLabel_BH; endpoints of DRAM in the order of tt-umd's descriptors.
#include "reference/noc/chip/layout.hpp"

#include <cstdint>
#include <iterator>

#include "reference/noc/coordinates.hpp"

namespace tessera::reference::noc {

namespace {

/// Tiles that are empty until they are put.
struct Grid {
    Size size;
    std::vector<Tile> tiles;

    void put(unsigned x, unsigned y, Kind kind, unsigned index, unsigned group = 0) {
        Tile& tile = tiles[y * size.width + x];
        tile.kind = kind;
        tile.index = index;
        tile.group = group;
    }
};

void place_blackhole(Grid& grid) {
    constexpr std::uint8_t ethernet_x[] = {1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10};
    constexpr std::uint8_t dram_y[][3] = {{0, 1, 11}, {2, 10, 3}, {9, 4, 8}, {5, 7, 6}};
    constexpr std::uint8_t l2cpu_y[] = {3, 9, 5, 7};
    for (unsigned y = 2; y < grid.size.height; ++y)
        for (unsigned x = 1; x < grid.size.width; ++x)
            if (x != 8 && x != 9) grid.put(x, y, Kind::tensix, (y - 2) * 14 + (x - (x >= 10 ? 3 : 1)));
    for (unsigned i = 0; i < std::size(ethernet_x); ++i) grid.put(ethernet_x[i], 1, Kind::ethernet, i);
    for (unsigned group = 0; group < 8; ++group)
        for (const std::uint8_t y : dram_y[group % 4]) grid.put(group < 4 ? 0 : 9, y, Kind::dram, group, group);
    for (unsigned i = 0; i < std::size(l2cpu_y); ++i) grid.put(8, l2cpu_y[i], Kind::l2cpu, i);
    grid.put(2, 0, Kind::pcie, 2);
    grid.put(11, 0, Kind::pcie, 2);
    grid.put(8, 0, Kind::arc, 0);
    grid.put(8, 2, Kind::security, 0);
}

void place_wormhole(Grid& grid) {
    constexpr std::uint8_t ethernet_x[] = {9, 1, 8, 2, 7, 3, 6, 4};
    constexpr std::uint8_t dram[][4] = {{0, 0, 1, 11}, {0, 5, 6, 7}, {5, 0, 1, 11},
                                        {5, 2, 9, 10}, {5, 3, 4, 8}, {5, 5, 6, 7}};
    for (unsigned y = 1; y < grid.size.height; ++y)
        for (unsigned x = 1; x < grid.size.width; ++x)
            if (x != 5 && y != 6) grid.put(x, y, Kind::tensix, (y - (y >= 7 ? 2 : 1)) * 8 + (x - (x >= 6 ? 2 : 1)));
    for (unsigned i = 0; i < 16; ++i) grid.put(ethernet_x[i % 8], i / 8 * 6, Kind::ethernet, i);
    for (unsigned group = 0; group < std::size(dram); ++group)
        for (unsigned i = 0; i < 3; ++i) grid.put(dram[group][0], dram[group][1 + i], Kind::dram, i, group);
    grid.put(0, 3, Kind::pcie, 2);
    grid.put(0, 10, Kind::arc, 0);
}

}  // namespace

std::vector<Tile> place_tiles(Arch arch) {
    Grid grid{size_of(arch), {}};
    for (unsigned y = 0; y < grid.size.height; ++y)
        for (unsigned x = 0; x < grid.size.width; ++x) {
            Tile& tile = grid.tiles.emplace_back();
            tile.x = x;
            tile.y = y;
            for (Niu& niu : tile.niu) niu.arch = arch;
        }
    arch == Arch::blackhole ? place_blackhole(grid) : place_wormhole(grid);
    return grid.tiles;
}

}  // namespace tessera::reference::noc

// SPDX-License-Identifier: Apache-2.0
// Coordinates: the reference against the pages. Each test is named after a page or a register and has its words.
#include <vector>
#include <utility>

#include "support/noc_pages.hpp"

namespace tessera::test {
namespace {

class NocTranslation : public NocPages {};

TEST_P(NocTranslation, CoordinateTranslation) {
    // Uniform coordinates on both NoCs. Wormhole writes the translated ones back; Blackhole does not.
    const std::uint32_t from = load(b, id_logical()) & 0xFFF, to = load(a, id_logical()) & 0xFFF;
    address(a, 0x00, 0x100, from);
    address(a, 0x0C, 0x2100, to);
    ASSERT_EQ(go(a, read, 16), "");
    EXPECT_EQ(l1(a, 0x2100, 16), l1(b, 0x100, 16));
    if (blackhole()) {
        EXPECT_EQ(load(a, 0x08), from);
        EXPECT_EQ(load(a, 0x14), to);
    } else {
        const Place b_here = noc() ? mirrored(b) : b, a_here = noc() ? mirrored(a) : a;
        EXPECT_EQ(load(a, 0x04), (b_here.x | b_here.y << 6) << 4);
        EXPECT_EQ(load(a, 0x10), (a_here.x | a_here.y << 6) << 4);
    }
    EXPECT_EQ(again(a), "");
    EXPECT_EQ(counters(b).at(53), 2u);
    // Without translation, coordinates are the NoC's own.
    store(a, niu_cfg_0, 0);
    const Place b_raw = noc() ? mirrored(b) : b, a_raw = noc() ? mirrored(a) : a;
    address(a, 0x00, 0x100, b_raw.x | b_raw.y << 6);
    address(a, 0x0C, 0x2200, a_raw.x | a_raw.y << 6);
    ASSERT_EQ(go(a, read, 16), "");
    EXPECT_EQ(l1(a, 0x2200, 16), l1(b, 0x100, 16));
    address(a, 0x00, 0x100, 18 | 20 << 6);
    expect_refused(a, read, 16, "no tile");
}

// "Uniform coordinate system for both NoC #0 and NoC #1".
TEST_P(NocTranslation, NocIdLogicalNamesItsTile) {
    unsigned tiles = 0;
    for (unsigned y = 0; y < 12; ++y)
        for (unsigned x = 0; x < width(); ++x) {
            const std::uint32_t logical = load({x, y}, id_logical());
            if (blackhole() && logical >> 6 < 2) continue;                     // raw coordinates
            if (blackhole() && logical == (x | y << 6) && (x == 8)) continue;  // an empty tile
            const std::uint32_t type = load({x, y}, blackhole() ? 0x48 : 0x30) >> (blackhole() ? 8 : 16);
            const bool own_address = blackhole() ? (type & 0xFFFF) <= 0x0200 || (type & 0xFFFF) == 0x0800
                                                 : (type & 0xFF) == 0 || (type & 0xFF) == 2;
            const std::uint64_t base = 0xFFB2'0000 + noc() * 0x1'0000;
            const std::uint64_t high = own_address ? 0 : blackhole() ? 0xFFFF'FFFF : 0xF;
            store({x, y}, 0x10C, 0x1000 + y * 32 + x);
            address(a, 0x00, high << 32 | (base + 0x10C), logical);
            ret(a, 0x2000, a);
            ASSERT_EQ(go(a, read, 4), "") << x << ' ' << y;
            EXPECT_EQ(word(a, 0x2000), 0x1000 + y * 32 + x);
            ++tiles;
        }
    EXPECT_EQ(tiles, blackhole() ? 140u + 24 + 12 + 1 + 4 + 1 : 120u);
}

TEST_P(NocTranslation, TranslationAlgorithm) {
    if (!blackhole()) return;
    // DDR_COORD_TRANSLATE: column 9 by its own table, and column 0 swapped with it in row 5.
    store(a, 0x158 + 4 * 5, 1 << 10);
    store(a, 0x158, 4 << 15 | 7 << 20);  // rows 3 and 4
    store(a, 0x170, 1 << 5);
    store(a, 0x154, 1 << 3);
    const auto at = [&](unsigned x, unsigned y) {
        address(a, 0x00, 0x40, x | y << 6);
        ret(a, 0x2000, a);
        std::vector<std::uint32_t> before(12 * width());
        for (unsigned i = 0; i < before.size(); ++i) before[i] = load({i % width(), i / width()}, 0x200 + 4 * 53);
        EXPECT_EQ(go(a, read, 16), "");
        Place found{99, 99};
        for (unsigned i = 0; i < before.size(); ++i)
            if (before[i] != load({i % width(), i / width()}, 0x200 + 4 * 53)) found = {i % width(), i / width()};
        if (noc()) found = mirrored(found);
        return std::pair(found.x, found.y);
    };
    const unsigned y_5 = noc() ? 6 : 5;
    EXPECT_EQ(at(9, 3), std::pair(9u, 4u));
    EXPECT_EQ(at(0, 5), std::pair(9u, y_5));
    EXPECT_EQ(at(18, 15).first, noc() ? 16u : 0u);
    store(a, 0x150, 1 << 2);
    store(a, 0x154, 1 << 4);
    EXPECT_EQ(at(2, 4), std::pair(2u, 4u));
}
INSTANTIATE_TEST_SUITE_P(Chips, NocTranslation, chips_and_nocs, chip_and_noc);

}  // namespace
}  // namespace tessera::test

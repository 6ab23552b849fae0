// SPDX-License-Identifier: Apache-2.0
// Which tile is where on the NoCs (NoC/Coordinates, and tt-umd's descriptions of both chips).
#include "noc/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "reference/noc/noc_model.hpp"

namespace {

using namespace tessera;
using noc::Place;
using noc::TileKind;

class NocLayout : public testing::TestWithParam<Arch> {
protected:
    const noc::Layout& layout = noc::layout(GetParam());
    const bool blackhole = GetParam() == Arch::blackhole;

    std::vector<Place> all(TileKind kind) const {
        std::vector<Place> places;
        for (unsigned i = 0; i < layout.tiles(); ++i)
            if (layout.kind(layout.place(i)) == kind) places.push_back(layout.place(i));
        return places;
    }
};

TEST_P(NocLayout, HasSoManyTilesOfEachKind) {
    EXPECT_EQ(layout.tiles(), blackhole ? 17u * 12 : 10u * 12);
    EXPECT_EQ(all(TileKind::tensix).size(), blackhole ? 140u : 80u);
    EXPECT_EQ(all(TileKind::ethernet).size(), blackhole ? 14u : 16u);
    EXPECT_EQ(all(TileKind::dram).size(), blackhole ? 24u : 18u);
    EXPECT_EQ(all(TileKind::pcie), (blackhole ? std::vector<Place>{{2, 0}, {11, 0}} : std::vector<Place>{{0, 3}}));
    EXPECT_EQ(all(TileKind::arc), (std::vector<Place>{blackhole ? Place{8, 0} : Place{0, 10}}));
    EXPECT_EQ(all(TileKind::l2cpu),
              (blackhole ? std::vector<Place>{{8, 3}, {8, 5}, {8, 7}, {8, 9}} : std::vector<Place>{}));
    EXPECT_EQ(all(TileKind::security), (blackhole ? std::vector<Place>{{8, 2}} : std::vector<Place>{}));
    EXPECT_EQ(layout.host_tile, all(TileKind::pcie).front());
}

TEST_P(NocLayout, EachDramChannelHasThreeTiles) {
    struct Channel {
        std::uint8_t x;
        std::array<std::uint8_t, 3> y;
    };
    const std::vector<Channel> channels =
        blackhole ? std::vector<Channel>{{0, {0, 1, 11}}, {0, {2, 10, 3}}, {0, {9, 4, 8}}, {0, {5, 7, 6}},
                                         {9, {0, 1, 11}}, {9, {2, 10, 3}}, {9, {9, 4, 8}}, {9, {5, 7, 6}}}
                  : std::vector<Channel>{{0, {0, 1, 11}}, {0, {5, 6, 7}}, {5, {0, 1, 11}},
                                         {5, {2, 9, 10}}, {5, {3, 4, 8}}, {5, {5, 6, 7}}};
    ASSERT_EQ(layout.dram_channels, channels.size());
    for (unsigned channel = 0; channel < channels.size(); ++channel) {
        std::vector<Place> expected;
        for (const std::uint8_t y : channels[channel].y) expected.push_back({channels[channel].x, y});
        EXPECT_TRUE(std::ranges::equal(layout.dram_tiles(channel), expected)) << channel;
        for (const Place place : expected) EXPECT_EQ(layout.dram_channel(place), channel) << describe(place);
    }
    for (const Place place : all(TileKind::tensix)) EXPECT_FALSE(layout.dram_channel(place)) << describe(place);
}

TEST_P(NocLayout, EthernetChannelsGoFromTheOutsideIn) {
    using Columns = std::vector<std::uint8_t>;
    const Columns columns = blackhole ? Columns{1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10}
                                      : Columns{9, 1, 8, 2, 7, 3, 6, 4};
    for (const Place place : all(TileKind::ethernet)) {
        const auto column = std::ranges::find(columns, place.x) - columns.begin();
        EXPECT_EQ(layout.ethernet_channel(place), column + (place.y == 6 ? 8 : 0)) << describe(place);
    }
}

// NoC/MemoryMap, NOC_ENDPOINT_ID: CPUs 4 to 7 are at (8, 9).
TEST(NocLayoutOfBlackhole, L2CpusAreNumberedAsTheirCpus) {
    const noc::Layout& layout = noc::layout(Arch::blackhole);
    for (unsigned noc = 0; noc < 2; ++noc) {
        const std::uint32_t of_noc = noc << 24 | 0x0901 << 8;
        EXPECT_EQ(layout.endpoint_id({8, 3}, noc), of_noc);
        EXPECT_EQ(layout.endpoint_id({8, 9}, noc), of_noc | 1);
        EXPECT_EQ(layout.endpoint_id({8, 5}, noc), of_noc | 2);
        EXPECT_EQ(layout.endpoint_id({8, 7}, noc), of_noc | 3);
    }
}

// NOC_ENDPOINT_ID. Blackhole's page does not say what those of empty tiles are.
TEST_P(NocLayout, EachNiuSaysWhatItsTileIs) {
    reference::NocModel model(GetParam());
    for (unsigned noc = 0; noc < 2; ++noc)
        for (unsigned i = 0; i < layout.tiles(); ++i) {
            const Place place = layout.place(i);
            if (blackhole && layout.kind(place) == TileKind::empty) continue;
            EXPECT_EQ(layout.endpoint_id(place, noc), model.load(place.x, place.y, noc, blackhole ? 0x48 : 0x30))
                << describe(place) << ", NoC " << noc;
        }
}

INSTANTIATE_TEST_SUITE_P(Chips, NocLayout, testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Coordinates that software writes: tables as firmware leaves them, and the places that they mean (NoC/Coordinates).
#include "noc/coordinates.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "reference/noc/noc_model.hpp"
#include "reference/noc/request/translation.hpp"

namespace {

using namespace tessera;
using noc::Place;

using Words = std::array<std::uint32_t, noc::configuration_words>;

class NocCoordinates : public testing::TestWithParam<Arch> {
protected:
    static bool blackhole() { return GetParam() == Arch::blackhole; }
    static std::uint32_t id_logical() { return noc::register_map(GetParam()).id_logical; }
    static std::uint32_t& at(Words& words, std::uint32_t offset) { return words[(offset - noc::offset::configuration) / 4]; }
    /// An NIU's configuration with translation.
    Words tables(unsigned noc, Place own, std::uint32_t harvested = 0) const {
        Words words{};
        noc::enable_translation(layout, noc, own, harvested, words);
        return words;
    }
    /// The place that translated coordinates mean.
    std::optional<Place> meant(const Words& words, unsigned noc, unsigned x, unsigned y) const {
        const noc::Coordinates there = noc::translate(GetParam(), words, {x | y << 6});
        return noc::place_of(layout, noc, there.x(), there.y());
    }
    const noc::Layout& layout = noc::layout(GetParam());
};

TEST_P(NocCoordinates, TablesAreThoseOfFirmware) {
    reference::NocModel model(GetParam());
    const std::uint32_t first = noc::offset::x_translate_table, end = id_logical();
    for (unsigned noc = 0; noc < noc::nocs; ++noc)
        for (unsigned i = 0; i < layout.tiles(); ++i) {
            const Place own = layout.place(i);
            Words words = tables(noc, own);
            const auto expected = [&](std::uint32_t offset) { return model.load(own.x, own.y, noc, offset); };
            for (std::uint32_t offset = first; offset < end; offset += 4) EXPECT_EQ(at(words, offset), expected(offset)) << std::hex << offset;
            EXPECT_EQ(at(words, noc::offset::niu_cfg_0), noc::translate_enable);
            // Blackhole's tiles of other kinds have names of their own.
            if (!blackhole() || layout.kind(own) == noc::TileKind::tensix) {
                EXPECT_EQ(at(words, id_logical()), expected(id_logical())) << describe(own);
            }
            if (!blackhole()) {
                // Words behind its registers stay as they were.
                for (std::uint32_t offset = end + 4; offset < noc::offset::configuration + 4 * words.size(); offset += 4)
                    EXPECT_EQ(at(words, offset), 0u) << std::hex << offset;
                continue;
            }
            for (std::uint32_t offset = noc::offset::col_mask; offset <= noc::offset::ddr_col_swap; offset += 4)
                EXPECT_EQ(at(words, offset), expected(offset)) << std::hex << offset;
        }
}

TEST_P(NocCoordinates, OtherBitsOfTheConfigurationStay) {
    Words words{};
    at(words, noc::offset::niu_cfg_0) = 1u << 12 | 1u << 31;
    at(words, noc::offset::router_cfg_1) = 0x301;
    noc::enable_translation(layout, 0, {1, 2}, 0, words);
    EXPECT_EQ(at(words, noc::offset::niu_cfg_0), 1u << 12 | 1u << 14 | 1u << 31);
    EXPECT_EQ(at(words, noc::offset::router_cfg_1), 0x301u);
    // Tables that are written again have nothing of what was there.
    noc::enable_translation(layout, 1, {1, 2}, 0, words);
    Words fresh = tables(1, {1, 2});
    for (std::uint32_t offset = noc::offset::x_translate_table; offset <= id_logical(); offset += 4) EXPECT_EQ(at(words, offset), at(fresh, offset));
}

// Harvested rows of Wormhole come behind the others, from Y 18 on; columns of Blackhole behind the others in the places of columns.
TEST_P(NocCoordinates, WorkingTilesComeBeforeThoseThatAreSwitchedOff) {
    const std::vector<unsigned> order = blackhole() ? std::vector<unsigned>{1, 3, 4, 5, 6, 7, 10, 12, 13, 14, 15, 16, 2, 11}
                                                    : std::vector<unsigned>{1, 3, 4, 5, 7, 8, 9, 10, 2, 11};
    const std::vector<unsigned> columns{1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16};
    const std::uint32_t harvested = 1u << 2 | 1u << 11;
    for (unsigned noc = 0; noc < noc::nocs; ++noc)
        for (unsigned i = 0; i < order.size(); ++i) {
            const auto line = static_cast<std::uint8_t>(order[i]);
            const Place own = blackhole() ? Place{line, 7} : Place{6, line};
            const unsigned x = blackhole() ? columns[i] : 22, y = blackhole() ? 7 : 18 + i;
            Words words = tables(noc, own, harvested);
            EXPECT_EQ(meant(words, noc, x, y), own) << x << ", " << y << " of NoC " << noc;
            EXPECT_EQ(at(words, id_logical()), x | y << 6) << describe(own);
        }
}

// Any tables.
TEST_P(NocCoordinates, TranslationIsThatOfThePage) {
    std::mt19937 random(3);
    for (unsigned round = 0; round < 30; ++round) {
        Words words;
        for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
        reference::noc::Niu niu;
        niu.arch = GetParam();
        for (std::uint32_t offset = noc::offset::configuration; offset < noc::register_map(GetParam()).configuration_end; offset += 4)
            niu.configuration_words[(offset - noc::offset::configuration) / 4] = at(words, offset);
        for (unsigned x = 0; x < 32; ++x)
            for (unsigned y = 0; y < 32; ++y) {
                const unsigned first_x = random() % 32, first_y = random() % 32;
                const noc::Coordinates there = noc::translate(GetParam(), words, {x | y << 6 | first_x << 12 | first_y << 18});
                const auto last = reference::noc::translate(niu, {x, y}).value(), first = reference::noc::translate(niu, {first_x, first_y}).value();
                ASSERT_EQ(std::pair(there.x(), there.y()), std::pair(last.x, last.y)) << x << ", " << y;
                ASSERT_EQ(std::pair(there.first_x(), there.first_y()), std::pair(first.x, first.y)) << first_x << ", " << first_y;
            }
    }
}

// Wormhole's page has no tables for coordinates from 32 on.
TEST_P(NocCoordinates, TablesOfBlackholeAreUsedModulo32) {
    if (!blackhole()) return;
    const Words words = tables(0, {1, 2});
    for (unsigned x = 0; x < 32; ++x)
        for (unsigned y = 2; y < 32; ++y) {  // the rows above keep their X
            const std::uint32_t expected = noc::translate(GetParam(), words, {x | y << 6}).bits & 0xFFF;
            EXPECT_EQ(noc::translate(GetParam(), words, {x | (y + 32) << 6}).bits & 0xFFF, expected);
            EXPECT_EQ(noc::translate(GetParam(), words, {(x + 32) | y << 6}).bits & 0xFFF, expected);
        }
}

TEST_P(NocCoordinates, PlacesEndWithTheChip) {
    const unsigned width = layout.width, height = layout.height;
    EXPECT_EQ(noc::place_of(layout, 0, 3, 4), (Place{3, 4}));
    EXPECT_EQ(noc::place_of(layout, 1, 0, 0), layout.place(layout.tiles() - 1));
    EXPECT_TRUE(noc::place_of(layout, 1, width - 1, height - 1));
    EXPECT_FALSE(noc::place_of(layout, 0, width, 0));
    EXPECT_FALSE(noc::place_of(layout, 0, 0, height));
    const auto rectangle = noc::rectangle_of(layout, 0, {5u | 6u << 6 | 3u << 12 | 2u << 18});
    ASSERT_TRUE(rectangle);
    EXPECT_EQ(rectangle->first, (Place{3, 2}));
    EXPECT_EQ(rectangle->last, (Place{5, 6}));
    EXPECT_FALSE(noc::rectangle_of(layout, 0, {width | 6u << 6 | 3u << 12 | 2u << 18}));
    EXPECT_FALSE(noc::rectangle_of(layout, 0, {5u | 6u << 6 | 3u << 12 | height << 18}));
}

INSTANTIATE_TEST_SUITE_P(Chips, NocCoordinates, testing::ValuesIn(all_archs), [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace

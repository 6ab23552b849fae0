// SPDX-License-Identifier: Apache-2.0
// Broadcasts: the reference against the pages. Each test is named after a page or a register and has its words.
#include <algorithm>
#include <vector>
#include <utility>

#include "support/noc_pages.hpp"

namespace tessera::test {
namespace {

// Which tiles got the 16 bytes at 0x2000, in the order of rows.
class NocBroadcasts : public NocPages {
protected:
    NocBroadcasts() {
        for (unsigned i = 0; i < 16; ++i) l1(a)[0x1000 + i] = 0xEE;
        for (unsigned y = 0; y < 12; ++y)
            for (unsigned x = 0; x < width(); ++x)
                if (Bytes& bytes = model.l1(x, y); !bytes.empty()) std::fill_n(bytes.begin() + 0x2000, 16, 0);
    }
    std::vector<std::pair<unsigned, unsigned>> reached() {
        std::vector<std::pair<unsigned, unsigned>> tiles;
        for (unsigned y = 0; y < 12; ++y)
            for (unsigned x = 0; x < width(); ++x)
                if (const Bytes& bytes = model.l1(x, y); !bytes.empty() && bytes[0x2000] == 0xEE)
                    tiles.emplace_back(x, y);
        return tiles;
    }
    std::string send(std::uint32_t place, std::uint32_t ctrl) {
        targ(a, 0x1000, a);
        address(a, 0x0C, 0x2000, place);
        return go(a, write | broadcast | ctrl, 16);
    }
    using Tiles = std::vector<std::pair<unsigned, unsigned>>;
};

TEST_P(NocBroadcasts, Rectangle) {
    ASSERT_EQ(send(rectangle({2, 3}, {3, 4}), marked), "");
    EXPECT_EQ(reached(), (Tiles{{2, 3}, {3, 3}, {2, 4}, {3, 4}}));
    EXPECT_EQ(counters(a), (Counters{{1, 4}, {4, 1}, {8, 1}, {10, 1}, {12, 1}, {16 + 3, 253}}));
    EXPECT_EQ(counters(b), (Counters{{49, 1}, {56, 1}, {58, 1}, {60, 1}}));
}

TEST_P(NocBroadcasts, SourceInclude) {
    ASSERT_EQ(send(rectangle({1, 2}, {2, 2}), 0), "");
    EXPECT_EQ(reached(), (Tiles{{2, 2}}));
    EXPECT_EQ(counters(a), (Counters{{4, 1}, {9, 1}, {11, 1}, {13, 1}}));
    ASSERT_EQ(send(rectangle({1, 2}, {2, 2}), source_too | y_major), "");
    EXPECT_EQ(reached(), (Tiles{{1, 2}, {2, 2}}));
    if (!blackhole()) {
        EXPECT_EQ(load(a, 0x1C) >> 10 & 7, noc() ? 1u | 4u : 1u | 4u);
    }
}

// StartX > EndX: x <= EndX or StartX <= x.
TEST_P(NocBroadcasts, Wraps) {
    const unsigned last = width() - 1;
    ASSERT_EQ(send(rectangle({last, 11}, {2, 2}), 0), "");
    EXPECT_EQ(reached(), blackhole() ? (Tiles{{2, 2}, {16, 2}, {1, 11}, {2, 11}, {16, 11}})
                                     : (Tiles{{1, 1}, {2, 1}, {9, 1}, {2, 2}, {9, 2}, {1, 11}, {2, 11}, {9, 11}}));
}

TEST_P(NocBroadcasts, RouterCfg1AndRouterCfg3) {
    const Place place = noc() ? mirrored(b) : b;
    EXPECT_EQ(load(a, 0x108), noc() ? (blackhole() ? 0x1'0180u : 0x210u) : (blackhole() ? 0x301u : 0x21u));
    EXPECT_EQ(load(a, 0x110), noc() ? (blackhole() ? 0xC00u : 0x820u) : (blackhole() ? 0x3u : 0x41u));
    store(b, 0x108, 1u << place.x);
    ASSERT_EQ(send(rectangle({2, 3}, {3, 4}), 0), "");
    EXPECT_EQ(reached(), (Tiles{{2, 3}, {3, 3}, {2, 4}}));
    store(b, 0x108, ~(1u << place.x));
    store(b, 0x110, 1u << place.y);
    ASSERT_EQ(send(rectangle({3, 4}, {3, 4}), 0), "");
    EXPECT_EQ(reached(), (Tiles{{2, 3}, {3, 3}, {2, 4}}));
    store(b, 0x110, ~(1u << place.y));
    ASSERT_EQ(send(rectangle({3, 4}, {3, 4}), 0), "");
    EXPECT_EQ(reached().size(), 4u);
    // Only Tensix tiles can receive broadcasts.
    store({0, 2}, 0x108, 0);
    store({0, 2}, 0x110, 0);
    EXPECT_NE(send(rectangle({0, 2}, {1, 3}), 0), "");
}

TEST_P(NocBroadcasts, NocBrcstExclude) {
    if (!blackhole()) return;
    const auto exclude = [&](Place at, unsigned x_direction, unsigned y_direction) {
        const Place place = noc() ? mirrored(at) : at;
        if (noc()) x_direction = 1 - x_direction, y_direction = 1 - y_direction;
        store(a, 0x2C, 1 << 22 | y_direction << 21 | x_direction << 20 | place.y << 14 | place.x << 8);
    };
    // x >= 3 and y <= 3 are left out.
    exclude({3, 3}, 1, 0);
    ASSERT_EQ(send(rectangle({2, 3}, {4, 4}), marked), "");
    EXPECT_EQ(reached(), (Tiles{{2, 3}, {2, 4}, {3, 4}, {4, 4}}));
    EXPECT_EQ(counters(a).at(1), 4u);
    EXPECT_NE(send(rectangle({16, 3}, {2, 4}), 0), "");
    store(a, 0x2C, 1);
    EXPECT_NE(send(rectangle({2, 3}, {4, 4}), 0), "");
}

TEST_P(NocBroadcasts, AtomicsAndInlineWrites) {
    for (const Place at : {Place{2, 3}, Place{3, 3}}) set_word(at, 0x2000, 7);
    address(a, 0x00, 0x2000, rectangle({2, 3}, {3, 3}));
    ret(a, 0x3000, a);
    ASSERT_EQ(go(a, atomic | broadcast | marked, 1 << 12 | 31 << 2, 1), "");
    EXPECT_EQ(word({2, 3}, 0x2000), 8u);
    EXPECT_EQ(word({3, 3}, 0x2000), 8u);
    EXPECT_EQ(word(a, 0x3000), 7u);
    EXPECT_EQ(counters(a), (Counters{{0, 2}, {4, 1}, {6, 1}, {15, 1}, {16 + 3, 255}}));
    // Two results, and nothing says which comes last.
    set_word({2, 3}, 0x2000, 1);
    EXPECT_NE(again(a), "");
    address(a, 0x00, 0xFFB2'010C + noc() * 0x1'0000, rectangle({2, 3}, {3, 3}));
    ASSERT_EQ(go(a, write | inlined | broadcast | marked, 0, 0x77), "");
    EXPECT_EQ(load({2, 3}, 0x10C), 0x77u);
    EXPECT_EQ(load({3, 3}, 0x10C), 0x77u);
    EXPECT_EQ(counters(a).at(1), 2u);
}

TEST_P(NocBroadcasts, Splitting) {
    targ(a, 0x10000, a);
    address(a, 0x0C, 0x40000, rectangle({2, 3}, {3, 3}));
    ASSERT_EQ(go(a, write | broadcast | marked, packet() + 16), "");
    EXPECT_EQ(l1({2, 3}, 0x40000, packet() + 16), l1(a, 0x10000, packet() + 16));
    EXPECT_EQ(l1({3, 3}, 0x40000, packet() + 16), l1(a, 0x10000, packet() + 16));
    EXPECT_EQ(counters(a), (Counters{{1, 4}, {4, 2}, {8, 257}, {10, 2}, {12, 2}, {16 + 3, 254}}));
}
INSTANTIATE_TEST_SUITE_P(Chips, NocBroadcasts, chips_and_nocs, chip_and_noc);

}  // namespace
}  // namespace tessera::test

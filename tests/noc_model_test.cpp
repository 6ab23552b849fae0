// SPDX-License-Identifier: Apache-2.0
// The reference of NIUs and NoCs against the pages: each test is named after a page or a register and has its words.
#include "reference/noc/noc_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

namespace tessera::test {
namespace {

using reference::NocModel;
using Bytes = std::vector<std::uint8_t>;
using Counters = std::map<unsigned, std::uint32_t>;

constexpr std::uint32_t read = 0, atomic = 1, write = 2, byte_enables = 1 << 2, inlined = 1 << 3, marked = 1 << 4,
                        broadcast = 1 << 5, linked = 1 << 6, static_vc = 1 << 7, y_major = 1 << 16,
                        source_too = 1 << 17;
constexpr std::uint32_t header_store = 1 << 9;
constexpr std::uint32_t niu_cfg_0 = 0x100, translation = 1 << 14;

struct Place {
    unsigned x, y;
};

class NocPages : public testing::TestWithParam<std::tuple<Arch, unsigned>> {
public:
    NocPages() : model(arch()) {
        for (const Place at : {a, b, c})
            std::iota(l1(at).begin(), l1(at).begin() + 0x4'0000, static_cast<std::uint8_t>(at.x * 16));
    }

protected:
    static Arch arch() { return std::get<0>(GetParam()); }
    static bool blackhole() { return arch() == Arch::blackhole; }
    static unsigned noc() { return std::get<1>(GetParam()); }
    static unsigned width() { return blackhole() ? 17 : 10; }
    static std::uint32_t flit() { return blackhole() ? 64 : 32; }
    static std::uint32_t packet() { return flit() * 256; }
    static std::uint32_t initiator(unsigned i) { return i * (blackhole() ? 0x800 : 0x400); }
    static std::uint32_t at_data() { return blackhole() ? 0x28 : 0x24; }
    static std::uint32_t cmd_ctrl() { return blackhole() ? 0x40 : 0x28; }
    static std::uint32_t id_logical() { return blackhole() ? 0x148 : 0x138; }

    Bytes& l1(Place at) { return model.l1(at.x, at.y); }
    Bytes l1(Place at, std::size_t from, std::size_t size) {
        const auto first = l1(at).begin() + static_cast<std::ptrdiff_t>(from);
        return {first, first + static_cast<std::ptrdiff_t>(size)};
    }
    std::uint32_t word(Place at, std::size_t from) {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i) value |= std::uint32_t{l1(at)[from + i]} << 8 * i;
        return value;
    }
    void set_word(Place at, std::size_t from, std::uint32_t value) {
        for (unsigned i = 0; i < 4; ++i) l1(at)[from + i] = static_cast<std::uint8_t>(value >> 8 * i);
    }

    void store(Place at, std::uint32_t offset, std::uint32_t value) {
        ASSERT_EQ(model.store(at.x, at.y, noc(), offset, value), "");
    }
    std::uint32_t load(Place at, std::uint32_t offset) { return model.load(at.x, at.y, noc(), offset); }

    /// A Tensix tile's coordinates as software of the default translation writes them: those of NoC 0 on Blackhole.
    static Place raw(Place at) { return noc() && !blackhole() ? mirrored(at) : at; }
    static Place mirrored(Place at) { return {width() - 1 - at.x, 11 - at.y}; }
    void address(Place from, std::uint32_t lo, std::uint64_t memory, std::uint32_t place, unsigned i = 0) {
        store(from, initiator(i) + lo, static_cast<std::uint32_t>(memory));
        const auto high = static_cast<std::uint32_t>(memory >> 32);
        store(from, initiator(i) + lo + 4, blackhole() ? high : high | place << 4);
        if (blackhole()) store(from, initiator(i) + lo + 8, place);
    }
    void targ(Place from, std::uint64_t memory, Place to) { address(from, 0x00, memory, raw(to).x | raw(to).y << 6); }
    void ret(Place from, std::uint64_t memory, Place to) { address(from, 0x0C, memory, raw(to).x | raw(to).y << 6); }
    /// A rectangle of Tensix tiles from one corner to another, both on NoC 0.
    static std::uint32_t rectangle(Place start, Place end) {
        if (noc()) std::swap(start, end);
        return raw(end).x | raw(end).y << 6 | raw(start).x << 12 | raw(start).y << 18;
    }
    std::string go(Place from, std::uint32_t ctrl, std::uint64_t length, std::uint32_t data = 0, unsigned id = 3,
                   std::uint32_t flags = 0) {
        store(from, 0x18, id << 10 | flags);
        store(from, 0x1C, ctrl);
        store(from, 0x20, static_cast<std::uint32_t>(length));
        if (blackhole()) store(from, 0x24, static_cast<std::uint32_t>(length >> 32));
        store(from, at_data(), data);
        return again(from);
    }
    std::string again(Place from) { return model.store(from.x, from.y, noc(), cmd_ctrl(), 1); }

    Counters counters(Place at) {
        Counters all;
        for (unsigned i = 0; i < 64; ++i)
            if (const std::uint32_t value = load(at, 0x200 + 4 * i)) all[i] = value;
        return all;
    }
    /// All words of an NIU, and L1.
    std::pair<std::vector<std::uint32_t>, Bytes> everything(Place at) {
        std::vector<std::uint32_t> words;
        for (std::uint32_t offset = 0; offset < 0x2000; offset += 4)
            if (offset != 0x378) words.push_back(load(at, offset));
        return {words, l1(at)};
    }
    /// Expects a refusal that changes nothing.
    void expect_refused(Place from, std::uint32_t ctrl, std::uint64_t length, const std::string& part,
                        std::uint32_t data = 0, std::uint32_t flags = 0) {
        EXPECT_EQ(go(from, 3, length, data, 3, flags), "request type 3 is reserved");
        store(from, 0x1C, ctrl);
        const auto before_a = everything(a), before_b = everything(b);
        const std::string why = again(from);
        EXPECT_NE(why.find(part), std::string::npos) << why;
        EXPECT_TRUE(everything(a) == before_a);
        EXPECT_TRUE(everything(b) == before_b);
    }

    const Place a{1, 2}, b{3, 4}, c{6, 7};  // Tensix tiles of both chips
    const Place dram{0, 1}, same_dram{0, 11}, other_dram{0, 5};
    NocModel model;
};

TEST_P(NocPages, NocNodeId) {
    for (unsigned y = 0; y < 12; ++y)
        for (unsigned x = 0; x < width(); ++x) {
            const std::uint32_t id = load({x, y}, blackhole() ? 0x44 : 0x2C);
            const Place place = noc() ? mirrored({x, y}) : Place{x, y};
            EXPECT_EQ(id & 63, place.x);
            EXPECT_EQ(id >> 6 & 63, place.y);
            EXPECT_EQ(id >> 12 & 127, width());
            EXPECT_EQ(id >> 19 & 127, 12u);
            EXPECT_EQ(id >> 28, noc() == 0 ? 1u : 0u);
            EXPECT_EQ(load({x, y}, initiator(3) + (blackhole() ? 0x44 : 0x2C)), id);
        }
    store(a, blackhole() ? 0x44 : 0x2C, 0);
    EXPECT_NE(load(a, blackhole() ? 0x44 : 0x2C), 0u);
}

TEST_P(NocPages, NocEndpointId) {
    std::map<std::uint32_t, unsigned> tiles;
    const auto id = [&](Place at) { return load(at, blackhole() ? 0x48 : 0x30); };
    for (unsigned y = 0; y < 12; ++y)
        for (unsigned x = 0; x < width(); ++x) {
            EXPECT_EQ(id({x, y}) >> 24, noc());
            ++tiles[id({x, y}) >> (blackhole() ? 8 : 16) & (blackhole() ? 0xFFFF : 0xFF)];
        }
    if (blackhole()) {
        EXPECT_EQ(tiles[0x0100], 140u);
        EXPECT_EQ(tiles[0x0200], 14u);
        EXPECT_EQ(tiles[0x0800], 24u);
        EXPECT_EQ(tiles[0x0500], 1u);
        EXPECT_EQ(tiles[0x0901], 4u);
        EXPECT_EQ(tiles[0x0A00], 1u);
        EXPECT_EQ(id({1, 2}) & 0xFF, 0u);
        EXPECT_EQ(id({16, 11}) & 0xFF, 139u);
        EXPECT_EQ(id({16, 1}) & 0xFF, 1u);
        EXPECT_EQ(id({9, 8}) & 0xFF, 6u);
        EXPECT_EQ(id({8, 9}) & 0xFF, 1u);
        EXPECT_EQ(id({11, 0}) & 0xFF, 2u);
    } else {
        EXPECT_EQ(tiles[0], 80u);
        EXPECT_EQ(tiles[2], 16u);
        EXPECT_EQ(tiles[8], 18u);
        EXPECT_EQ(tiles[5], 1u);
        EXPECT_EQ(tiles[3], 5u);
        EXPECT_EQ(id({9, 11}) & 0xFF, 79u);
        EXPECT_EQ(id({4, 0}) & 0xFF, 7u);
        EXPECT_EQ(id({9, 6}) & 0xFF, 8u);
        EXPECT_EQ(id({5, 8}) & 0xFF00, 0x0400u);
        EXPECT_EQ(id({0, 3}) & 0xFF, 2u);
    }
}

TEST_P(NocPages, NocIdLogical) {
    const auto logical = [&](Place at) {
        return std::pair(load(at, id_logical()) & 63, load(at, id_logical()) >> 6 & 63);
    };
    if (blackhole()) {
        EXPECT_EQ(logical({1, 2}), std::pair(1u, 2u));
        EXPECT_EQ(logical({16, 1}), std::pair(21u, 25u));
        EXPECT_EQ(logical({9, 0}), std::pair(17u, 12u));
        EXPECT_EQ(logical({0, 8}), std::pair(18u, 23u));
        EXPECT_EQ(logical({2, 0}), std::pair(19u, 24u));
        EXPECT_EQ(logical({8, 9}), std::pair(8u, 27u));
        EXPECT_EQ(logical({8, 2}), std::pair(8u, 30u));
    } else {
        EXPECT_EQ(logical({1, 1}), std::pair(18u, 18u));
        EXPECT_EQ(logical({9, 11}), std::pair(25u, 27u));
        EXPECT_EQ(logical({0, 0}), std::pair(16u, 16u));
        EXPECT_EQ(logical({5, 6}), std::pair(17u, 17u));
    }
    store(a, id_logical(), 0xFFFF'F041);
    EXPECT_EQ(load(a, id_logical()), 0xFFFF'F041u);
}

// Words of the vendor's simulator (tile.cpp).
TEST_P(NocPages, NocXIdTranslateTable) {
    if (blackhole()) {
        EXPECT_EQ(load(a, 0x118) & 31, noc() ? 16u : 0u);
        EXPECT_EQ(load(a, 0x118 + 2 * 4) >> 25 & 31, noc() ? 7u : 9u);  // entry 17
        EXPECT_EQ(load(a, 0x150), 0u);
        EXPECT_EQ(load(a, 0x154), 3u);
        return;
    }
    const std::uint32_t x[2][4] = {{0x76543210, 0xFEDCBA98, 0x76432150, 0x98}, {0x76543210, 0xFEDCBA98, 0x23567849, 1}};
    const std::uint32_t y[2][4] = {{0x76543210, 0xFEDCBA98, 0x75432160, 0xBA98},
                                   {0x76543210, 0xFEDCBA98, 0x46789A5B, 0x0123}};
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_EQ(load(a, 0x118 + 4 * i), x[noc()][i]);
        EXPECT_EQ(load(a, 0x128 + 4 * i), y[noc()][i]);
    }
}

TEST_P(NocPages, NocPacketTag) {
    store(a, 0x18, 0xFFFF'FFFF);
    EXPECT_EQ(load(a, 0x18), 0xFFFFu);
    store(a, 0x18, 1 << 6);
    store(a, 0x1C, write);
    store(a, 0x20, 4);
    targ(a, 0, a);
    ret(a, 0, b);
    EXPECT_NE(again(a).find("overlay"), std::string::npos);
}

TEST_P(NocPages, NocCmdCtrl) {
    targ(a, 0x100, b);
    ret(a, 0x2100, a);
    EXPECT_EQ(model.store(a.x, a.y, noc(), cmd_ctrl(), 2), "");
    EXPECT_EQ(counters(a), Counters{});
    EXPECT_EQ(go(a, read, 16), "");
    EXPECT_EQ(load(a, cmd_ctrl()), 0u);
    EXPECT_NE(model.store(dram.x, dram.y, noc(), cmd_ctrl(), 1), "");
    EXPECT_NE(model.store(a.x, a.y, noc(), 0x3C, 1), "");
}

TEST_P(NocPages, ReadRequests) {
    targ(a, 0x105, b);
    ret(a, 0x2105, a);
    ASSERT_EQ(go(a, read, 100), "");
    EXPECT_EQ(l1(a, 0x2105, 100), l1(b, 0x105, 100));
    EXPECT_EQ(l1(a)[0x2104], static_cast<std::uint8_t>(0x2104 + 16));
    const std::uint32_t words = blackhole() ? 2 : 4;
    EXPECT_EQ(counters(a), (Counters{{2, 1}, {3, words}, {4, 1}, {5, 1}, {14, 1}}));
    EXPECT_EQ(counters(b), (Counters{{50, 1}, {51, words}, {52, 1}, {53, 1}}));
}

// "Software is strongly encouraged to set the coordinates to those of the initiating NIU", and need not.
TEST_P(NocPages, ReadRequestsWithAnotherReturn) {
    targ(a, 0x100, b);
    ret(a, 0x2100, c);
    ASSERT_EQ(go(a, read, 32), "");
    EXPECT_EQ(l1(c, 0x2100, 32), l1(b, 0x100, 32));
    EXPECT_EQ(counters(a), (Counters{{4, 1}, {5, 1}, {14, 1}, {16 + 3, 1}}));
    EXPECT_EQ(counters(c), (Counters{{2, 1}, {3, 1}, {16 + 3, 255}}));
    address(a, 0x0C, 0x2100, blackhole() ? 18 | 13 << 6 : 16 | 18 << 6);
    expect_refused(a, read, 32, "no request initiators");
}

TEST_P(NocPages, WriteRequests) {
    targ(a, 0x103, a);
    ret(a, 0x2103, b);
    ASSERT_EQ(go(a, write | marked, 70), "");
    EXPECT_EQ(l1(b, 0x2103, 70), l1(a, 0x103, 70));
    const std::uint32_t words = blackhole() ? 2 : 3;
    EXPECT_EQ(counters(a), (Counters{{1, 1}, {4, 1}, {8, words}, {10, 1}, {12, 1}}));
    EXPECT_EQ(counters(b), (Counters{{49, 1}, {56, words}, {58, 1}, {60, 1}}));
}

TEST_P(NocPages, WriteRequestsPosted) {
    // Nobody is told, so NOC_TARG_ADDR's coordinates have no effect.
    targ(a, 0x100, {0, 2});
    ret(a, 0x2100, b);
    ASSERT_EQ(go(a, write, 16), "");
    EXPECT_EQ(l1(b, 0x2100, 16), l1(a, 0x100, 16));
    EXPECT_EQ(counters(a), (Counters{{4, 1}, {9, 1}, {11, 1}, {13, 1}}));
    EXPECT_EQ(counters(b), (Counters{{57, 1}, {59, 1}, {61, 1}}));
}

TEST_P(NocPages, WriteRequestsWithAnotherAcknowledged) {
    targ(a, 0x100, c);
    ret(a, 0x2100, b);
    ASSERT_EQ(go(a, write | marked, 16, 0, 5), "");
    EXPECT_EQ(l1(b, 0x2100, 16), l1(a, 0x100, 16));
    EXPECT_EQ(counters(a), (Counters{{4, 1}, {8, 1}, {10, 1}, {12, 1}, {16 + 5, 1}}));
    EXPECT_EQ(counters(c), (Counters{{1, 1}, {16 + 5, 255}}));
}

TEST_P(NocPages, WriteRequestsInline) {
    targ(a, 0x2105, b);
    if (blackhole()) {
        expect_refused(a, write | inlined | marked, 0xF, "not safe on Blackhole", 0x4433'2211);
        return;
    }
    const Bytes before = l1(b, 0x2100, 16);
    ASSERT_EQ(go(a, write | inlined | marked, 0x8001'0012, 0x4433'2211), "");
    const std::map<unsigned, std::uint8_t> changed = {{0, 0x11}, {1, 0x22}, {4, 0x11}, {15, 0x44}};
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(l1(b)[0x2100 + i], changed.contains(i) ? changed.at(i) : before[i]) << i;
    EXPECT_EQ(counters(a), (Counters{{1, 1}, {4, 1}, {10, 1}, {12, 1}}));
    EXPECT_EQ(counters(b), (Counters{{49, 1}, {56, 1}, {58, 1}, {60, 1}}));
}

TEST_P(NocPages, WriteRequestsInlineToMmio) {
    const std::uint32_t other = noc() ? 0xFFB2'010C : 0xFFB3'010C;
    targ(a, other, b);
    ASSERT_EQ(go(a, write | inlined, 0, 0xCAFE), "");
    EXPECT_EQ(model.load(b.x, b.y, 1 - noc(), 0x10C), 0xCAFEu);
    EXPECT_EQ(counters(a), (Counters{{4, 1}, {11, 1}, {13, 1}}));
    EXPECT_EQ(counters(b), (Counters{{57, 1}, {59, 1}, {61, 1}}));
    targ(a, 0xFFB2'0200, b);
    expect_refused(a, write | inlined, 0, "configuration", 1);
    targ(a, 0xFFB1'21B0, b);
    expect_refused(a, write | inlined, 0, "configuration", 1);
    targ(a, 0xFFB2'010E, b);
    expect_refused(a, write | inlined, 0, "multiples of 4", 1);
}

TEST_P(NocPages, WriteRequestsWithByteEnables) {
    targ(a, 0x1000, a);
    ret(a, 0x2000, b);
    const std::uint64_t mask = blackhole() ? 0xF000'0000'8000'0005 : 0x8000'0005;
    const Bytes before = l1(b, 0x2000, 64);
    ASSERT_EQ(go(a, write | byte_enables | marked, mask), "");
    for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(l1(b)[0x2000 + i], mask >> i & 1 ? l1(a)[0x1000 + i] : before[i]) << i;
    EXPECT_EQ(counters(a), (Counters{{1, 1}, {4, 1}, {8, 1}, {10, 1}, {12, 1}}));
    EXPECT_EQ(counters(b), (Counters{{49, 1}, {56, 1}, {58, 1}, {60, 1}}));
    ret(a, 0x2000 + flit() / 2, b);
    expect_refused(a, write | byte_enables, 1, "destination must be a multiple");
    // To MMIO, the mask is ignored.
    targ(a, 0x100C, a);
    ret(a, 0xFFB2'010C + noc() * 0x1'0000, b);
    ASSERT_EQ(go(a, write | byte_enables, 0), "");
    EXPECT_EQ(load(b, 0x10C), word(a, 0x100C));
}

TEST_P(NocPages, NocPacketTagHeaderStore) {
    targ(a, 0x1000, a);
    ret(a, 0x2000, b);
    ASSERT_EQ(go(a, write, 40, 0x300, 0, header_store), "");
    EXPECT_EQ(l1(b, 0x2000, 40), l1(a, 0x1000, 40));
    EXPECT_EQ(l1(b, 0x3000, 16), l1(a, 0x1000, 16));
    EXPECT_EQ(l1(b)[0x3010], static_cast<std::uint8_t>(0x3010 + 48));
    EXPECT_EQ(counters(b), (Counters{{57, blackhole() ? 1u : 2u}, {59, 1}, {61, 1}}));
    expect_refused(a, write | marked, 40, "posted", 0x300, header_store);
    expect_refused(a, write, 8, "fewer than 128 bits", 0x300, header_store);
    expect_refused(a, write, 64, "overlaps", 0x201, header_store);
}

TEST_P(NocPages, NiuCfg0DoubleStoreDisable) {
    const Place to = blackhole() ? Place{18, 13} : Place{16, 18};
    targ(a, 0x1000, a);
    address(a, 0x0C, 0x40, to.x | to.y << 6);
    store(dram, niu_cfg_0, 1 << 13);
    ASSERT_EQ(go(a, write, 16, 0x10, 0, header_store), "");
    EXPECT_EQ(model.read_dram(0, 1, 0x40, 16), l1(a, 0x1000, 16));
    EXPECT_EQ(model.read_dram(0, 1, 0x100, 16), Bytes(16));
    store(dram, niu_cfg_0, 0);
    address(a, 0x0C, 0x40, to.x | to.y << 6);
    ASSERT_EQ(go(a, write, 16, 0x10, 0, header_store), "");
    EXPECT_EQ(model.read_dram(0, 1, 0x100, 16), l1(a, 0x1000, 16));
}

TEST_P(NocPages, AutomaticRequestSplitting) {
    const std::uint32_t length = 3 * packet() - 48;
    targ(a, 0x10000, a);
    ret(a, 0x40000, b);
    ASSERT_EQ(go(a, write | marked, length), "");
    EXPECT_EQ(l1(b, 0x40000, length), l1(a, 0x10000, length));
    EXPECT_EQ(load(a, 0x00), 0x10000 + 2 * packet());
    EXPECT_EQ(load(a, 0x0C), 0x40000 + 2 * packet());
    EXPECT_EQ(load(a, 0x20), packet() - 48);
    const std::uint32_t words = 3 * 256 - (blackhole() ? 0 : 1);
    EXPECT_EQ(counters(a), (Counters{{1, 3}, {4, 3}, {8, words}, {10, 3}, {12, 3}}));
    EXPECT_EQ(counters(b), (Counters{{49, 3}, {56, words}, {58, 3}, {60, 3}}));

    targ(a, 0x10000, b);
    ret(a, 0x40000, a);
    ASSERT_EQ(go(a, read, length), "");
    EXPECT_EQ(l1(a, 0x40000, length), l1(b, 0x10000, length));
    EXPECT_EQ(load(a, 0x20), packet() - 48);
    EXPECT_EQ(counters(a).at(2), 3u);
    EXPECT_EQ(counters(a).at(3), words);

    targ(a, 0x10008, b);
    ret(a, 0x40008, a);
    expect_refused(a, read, packet() + 1, "split");
    EXPECT_EQ(go(a, read, packet()), "");
}

TEST_P(NocPages, CountersAreEightBitsPerTransaction) {
    targ(a, 0x100, b);
    ret(a, 0x2100, c);
    for (unsigned i = 0; i < 258; ++i) ASSERT_EQ(go(a, read, 4, 0, 9), "");
    EXPECT_EQ(load(a, 0x200 + 4 * (16 + 9)), 2u);
    EXPECT_EQ(load(c, 0x200 + 4 * (16 + 9)), 254u);
    EXPECT_EQ(load(c, 0x208), 258u);
    // "if new_val.Bit[i]"
    const std::uint32_t clear = blackhole() ? 0x60 : 0x50;
    store(a, clear, 0xFFFF & ~(1u << 9));
    EXPECT_EQ(load(a, 0x200 + 4 * (16 + 9)), 2u);
    store(a, clear, 1u << 9);
    EXPECT_EQ(load(a, 0x200 + 4 * (16 + 9)), 0u);
    EXPECT_EQ(load(a, clear), 0u);
    store(a, 0x208, 7);
    EXPECT_EQ(load(a, 0x208), 0u);
}

TEST_P(NocPages, AtomicIncrement) {
    set_word(b, 0x2004, 0xFFFF'FFF0);
    targ(a, 0x2004, b);
    ret(a, 0x3004, a);
    ASSERT_EQ(go(a, atomic | marked, 1 << 12 | 31 << 2 | 1, 0x20), "");
    EXPECT_EQ(word(b, 0x2004), 0x10u);
    EXPECT_EQ(word(a, 0x3004), 0xFFFF'FFF0u);
    EXPECT_EQ(counters(a), (Counters{{0, 1}, {4, 1}, {6, 1}, {15, 1}}));
    EXPECT_EQ(counters(b), (Counters{{48, 1}, {52, 1}, {54, 1}}));
    // 8 bits, of another word than the result's.
    set_word(b, 0x200C, 0x1234'56F0);
    ASSERT_EQ(go(a, atomic | marked, 1 << 12 | 7 << 2 | 3, 0x20), "");
    EXPECT_EQ(word(b, 0x200C), 0x1234'5610u);
    EXPECT_EQ(word(a, 0x3004), 0x10u);
}

TEST_P(NocPages, AtomicPostedAndWithAnotherReturn) {
    set_word(b, 0x2000, 5);
    targ(a, 0x2000, b);
    ret(a, 0x3000, {0, 2});
    ASSERT_EQ(go(a, atomic, 1 << 12 | 31 << 2, 1), "");
    EXPECT_EQ(word(b, 0x2000), 6u);
    EXPECT_EQ(counters(a), (Counters{{4, 1}, {7, 1}}));
    EXPECT_EQ(counters(b), (Counters{{52, 1}, {55, 1}}));
    ret(a, 0x3000, c);
    ASSERT_EQ(go(a, atomic | marked, 1 << 12 | 31 << 2, 1), "");
    EXPECT_EQ(word(c, 0x3000), 6u);
    EXPECT_EQ(counters(c), (Counters{{0, 1}, {16 + 3, 255}}));
    EXPECT_EQ(counters(a).at(16 + 3), 1u);
}

TEST_P(NocPages, AtomicCompareAndSwap) {
    targ(a, 0x2008, b);
    ret(a, 0x3000, a);
    set_word(b, 0x2008, 5);
    ASSERT_EQ(go(a, atomic | marked, 4 << 12 | 9 << 6 | 5 << 2 | 2), "");
    EXPECT_EQ(word(b, 0x2008), 9u);
    EXPECT_EQ(word(a, 0x3000), 5u);
    set_word(b, 0x2008, 0x15);
    ASSERT_EQ(go(a, atomic | marked, 4 << 12 | 9 << 6 | 5 << 2 | 2), "");
    EXPECT_EQ(word(b, 0x2008), 0x15u);
}

TEST_P(NocPages, AtomicSwapMask) {
    for (unsigned i = 0; i < 4; ++i) set_word(b, 0x2000 + 4 * i, 0);
    targ(a, 0x2004, b);
    ASSERT_EQ(go(a, atomic, 3 << 12 | 0b1000'0110 << 2, 0xAABB'CCDD), "");
    EXPECT_EQ(word(b, 0x2000), 0xAABB'0000u);
    EXPECT_EQ(word(b, 0x2004), 0x0000'CCDDu);
    EXPECT_EQ(word(b, 0x2008), 0u);
    EXPECT_EQ(word(b, 0x200C), 0xAABB'0000u);
}

TEST_P(NocPages, AtomicSwapIndex) {
    targ(a, 0x2000, b);
    ret(a, 0x3000, a);
    const std::uint32_t before = word(b, 0x2000);
    ASSERT_EQ(go(a, atomic | marked, 6 << 12 | 1 << 2 | 2, 0x1111), "");
    EXPECT_EQ(word(b, 0x2008), 0x1111u);
    EXPECT_EQ(word(a, 0x3000), before);
    ASSERT_EQ(go(a, atomic | marked, 7 << 12 | 3 << 2, 0x2222), "");
    EXPECT_EQ(word(b, 0x200C), 0x2222u);
    expect_refused(a, atomic | marked, 6 << 12 | 2, "bit 2");
    expect_refused(a, atomic | marked, 2 << 12, "lists no atomic");
    if (!blackhole()) {  // bit 15 is ignored
        ASSERT_EQ(go(a, atomic | marked, 15 << 12 | 1 << 2, 0x3333), "");
        EXPECT_EQ(word(b, 0x2004), 0x3333u);
        return;
    }
    ASSERT_EQ(go(a, atomic | marked, 10 << 12 | 3 << 8 | 1, 0x3333), "");
    EXPECT_EQ(word(b, 0x2004), 0x3333u);
    expect_refused(a, atomic | marked, 15 << 12, "lists no atomic");
}

TEST_P(NocPages, AtomicZaamo) {
    targ(a, 0x2004, b);
    ret(a, 0x3000, a);
    if (!blackhole()) {
        expect_refused(a, atomic | marked, 10 << 12 | 1 << 11, "lists no atomic");
        return;
    }
    const std::uint32_t expected[] = {1, 0xFFFF'FFFD, 0xFFFF'FFFF, 2, 0xFFFF'FFFE, 3, 3, 0xFFFF'FFFE};
    for (unsigned Op = 0; Op < 8; ++Op) {
        set_word(b, 0x2004, 0xFFFF'FFFE);
        ASSERT_EQ(go(a, atomic | marked, 10 << 12 | 1 << 11 | Op << 8 | 1, 3), "");
        EXPECT_EQ(word(b, 0x2004), expected[Op]) << Op;
        EXPECT_EQ(word(a, 0x3000), 0xFFFF'FFFEu);
    }
}

TEST_P(NocPages, AtomicParallelAddition) {
    targ(a, 0x2004, b);
    ret(a, 0x3000, a);
    if (!blackhole()) {  // bit 15 is ignored: an increment of 1 bit
        set_word(b, 0x2000, 3);
        ASSERT_EQ(go(a, atomic, 9 << 12, 1), "");
        EXPECT_EQ(word(b, 0x2000), 2u);
        return;
    }
    const auto add = [&](std::uint32_t Fmt, std::array<std::uint32_t, 4> line, std::uint32_t data) {
        for (unsigned i = 0; i < 4; ++i) set_word(b, 0x2000 + 4 * i, line[i]);
        const std::string why = go(a, atomic, 9 << 12 | Fmt, data);
        std::array<std::uint32_t, 4> sums{};
        for (unsigned i = 0; i < 4; ++i) sums[i] = word(b, 0x2000 + 4 * i);
        return std::pair(why, sums);
    };
    using Result = std::pair<std::string, std::array<std::uint32_t, 4>>;
    const auto fp32 = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    EXPECT_EQ(add(4, {1, 2, 3, 0xFFFF'FFFF}, 5), Result("", {6, 7, 8, 4}));
    EXPECT_EQ(add(13, {1, 2, 3, 0xFFFF'FFFF}, 5), Result("", {6, 7, 8, 4}));
    EXPECT_EQ(add(7, {0x80FF'01FE, 0, 0, 0}, 0x7F05'0505).second[0], 0xFFFF'06FFu);
    EXPECT_EQ(add(15, {0x80FF'01FE, 0, 0, 0}, 0x7F05'0505).second[0], 0xFF04'0603u);
    EXPECT_EQ(add(0, {fp32(1.5f), fp32(-3), 1, fp32(-0.25f)}, fp32(0.25f)),
              Result("", {fp32(1.75f), fp32(-2.75f), fp32(0.25f), 0}));
    EXPECT_EQ(add(10, {0x3F80'3F80, 0, 0, 0}, 0x4000'3F00).second[0], 0x4040'3FC0u);
    EXPECT_EQ(add(1, {0x3C00'3C00, 0, 0, 0}, 0x4000'3800).second[0], 0x4200'3E00u);
    EXPECT_NE(add(0, {fp32(1), 0, 0, 0}, fp32(1e-20f)).first, "");     // must be rounded
    EXPECT_NE(add(0, {fp32(3e38f), 0, 0, 0}, fp32(3e38f)).first, "");  // too large
    EXPECT_NE(add(0, {0x8000'0001, 0, 0, 0}, 0x8000'0000).first, "");  // zeros with signs
    EXPECT_NE(add(3, {}, 0).first, "");
    expect_refused(a, atomic | marked, 9 << 12 | 4, "undefined value");
}

TEST_P(NocPages, AtomicsAreForL1) {
    targ(a, 0xFFB2'0100, b);
    expect_refused(a, atomic, 1 << 12 | 31 << 2, "L1 only");
    address(a, 0x00, 0x40, blackhole() ? 18 | 13 << 6 : 16 | 18 << 6);
    expect_refused(a, atomic, 1 << 12 | 31 << 2, "L1 only");
    targ(a, 0x2002, b);
    expect_refused(a, atomic, 1 << 12 | 31 << 2, "multiple of 4");
    targ(a, 0x2000, b);
    ret(a, 0x3002, a);
    expect_refused(a, atomic | marked, 1 << 12 | 31 << 2, "word of L1");
}

TEST_P(NocPages, DramTiles) {
    const Bytes data = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    model.write_dram(dram.x, dram.y, 0x4000'0000, data);
    EXPECT_EQ(model.read_dram(same_dram.x, same_dram.y, 0x4000'0000, 16), data);
    EXPECT_EQ(model.read_dram(other_dram.x, other_dram.y, 0x4000'0000, 16), Bytes(16));
    // Its third endpoint, by translated coordinates.
    address(a, 0x00, 0x4000'0000, blackhole() ? 18 | 14 << 6 : 16 | 27 << 6);
    ret(a, 0x2000, a);
    ASSERT_EQ(go(a, read, 16), "");
    EXPECT_EQ(l1(a, 0x2000, 16), data);
    EXPECT_EQ(counters(same_dram), (Counters{{50, 1}, {51, 1}, {52, 1}, {53, 1}}));
    ret(a, 0x2000 + flit() / 2, a);
    expect_refused(a, read, 16, "congruent");
    address(a, 0x00, blackhole() ? 0xFEFF'FFF0 : 0x7FFF'FFF0, blackhole() ? 18 | 14 << 6 : 16 | 27 << 6);
    ret(a, 0x2000 + (flit() - 16), a);
    expect_refused(a, read, 17, "DRAM");
}

TEST_P(NocPages, NiuBase) {
    // "0xF_????_?000" of other tiles on Wormhole; their own bases on Blackhole.
    const auto at = [&](std::uint64_t memory, std::uint32_t place) {
        address(a, 0x00, memory, place);
        ret(a, 0x2000, a);
        const std::string why = go(a, read, 4);
        return why.empty() ? word(a, 0x2000) : 0xBAD;
    };
    const Place arc = blackhole() ? Place{8, 0} : Place{0, 10}, empty = blackhole() ? Place{1, 0} : Place{0, 2};
    for (const Place place : {arc, empty, dram}) store(place, 0x10C, 0x1234);
    if (blackhole()) {
        // Rows 0 and 1: X is not translated, Y is.
        const std::uint32_t row_0 = 0, base = 0xFFB2'010C;
        EXPECT_EQ(at(0xFFFF'FFFF'0000'0000 | base, 8 | row_0), 0x1234u);
        EXPECT_EQ(at(0xFFFF'FFFF'0001'0000 + base, 8 | row_0), 0x1234u);
        EXPECT_EQ(at(base, 8 | row_0), 0xBADu);
        EXPECT_EQ(at(base, (noc() ? 15 : 1) | row_0), 0x1234u);
        EXPECT_EQ(at(0x77'0000'0000 | (base + noc() * 0x1'0000), 18 | 13 << 6), 0x1234u);
        EXPECT_EQ(at(0x77'0000'0000 | (base + (1 - noc()) * 0x1'0000), 18 | 13 << 6), 0u);
    } else {
        EXPECT_EQ(at(0xF'FFB2'010C, 16 | 26 << 6), 0x1234u);
        EXPECT_EQ(at(0xF'0000'710C, 16 | 26 << 6), 0x1234u);
        EXPECT_EQ(at(0x0'FFB2'010C, 16 | 26 << 6), 0xBADu);
        EXPECT_EQ(at(0xF'FFB2'010C, 16 | 19 << 6), 0x1234u);
        EXPECT_EQ(at(0xF'FFB3'010C, 16 | 18 << 6), 0x1234u);
        store(b, 0x10C, 0x5678);
        EXPECT_EQ(at(0x7'FFB2'010C + noc() * 0x1'0000, raw(b).x | raw(b).y << 6), 0x5678u);
    }
}

TEST_P(NocPages, Alignment) {
    targ(a, 0x101, b);
    ret(a, 0x2102, a);
    expect_refused(a, read, 16, "congruent modulo 16");
    targ(a, blackhole() ? 1536 * 1024 - 16 : 1464 * 1024 - 16, b);
    ret(a, 0x2100, a);
    expect_refused(a, read, 17, "L1");
    EXPECT_EQ(go(a, read, 16), "");
    expect_refused(a, read, 0, "0 bytes");
    targ(a, 0xFFB2'0100, b);
    expect_refused(a, read, 8, "4 bytes");
    targ(a, 0x100, a);
    ret(a, 0x110, a);
    expect_refused(a, write, 32, "overlap");
    EXPECT_EQ(go(a, write, 16), "");
    address(a, 0x0C, 0x1'0000'0100, raw(b).x | raw(b).y << 6);
    expect_refused(a, write, 16, "L1");
}

TEST_P(NocPages, NocCtrl) {
    targ(a, 0x100, a);
    ret(a, 0x2100, b);
    expect_refused(a, 3, 4, "reserved");
    expect_refused(a, read | broadcast, 4, "broadcast");
    expect_refused(a, write | 1 << 20, 4, "reserved bits");
    expect_refused(a, write | 1u << 31, 4, blackhole() ? "L1_ACC" : "reserved bits");
    expect_refused(a, write | static_vc | 4 << 13, 4, "class bits");
    EXPECT_EQ(go(a, write | static_vc | 1 << 13 | 5u << 27, 4), "");
    if (blackhole()) {
        expect_refused(a, write | 1 << 10, 4, "reserved bits");
        return;
    }
    // The first router's ports: NoC 0 goes along X first, NoC 1 along Y.
    EXPECT_EQ(load(a, 0x1C) >> 10 & 7, noc() ? 2u : 4u);
    EXPECT_EQ(again(a), "");
    ret(a, 0x2100, a);
    EXPECT_EQ(go(a, write, 4), "");
    EXPECT_EQ(load(a, 0x1C) >> 10 & 7, 1u);
    ret(a, 0x2100, {a.x, b.y});
    EXPECT_EQ(go(a, write, 4), "");
    EXPECT_EQ(load(a, 0x1C) >> 10 & 7, 2u);
    ret(a, 0x2100, {b.x, a.y});
    EXPECT_EQ(go(a, write, 4), "");
    EXPECT_EQ(load(a, 0x1C) >> 10 & 7, 4u);
}

TEST_P(NocPages, NocCmdVcLinked) {
    targ(a, 0x100, a);
    ret(a, 0x2100, b);
    ASSERT_EQ(go(a, write | linked | static_vc | 1 << 13, 4), "");
    expect_refused(a, write | static_vc, 4, "virtual channel");
    ret(a, 0x2100, c);
    expect_refused(a, write, 4, "another destination");
    ret(a, 0x2200, b);
    ASSERT_EQ(go(a, write, 4), "");
    ret(a, 0x2100, c);
    ASSERT_EQ(go(a, write, 4), "");
}

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

TEST_P(NocPages, CoordinateTranslation) {
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
TEST_P(NocPages, NocIdLogicalNamesItsTile) {
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

TEST_P(NocPages, TranslationAlgorithm) {
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

TEST_P(NocPages, Interrupts) {
    if (!blackhole()) {
        EXPECT_EQ(load(a, 0x37C), 0u);
        return;
    }
    const auto request = [&](unsigned id) {
        targ(a, 0x100, b);
        ret(a, 0x2100, a);
        ASSERT_EQ(go(a, read, 16, 0, id), "");
    };
    request(6);
    EXPECT_EQ(load(a, 0x37C), 0x40u);
    request(9);
    EXPECT_EQ(load(a, 0x37C), 0x240u);
    store(a, 0x37C, 0);
    EXPECT_EQ(load(a, 0x378), 0u);  // none is enabled
    store(a, 0x178, 1 << 9);
    EXPECT_EQ(load(a, 0x378), 9u);
    EXPECT_EQ(load(a, 0x37C), 0x40u);
    store(a, 0x178, 1 << 28 | 1 << 6);
    EXPECT_EQ(load(a, 0x378), 6u);
    EXPECT_EQ(load(a, 0x37C), 0x40u);
    store(a, 0x17C, 0x40);
    EXPECT_EQ(load(a, 0x37C), 0u);
    EXPECT_EQ(load(a, 0x17C), 0u);
    // A broadcast sets the bit with its first acknowledgement, then the counter wraps.
    targ(a, 0x1000, a);
    address(a, 0x0C, 0x2000, rectangle({2, 3}, {3, 4}));
    ASSERT_EQ(go(a, write | broadcast | marked, 16, 0, 2), "");
    EXPECT_EQ(load(a, 0x37C), 4u);
    EXPECT_EQ(load(a, 0x200 + 4 * 18), 253u);
}

TEST_P(NocPages, NiuCfg0) {
    targ(a, 0x100, b);
    ret(a, 0x2100, a);
    store(b, niu_cfg_0, translation | 1 << 12);
    expect_refused(a, read, 16, "disabled");
    store(b, niu_cfg_0, translation);
    EXPECT_EQ(go(a, read, 16), "");
    if (!blackhole()) return;
    store(a, niu_cfg_0, translation | 1 << 16);
    expect_refused(a, read, 16, "FIFO");
    store(a, niu_cfg_0, translation);
    store(dram, niu_cfg_0, translation | 1 << 15);
    address(a, 0x00, 0x40, 18 | 13 << 6);
    expect_refused(a, read, 16, "RISC-V core");
}

// WormholeB0: "the counters at index zero will be decremented when the write acknowledgement arrives".
TEST_P(NocPages, AcknowledgementsOfPcieAndArc) {
    if (blackhole()) return;
    targ(a, 0x1000, a);
    address(a, 0x0C, 0xF'FFB2'010C, 16 | 26 << 6);
    set_word(a, 0x100C, 0x55);
    targ(a, 0x100C, a);
    ASSERT_EQ(go(a, write | marked, 4, 0, 7), "");
    EXPECT_EQ(load({0, 10}, 0x10C), 0x55u);
    EXPECT_EQ(load(a, 0x200 + 4 * (16 + 7)), 1u);
    EXPECT_EQ(load(a, 0x200 + 4 * 16), 255u);
}

const auto chips_and_nocs = testing::Combine(testing::ValuesIn(all_archs), testing::Values(0u, 1u));
const auto name_of = [](const auto& info) {
    return std::string(name(std::get<0>(info.param))) + std::to_string(std::get<1>(info.param));
};
INSTANTIATE_TEST_SUITE_P(Chips, NocPages, chips_and_nocs, name_of);
INSTANTIATE_TEST_SUITE_P(Chips, NocBroadcasts, chips_and_nocs, name_of);

}  // namespace
}  // namespace tessera::test

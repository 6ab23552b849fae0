// SPDX-License-Identifier: Apache-2.0
// Registers of an NIU: the reference against the pages. Each test is named after a page or a register and has its words.
#include <map>
#include <utility>

#include "support/noc_pages.hpp"

namespace tessera::test {
namespace {

class NocRegisters : public NocPages {};

TEST_P(NocRegisters, NocNodeId) {
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

TEST_P(NocRegisters, NocEndpointId) {
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

TEST_P(NocRegisters, NocIdLogical) {
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
TEST_P(NocRegisters, NocXIdTranslateTable) {
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

TEST_P(NocRegisters, NocPacketTag) {
    store(a, 0x18, 0xFFFF'FFFF);
    EXPECT_EQ(load(a, 0x18), 0xFFFFu);
    store(a, 0x18, 1 << 6);
    store(a, 0x1C, write);
    store(a, 0x20, 4);
    targ(a, 0, a);
    ret(a, 0, b);
    EXPECT_NE(again(a).find("overlay"), std::string::npos);
}

TEST_P(NocRegisters, NocCmdCtrl) {
    targ(a, 0x100, b);
    ret(a, 0x2100, a);
    EXPECT_EQ(model.store(a.x, a.y, noc(), cmd_ctrl(), 2), "");
    EXPECT_EQ(counters(a), Counters{});
    EXPECT_EQ(go(a, read, 16), "");
    EXPECT_EQ(load(a, cmd_ctrl()), 0u);
    EXPECT_NE(model.store(dram.x, dram.y, noc(), cmd_ctrl(), 1), "");
    EXPECT_NE(model.store(a.x, a.y, noc(), 0x3C, 1), "");
}

TEST_P(NocRegisters, NocCtrl) {
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

TEST_P(NocRegisters, NiuCfg0) {
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

TEST_P(NocRegisters, NiuBase) {
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

TEST_P(NocRegisters, Interrupts) {
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

TEST_P(NocRegisters, CountersAreEightBitsPerTransaction) {
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
INSTANTIATE_TEST_SUITE_P(Chips, NocRegisters, chips_and_nocs, chip_and_noc);

}  // namespace
}  // namespace tessera::test

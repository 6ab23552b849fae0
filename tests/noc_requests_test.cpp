// SPDX-License-Identifier: Apache-2.0
// Read and write requests: the reference against the pages. Each test is named after a page or a register and has its words.
#include <map>

#include "support/noc_pages.hpp"

namespace tessera::test {
namespace {

class NocRequests : public NocPages {};

TEST_P(NocRequests, ReadRequests) {
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
TEST_P(NocRequests, ReadRequestsWithAnotherReturn) {
    targ(a, 0x100, b);
    ret(a, 0x2100, c);
    ASSERT_EQ(go(a, read, 32), "");
    EXPECT_EQ(l1(c, 0x2100, 32), l1(b, 0x100, 32));
    EXPECT_EQ(counters(a), (Counters{{4, 1}, {5, 1}, {14, 1}, {16 + 3, 1}}));
    EXPECT_EQ(counters(c), (Counters{{2, 1}, {3, 1}, {16 + 3, 255}}));
    address(a, 0x0C, 0x2100, blackhole() ? 18 | 13 << 6 : 16 | 18 << 6);
    expect_refused(a, read, 32, "no request initiators");
}

TEST_P(NocRequests, WriteRequests) {
    targ(a, 0x103, a);
    ret(a, 0x2103, b);
    ASSERT_EQ(go(a, write | marked, 70), "");
    EXPECT_EQ(l1(b, 0x2103, 70), l1(a, 0x103, 70));
    const std::uint32_t words = blackhole() ? 2 : 3;
    EXPECT_EQ(counters(a), (Counters{{1, 1}, {4, 1}, {8, words}, {10, 1}, {12, 1}}));
    EXPECT_EQ(counters(b), (Counters{{49, 1}, {56, words}, {58, 1}, {60, 1}}));
}

TEST_P(NocRequests, WriteRequestsPosted) {
    // Nobody is told, so NOC_TARG_ADDR's coordinates have no effect.
    targ(a, 0x100, {0, 2});
    ret(a, 0x2100, b);
    ASSERT_EQ(go(a, write, 16), "");
    EXPECT_EQ(l1(b, 0x2100, 16), l1(a, 0x100, 16));
    EXPECT_EQ(counters(a), (Counters{{4, 1}, {9, 1}, {11, 1}, {13, 1}}));
    EXPECT_EQ(counters(b), (Counters{{57, 1}, {59, 1}, {61, 1}}));
}

TEST_P(NocRequests, WriteRequestsWithAnotherAcknowledged) {
    targ(a, 0x100, c);
    ret(a, 0x2100, b);
    ASSERT_EQ(go(a, write | marked, 16, 0, 5), "");
    EXPECT_EQ(l1(b, 0x2100, 16), l1(a, 0x100, 16));
    EXPECT_EQ(counters(a), (Counters{{4, 1}, {8, 1}, {10, 1}, {12, 1}, {16 + 5, 1}}));
    EXPECT_EQ(counters(c), (Counters{{1, 1}, {16 + 5, 255}}));
}

TEST_P(NocRequests, WriteRequestsInline) {
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

TEST_P(NocRequests, WriteRequestsInlineToMmio) {
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

TEST_P(NocRequests, WriteRequestsWithByteEnables) {
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

TEST_P(NocRequests, NocPacketTagHeaderStore) {
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

TEST_P(NocRequests, NiuCfg0DoubleStoreDisable) {
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

TEST_P(NocRequests, AutomaticRequestSplitting) {
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

TEST_P(NocRequests, DramTiles) {
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

TEST_P(NocRequests, Alignment) {
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

TEST_P(NocRequests, NocCmdVcLinked) {
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

// WormholeB0: "the counters at index zero will be decremented when the write acknowledgement arrives".
TEST_P(NocRequests, AcknowledgementsOfPcieAndArc) {
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
INSTANTIATE_TEST_SUITE_P(Chips, NocRequests, chips_and_nocs, chip_and_noc);

}  // namespace
}  // namespace tessera::test

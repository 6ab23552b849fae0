// SPDX-License-Identifier: Apache-2.0
// Requests of an NIU to its own tile (NoC/MemoryMap, NoC/Counters, NoC/Atomics of each chip).
#include <gtest/gtest.h>

#include <vector>

#include "support/tile_bench.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using tile::User;

constexpr std::uint32_t nonposted = 1 << 4, read = 0, atomic = 1, write = 2, inlined = 1 << 3;

class TileNoc : public testing::TestWithParam<std::tuple<Arch, unsigned>>, protected TileBench {
public:
    TileNoc() : TileBench(std::get<0>(GetParam())) {
        for (unsigned i = 0; i < 4096; ++i) port.state().l1.open()[i] = static_cast<std::uint8_t>(i * 7 + 1);
    }

    bool blackhole() const { return std::get<0>(GetParam()) == Arch::blackhole; }
    std::uint32_t base() const { return 0xFFB2'0000 + std::get<1>(GetParam()) * 0x1'0000; }
    std::uint32_t initiator(unsigned i) const { return base() + i * (blackhole() ? 0x800 : 0x400); }
    std::uint32_t node() { return value(User::b, base() + (blackhole() ? 0x44 : 0x2C)); }
    std::uint32_t counter(unsigned i) { return value(User::nc, base() + 0x200 + 4 * i); }
    const state::L1Bytes& l1() { return port.state().l1.bytes; }

    // Coordinates where each chip has them.
    void address(unsigned i, std::uint32_t lo_offset, std::uint32_t at, std::uint32_t place) {
        done(User::b, initiator(i) + lo_offset, at);
        done(User::b, initiator(i) + lo_offset + 4, blackhole() ? 0 : place << 4);
        if (blackhole()) done(User::b, initiator(i) + lo_offset + 8, place);
    }
    tile::Reply go(unsigned i, std::uint32_t control, std::uint32_t length, std::uint32_t data = 0) {
        done(User::b, initiator(i) + 0x18, 3 << 10);
        done(User::b, initiator(i) + 0x1C, control);
        done(User::b, initiator(i) + 0x20, length);
        done(User::b, initiator(i) + (blackhole() ? 0x28 : 0x24), data);
        const auto reply = store(User::b, initiator(i) + (blackhole() ? 0x40 : 0x28), 1);
        EXPECT_EQ(value(User::b, initiator(i) + (blackhole() ? 0x40 : 0x28)), 0u);
        return reply;
    }
    void expect_done(const tile::Reply& reply) { EXPECT_EQ(reply.kind, tile::Reply::Kind::done) << reply.why; }
};

TEST_P(TileNoc, ItsPlaceIsAPlaceOfATensixTile) {
    const std::uint32_t id = node(), x = id & 63, y = id >> 6 & 63, noc = std::get<1>(GetParam());
    EXPECT_EQ(id >> 12 & 127, blackhole() ? 17u : 10u);
    EXPECT_EQ(id >> 19 & 127, 12u);
    EXPECT_EQ(id >> 28, noc == 0 ? 1u : 0u);
    if (blackhole()) {
        EXPECT_EQ(noc ? 16 - x : x, 1u);
        EXPECT_EQ(noc ? 11 - y : y, 2u);
    } else {
        EXPECT_EQ(noc ? 9 - x : x, 1u);
        EXPECT_EQ(noc ? 11 - y : y, 1u);
    }
    EXPECT_EQ(value(User::b, base() + (blackhole() ? 0x148 : 0x138)), id & 0xFFF);
    EXPECT_EQ(value(User::b, base() + (blackhole() ? 0x48 : 0x30)) >> 24, noc);
}

TEST_P(TileNoc, ReadsAndWritesCopyWithinL1) {
    const std::vector<std::uint8_t> before(l1().begin(), l1().end());
    address(1, 0x00, 0x100, node() & 0xFFF);
    address(1, 0x0C, 0x2000, node() & 0xFFF);
    expect_done(go(1, read | nonposted, 300));
    for (unsigned i = 0; i < 300; ++i) ASSERT_EQ(l1()[0x2000 + i], before[0x100 + i]);
    EXPECT_EQ(l1()[0x2000 + 300], 0);
    EXPECT_EQ(counter(2), 1u);   // RD_RESP_RECEIVED
    EXPECT_EQ(counter(5), 1u);   // RD_REQ_SENT
    EXPECT_EQ(counter(14), 1u);  // RD_REQ_STARTED
    EXPECT_EQ(counter(3), blackhole() ? 5u : 10u);
    EXPECT_EQ(counter(16 + 3), 0u);
    EXPECT_EQ(counter(1), 0u);
    EXPECT_EQ(port.l1_bytes, 300u);

    address(0, 0x00, 0x200, node() & 0xFFF);
    address(0, 0x0C, 0x4000, node() & 0xFFF);
    expect_done(go(0, write | nonposted, 64));
    expect_done(go(0, write, 64));
    for (unsigned i = 0; i < 64; ++i) ASSERT_EQ(l1()[0x4000 + i], before[0x200 + i]);
    EXPECT_EQ(counter(10), 1u);  // NONPOSTED_WR_REQ_SENT
    EXPECT_EQ(counter(11), 1u);  // POSTED_WR_REQ_SENT
    EXPECT_EQ(counter(1), 1u);   // WR_ACK_RECEIVED
    EXPECT_EQ(counter(4), 3u);   // CMD_ACCEPTED
    EXPECT_EQ(counter(58), 1u);
    EXPECT_EQ(counter(59), 1u);
}

TEST_P(TileNoc, LongRequestsAreSplit) {
    const std::uint32_t packet = blackhole() ? 16384 : 8192;
    address(2, 0x00, 0x1'0000, node() & 0xFFF);
    address(2, 0x0C, 0x4'0000, node() & 0xFFF);
    port.state().l1.open()[0x1'0000 + 2 * packet] = 42;
    expect_done(go(2, read, 2 * packet + 16));
    EXPECT_EQ(l1()[0x4'0000 + 2 * packet], 42);
    EXPECT_EQ(counter(2), 3u);
    EXPECT_EQ(value(User::b, initiator(2) + 0x20), 16u);
    EXPECT_EQ(value(User::b, initiator(2)), 0x1'0000 + 2 * packet);
}

TEST_P(TileNoc, IncrementsAnswerWithWhatWasThere) {
    address(3, 0x00, 0x108, node() & 0xFFF);
    address(3, 0x0C, 0x3000, node() & 0xFFF);
    const std::uint32_t before =
        (l1()[0x108] | l1()[0x109] << 8 | l1()[0x10A] << 16 | static_cast<std::uint32_t>(l1()[0x10B]) << 24);
    expect_done(go(3, atomic | nonposted, 1 << 12 | 31 << 2 | 2, 5));
    const auto word = [&](std::uint32_t at) {
        return l1()[at] | l1()[at + 1] << 8 | l1()[at + 2] << 16 | static_cast<std::uint32_t>(l1()[at + 3]) << 24;
    };
    EXPECT_EQ(word(0x108), before + 5);
    EXPECT_EQ(word(0x3000), before);
    EXPECT_EQ(counter(0), 1u);  // ATOMIC_RESP_RECEIVED
    expect_done(go(3, atomic, 1 << 12 | 7 << 2 | 2, 0x100));
    EXPECT_EQ(word(0x108), before + 5);  // an increment within eight bits
    EXPECT_EQ(counter(7), 1u);           // POSTED_ATOMIC_SENT
}

TEST_P(TileNoc, InlineWritesReachRegistersAndOnWormholeL1) {
    address(0, 0x00, 0xFFB1'2090, node() & 0xFFF);
    expect_done(go(0, write | inlined | nonposted, 0xF, 0x1234'5678));
    EXPECT_EQ(value(User::b, 0xFFB1'2090), 0x1234'5678u);
    EXPECT_EQ(counter(1), 1u);
    address(0, 0x00, 0x504, node() & 0xFFF);
    const auto reply = go(0, write | inlined, 0xF0, 0xAABB'CCDD);
    if (blackhole()) return expect_fault(reply, "tile.noc-request");
    expect_done(reply);
    EXPECT_EQ(l1()[0x503], static_cast<std::uint8_t>(0x503 * 7 + 1));
    EXPECT_EQ(l1()[0x504], 0xDD);
    EXPECT_EQ(l1()[0x507], 0xAA);
    EXPECT_EQ(l1()[0x508], static_cast<std::uint8_t>(0x508 * 7 + 1));
}

TEST_P(TileNoc, ReadsOfRegistersGoToL1) {
    done(User::b, 0xFFB1'2090, 0xCAFE);
    address(0, 0x00, 0xFFB1'2090, node() & 0xFFF);
    address(0, 0x0C, 0x600, node() & 0xFFF);
    expect_done(go(0, read, 4));
    EXPECT_EQ(l1()[0x600], 0xFE);
    EXPECT_EQ(l1()[0x601], 0xCA);
    expect_fault(go(0, read, 8), "tile.noc-request");
    address(0, 0x00, 0xFFEF'0000, node() & 0xFFF);
    expect_fault(go(0, read, 4), "tile.noc-request");
}

// What Tessera lacks is told as such where requests are done at once, too; the next refusal has its own code.
TEST_P(TileNoc, RequestsThatStartRequestsAreNotModelled) {
    address(0, 0x00, initiator(1), node() & 0xFFF);
    expect_fault(go(0, write | inlined | nonposted, 0xF, 5), "tile.not-modelled");
    address(0, 0x00, 0xFFEF'0000, node() & 0xFFF);
    address(0, 0x0C, 0x600, node() & 0xFFF);
    expect_fault(go(0, read, 4), "tile.noc-request");
}

TEST_P(TileNoc, OtherTilesAndWhatIsMissingAreFaults) {
    const std::uint32_t here = node() & 0xFFF;
    address(0, 0x00, 0x100, here + 1);
    address(0, 0x0C, 0x200, here);
    expect_fault(go(0, read, 16), "tile.noc-request");
    address(0, 0x00, 0x100, here);
    address(0, 0x0C, 0x200, here + 64);
    expect_fault(go(0, write, 16), "tile.noc-request");
    address(0, 0x0C, 0x208, here);
    expect_fault(go(0, write, 16), "tile.noc-request");  // low bits differ
    address(0, 0x0C, state::describe(std::get<0>(GetParam())).l1_bytes - 16, here);
    expect_done(go(0, write, 16));
    expect_fault(go(0, write, 17), "tile.noc-request");
    address(0, 0x0C, 0x200, here + 1 + 64);
    expect_fault(go(0, write | 1 << 5, 16), "tile.noc-request");  // to all tiles up to there
    done(User::b, base() + 0x100, 1 << 14);
    expect_fault(go(0, write, 16), "tile.noc-request");
}

// NoC/MemoryMap: a broadcast reaches the tile that sends it only with NOC_CMD_BRCST_SRC_INCLUDE.
TEST_P(TileNoc, ABroadcastReachesItsOwnTileIfItSaysSo) {
    constexpr std::uint32_t broadcast = 1 << 5, include_source = 1 << 17;
    const std::uint32_t here = node() & 0xFFF;
    address(0, 0x00, 0x200, here);
    for (const std::uint32_t how : {broadcast, broadcast | include_source}) {
        address(0, 0x0C, 0x4000, here << 12 | here);  // a rectangle of one tile
        expect_done(go(0, write | how, 16));
        EXPECT_EQ(l1()[0x4000], how & include_source ? l1()[0x200] : 0);
    }
}

// The section "niu_counter" has each counter where its register is.
TEST_P(TileNoc, ABroadcastToOtherTilesDoesNotReachItsOwn) {
    const std::uint32_t first =
        std::get<1>(GetParam()) ? (blackhole() ? 16 | 11 << 6 : 9 | 11 << 6) : 0;  // the DRAM tile at (0, 0)
    address(0, 0x00, 0x200, node() & 0xFFF);
    address(0, 0x0C, 0x4000, first | first << 12);
    expect_done(go(0, write | nonposted | 1 << 5 | 1 << 17, 16));
    EXPECT_EQ(l1()[0x4000], 0);
    EXPECT_EQ(counter(1), 0u);
}

TEST_P(TileNoc, CountersAreInTheState) {
    address(0, 0x00, 0x100, node() & 0xFFF);
    address(0, 0x0C, 0x2000, node() & 0xFFF);
    for (unsigned i = 0; i < 3; ++i) expect_done(go(0, read | nonposted, 16));
    for (unsigned i = 0; i < 64; ++i)
        EXPECT_EQ(port.state().tile[state::tile_words::counter(std::get<1>(GetParam()), i)], counter(i)) << i;
    EXPECT_EQ(counter(2), 3u);
}

TEST_P(TileNoc, SoftwareMayGiveTheTileOtherCoordinates) {
    done(User::b, base() + (blackhole() ? 0x148 : 0x138), 20 | 21 << 6);
    address(0, 0x00, 0x100, 20 | 21 << 6);
    address(0, 0x0C, 0x200, node() & 0xFFF);
    expect_done(go(0, write, 16));
}

INSTANTIATE_TEST_SUITE_P(Chips, TileNoc,
                         testing::Combine(testing::Values(Arch::blackhole, Arch::wormhole), testing::Values(0u, 1u)));

}  // namespace

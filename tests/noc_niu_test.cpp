// SPDX-License-Identifier: Apache-2.0
// One NIU: what it tells its tile of requests, their ways, and its snapshots.
#include <set>
#include <utility>
#include <vector>

#include "support/niu_requests.hpp"

namespace tessera::test {
namespace {

TEST(NocPacket, AnswersAreKnownByTheNamesOfTheirKinds) {
    for (unsigned kind = 0; kind <= static_cast<unsigned>(Packet::Kind::atomic_response); ++kind) {
        Packet packet;
        packet.kind = Packet::Kind(kind);
        EXPECT_EQ(noc::is_answer(name(packet.kind)), packet.answers()) << name(packet.kind);
    }
}

class NocNiu : public NiuRequestsTest {};

TEST_P(NocNiu, AnAtomicWritesTheWordsThatItChanges) {
    const auto writes = [&](std::uint32_t operands, std::uint32_t data) {
        Packet atomic = packet(Packet::Kind::atomic);
        atomic.posted = true;
        atomic.address = 0x2008;
        atomic.operands = operands;
        atomic.word = data;
        niu.writes.clear();
        niu.niu.arrive({0, atomic});
        niu.act();
        return niu.writes;
    };
    using Writes = std::vector<std::pair<std::uint64_t, std::size_t>>;
    niu.reads.clear();
    // The line is 0.
    EXPECT_EQ(writes(increment | 3, 1), (Writes{{0x200C, 4}}));
    EXPECT_EQ(niu.reads, (Writes{{0x2000, 16}}));
    EXPECT_EQ(writes(increment | 3, 0x100'0000), (Writes{{0x200C, 4}}));
    EXPECT_EQ(writes(increment, 0x1'0000), (Writes{{0x2000, 4}}));
    EXPECT_EQ(writes(3u << 12 | 0b0000'0110u << 2, 0x0001'0001), (Writes{{0x2000, 8}}));
    EXPECT_EQ(writes(3u << 12 | 0b1111'1111u << 2, 0x0001'0001), (Writes{{0x2000, 16}}));
    EXPECT_EQ(writes(increment, 0), Writes{});
}

TEST_P(NocNiu, ItsTileIsToldOfChanges) {
    const auto told = [&](const auto& act) {
        const unsigned before = niu.changes;
        act();
        return niu.changes > before;
    };
    finish(3);
    EXPECT_TRUE(told([&] { niu.store(niu.map.clear_outstanding, 1); }));
    EXPECT_FALSE(told([&] { ask(0); }));
    EXPECT_TRUE(told([&] { EXPECT_FALSE(niu.niu.act()); }));
    if (!blackhole()) return;
    niu.store(offset::rtz_cfg, 1u << 28 | 1u << 3);
    EXPECT_FALSE(told([&] { load(offset::rtz_num); }));
    niu.store(offset::rtz_cfg, 1u << 3);
    EXPECT_TRUE(told([&] { load(offset::rtz_num); }));
}

// An access that is impossible is told with who asked for it, whoever's act it is.
TEST_P(NocNiu, AFailureNamesWhoAsked) {
    const noc::Origin by{{7, 7}, 2, 0x1234, false};
    niu.target(own, 0x1000);
    niu.answer(other, 0x2000);
    EXPECT_EQ(niu.command(ctrl::write, 64, 0, 0, by).why, "");
    niu.refusal = "nothing is there";
    const auto expect_failure = [&] {
        const auto failure = niu.niu.act();
        ASSERT_TRUE(failure);
        EXPECT_EQ(failure->refusal.why, "nothing is there");
        EXPECT_EQ(failure->origin.tile, by.tile);
        EXPECT_EQ(failure->origin.core, by.core);
        EXPECT_EQ(failure->origin.pc, by.pc);
    };
    expect_failure();
    for (const auto kind : {Packet::Kind::write_word, Packet::Kind::atomic, Packet::Kind::read, Packet::Kind::atomic_response}) {
        niu.niu.restore({});
        Packet one = packet(kind);
        one.origin = by;
        one.operands = kind == Packet::Kind::atomic ? increment : 0xF;
        one.length = 4;
        niu.niu.arrive({0, one});
        if (kind == Packet::Kind::read) {
            EXPECT_FALSE(niu.niu.act());  // its answer fails
        }
        SCOPED_TRACE(name(kind));
        expect_failure();
    }
}

TEST_P(NocNiu, ItsTileIsToldOfARead) {
    niu.target(other, 0x2000);
    niu.answer(own, 0x3000);
    EXPECT_EQ(niu.command(ctrl::read, 2 * packet_bytes() + 64).why, "");
    ASSERT_EQ(niu.told.size(), 1u);
    EXPECT_EQ(niu.told[0].first.kind, Packet::Kind::read);
    EXPECT_EQ(niu.told[0].own, 0x3000u);
    EXPECT_EQ(niu.told[0].length, 2 * packet_bytes() + 64);
    EXPECT_EQ(niu.told[0].packets, 3u);
    EXPECT_EQ(niu.told[0].answers, 3u);
    EXPECT_EQ(niu.told[0].way, 0u);
}

// Bytes that go to another tile, and registers, are none of its memory.
TEST_P(NocNiu, ItsTileIsToldOfItsOwnBytesOnly) {
    const auto length = [&](std::uint32_t control, std::uint32_t bytes) {
        EXPECT_EQ(niu.why(control, bytes), "");
        return niu.told.back().length;
    };
    niu.target(other, 0x2004);
    niu.answer({4, 4}, 0x3004);
    EXPECT_EQ(length(ctrl::read, 64), 0u);
    EXPECT_EQ(niu.told.back().own, 0u);
    EXPECT_EQ(niu.told.back().answers, 0u);
    niu.answer(own, configuration);
    EXPECT_EQ(length(ctrl::read, 4), 0u);
    EXPECT_EQ(niu.told.back().answers, 1u);
    niu.target(own, 0x1004);
    niu.answer(other, configuration);
    EXPECT_EQ(length(ctrl::write, 4), 4u);
    EXPECT_EQ(length(ctrl::write | ctrl::byte_enable, 0), 4u);
    EXPECT_EQ(niu.told.back().own, 0x1004u);
    EXPECT_EQ(niu.told.back().packets, 1u);
    EXPECT_EQ(niu.told.back().answers, 0u);
    niu.target(own, configuration);
    niu.answer(other, 0x2004);
    EXPECT_EQ(length(ctrl::write, 4), 0u);
    niu.target(own, 0x1000);
    niu.answer(other, 0x2000);
    EXPECT_EQ(length(ctrl::write | ctrl::byte_enable, 3), flit());
    EXPECT_EQ(length(acknowledged, packet_bytes() + 1), packet_bytes() + 1);
    EXPECT_EQ(niu.told.back().packets, 2u);
    EXPECT_EQ(niu.told.back().answers, 2u);
    niu.target(other, 0x2000);
    niu.answer(own, 0x3000);
    EXPECT_EQ(length(ctrl::atomic | ctrl::response_marked, increment), 0u);
    EXPECT_EQ(niu.told.back().packets, 1u);
    EXPECT_EQ(niu.told.back().answers, 1u);
    EXPECT_EQ(length(ctrl::atomic, increment), 0u);
    EXPECT_EQ(niu.told.back().answers, 0u);
}

TEST_P(NocNiu, ABroadcastIsAnsweredByEachTileThatTakesIt) {
    const Place low{1, 2}, high{3, 4};
    const auto answers = [&](std::uint32_t control, std::uint32_t length = 64, Place back = own) {
        niu.target(back, 0x1'0000);
        niu.end(offset::ret_addr_lo, niu.rectangle(noc() ? high : low, noc() ? low : high), 0x2'0000);
        EXPECT_EQ(niu.why(ctrl::broadcast | control, length), "");
        return niu.told.back().answers;
    };
    EXPECT_EQ(answers(acknowledged), 8u);
    EXPECT_EQ(niu.told.back().first.to, noc() ? low : high);  // the rectangle's last tile
    EXPECT_EQ(answers(acknowledged | ctrl::include_source), 9u);
    EXPECT_EQ(answers(acknowledged, 2 * packet_bytes()), 16u);
    EXPECT_EQ(answers(ctrl::write), 0u);
    EXPECT_EQ(answers(acknowledged, 64, other), 0u);
    niu.off = {{2, 3}, {3, 3}};
    EXPECT_EQ(answers(acknowledged), 6u);
    if (!blackhole()) return;
    // From (2, 3) on to the right and down on NoC 0, and as far on NoC 1: four tiles, of which two are off.
    const Place corner = niu.layout.seen_by(noc(), {2, 3});
    const std::uint32_t directions = noc() ? 0 : 3;
    niu.store(offset::brcst_exclude, 1u << 22 | directions << 20 | std::uint32_t{corner.y} << 14 | std::uint32_t{corner.x} << 8);
    EXPECT_EQ(answers(acknowledged), 4u);
}

// NoC/Ordering: requests that take the same virtual channel to the same place stay in order.
TEST_P(NocNiu, RequestsOfOneVirtualChannelToOnePlaceHaveOneWay) {
    const auto way = [&](Place to, std::uint32_t control) {
        niu.target(own, 0x1000);
        niu.answer(to, 0x2000);
        EXPECT_EQ(niu.command(ctrl::write | control, 64).why, "");
        niu.act();
        return niu.told.back().way;
    };
    const std::uint32_t buddy = ctrl::static_vc | 1u << ctrl::buddy, second_class = ctrl::static_vc | 1u << ctrl::vc_class;
    EXPECT_EQ(way(other, 0), 0u);
    EXPECT_EQ(way(other, ctrl::static_vc), way(other, ctrl::static_vc));
    EXPECT_EQ(way(other, buddy), way(other, buddy));
    const std::set<std::uint64_t> ways{0, way(other, ctrl::static_vc), way(other, buddy), way(other, second_class), way({3, 5}, buddy),
                                       way({4, 4}, buddy)};
    EXPECT_EQ(ways.size(), 6u);
    // Linked ones take that of the first, whatever it is.
    const std::uint64_t first = way(other, ctrl::linked);
    EXPECT_NE(first, 0u);
    EXPECT_EQ(way(other, ctrl::linked), first);
    EXPECT_EQ(way(other, 0), first);
    EXPECT_EQ(way(other, 0), 0u);
    EXPECT_NE(way(other, ctrl::linked), first);
}

// Ways of static channels, of linked requests and "none" (0) are different ones, also to the NoC's first tile.
TEST_P(NocNiu, NoTwoWaysAreTheSame) {
    const Place first = niu.layout.seen_by(noc(), {0, 0});
    const auto way = [&](std::uint32_t control) {
        niu.target(own, 0x1000);
        niu.answer(first, 0x2000);
        EXPECT_EQ(niu.command(ctrl::write | control, 64).why, "");
        niu.act();
        return niu.told.back().way;
    };
    std::set<std::uint64_t> ways{0};
    for (std::uint32_t channel = 0; channel < 4; ++channel) ways.insert(way(ctrl::static_vc | channel << ctrl::buddy));
    for (unsigned i = 0; i < 16; ++i) {
        ways.insert(way(ctrl::linked));
        EXPECT_TRUE(ways.contains(way(0)));  // the last of its transaction
    }
    EXPECT_EQ(ways.size(), 1u + 4 + 16);
}

TEST_P(NocNiu, BroadcastsOfOneRectangleAndMajorAxisHaveOneWay) {
    const auto way = [&](Place first, Place last, std::uint32_t control) {
        niu.target(own, 0x1000);
        niu.end(offset::ret_addr_lo, niu.rectangle(first, last), 0x2000);
        EXPECT_EQ(niu.command(ctrl::write | ctrl::broadcast | ctrl::static_vc | 2u << ctrl::vc_class | control, 64).why, "");
        niu.act();
        return niu.told.back().way;
    };
    EXPECT_EQ(way({2, 3}, {3, 4}, 0), way({2, 3}, {3, 4}, 0));
    const std::set<std::uint64_t> ways{way({2, 3}, {3, 4}, 0), way({2, 3}, {3, 4}, ctrl::y_major), way({2, 2}, {3, 4}, 0), way({2, 3}, {3, 5}, 0)};
    EXPECT_EQ(ways.size(), 4u);
}

TEST_P(NocNiu, RequestsAreNumberedFromOne) {
    for (const unsigned i : {0u, 1u}) ask(i, acknowledged, i == 0 ? 2 * packet_bytes() : 64);
    niu.act();
    ASSERT_EQ(niu.told.size(), 2u);
    EXPECT_EQ(niu.told[0].first.request, 1u);
    EXPECT_EQ(niu.told[1].first.request, 2u);
    ASSERT_EQ(niu.left.size(), 3u);
    const std::uint32_t requests[] = {1, 1, 2};
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(niu.left[i].first.request, requests[i]);
        EXPECT_EQ(niu.left[i].first.sequence, i);
    }
}

TEST_P(NocNiu, ASnapshotHasAllThatWaits) {
    finish(4);
    ask(0, acknowledged | ctrl::linked, 2 * packet_bytes());
    EXPECT_FALSE(niu.niu.act());  // its first packet
    Packet word = packet(Packet::Kind::write_word);
    word.posted = true;
    word.operands = 0xF;
    word.address = 0x2000;
    niu.niu.arrive({5000, word});
    const noc::NiuMemory memory = niu.niu.save();
    const auto rest = [&] {
        niu.left.clear();
        niu.writes.clear();
        std::vector<noc::Cycle> cycles;
        while (niu.niu.due() != noc::never) {
            cycles.push_back(niu.niu.due());
            EXPECT_FALSE(niu.niu.act());
        }
        return cycles;
    };
    const std::uint32_t length = load(offset::at_len_be);
    const auto cycles = rest();
    EXPECT_EQ(niu.left.size(), 1u);
    if (blackhole()) niu.store(offset::rtz_clr, 1u << 4);
    niu.niu.restore(memory);
    EXPECT_EQ(load(cmd_ctrl()), 1u);
    EXPECT_EQ(niu.niu.returned_to_zero(), 1u << 4);
    niu.store(offset::at_len_be, length);  // a word of the tile's state
    EXPECT_EQ(rest(), cycles);
    ASSERT_EQ(niu.left.size(), 1u);
    EXPECT_EQ(niu.left[0].first.sequence, 2u);
    EXPECT_EQ(niu.left[0].first.request, 2u);
    EXPECT_EQ(niu.writes.size(), 4u);
    // The transaction is still open.
    niu.answer({5, 5}, 0x1'0000);
    EXPECT_NE(niu.command(ctrl::write, 64).why, "");
}

INSTANTIATE_TEST_SUITE_P(Chips, NocNiu, LoneNiuTest::all(), LoneNiuTest::text_of);

}  // namespace
}  // namespace tessera::test

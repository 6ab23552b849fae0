// SPDX-License-Identifier: Apache-2.0
// When one NIU sends its packets and does its acts.
#include <memory>
#include <vector>

#include "support/niu_requests.hpp"

namespace tessera::test {
namespace {

class NiuTimes : public NiuRequestsTest {};

// NIU_MST_WRITE_REQS_OUTGOING_ID: until the last flit has left.
TEST_P(NiuTimes, AWriteIsOutgoingUntilItHasLeft) {
    constexpr noc::Cycle to_router = 5;
    const auto outgoing = [&] { return counter(noc::Counter::mst_write_reqs_outgoing_id, 3); };
    ask(0, acknowledged, 64, 3u << noc::tag::transaction);
    EXPECT_EQ(outgoing(), 1u);
    EXPECT_FALSE(niu.niu.act());
    ASSERT_EQ(niu.left.size(), 1u);
    EXPECT_EQ(outgoing(), 1u);
    EXPECT_EQ(niu.niu.due(), niu.left[0].second - to_router + 1 + 64 / flit());
    niu.act();
    EXPECT_EQ(outgoing(), 0u);
    // A request that its registers hold back counts with all of its packets.
    ask(1, acknowledged, 2 * packet_bytes() + 64, 3u << noc::tag::transaction);
    EXPECT_EQ(outgoing(), 3u);
    niu.act();
    EXPECT_EQ(outgoing(), 0u);
}

TEST_P(NiuTimes, WithoutCyclesAWriteHasLeftAtOnce) {
    LoneNiu at_once(arch(), noc(), Timing::functional);
    at_once.target(own, 0x1000);
    at_once.answer(other, 0x2000);
    EXPECT_EQ(at_once.command(ctrl::write, 2 * packet_bytes()).why, "");
    EXPECT_EQ(at_once.left.size(), 2u);
    EXPECT_EQ(at_once.niu.due(), noc::never);
    EXPECT_EQ(at_once.niu.load(offset::counters_begin + 4 * static_cast<std::uint32_t>(noc::Counter::mst_write_reqs_outgoing_id)), 0u);
}

// Where requests take cycles, a command does none of the acts that are due.
TEST_P(NiuTimes, ACommandDoesNothingElse) {
    Packet word = packet(Packet::Kind::write);
    word.posted = true;
    word.address = 0x300;
    word.length = 4;
    word.data = std::make_shared<const noc::Bytes>(4);
    niu.niu.arrive({0, word});
    EXPECT_EQ(ask(0).wrong.why, "");
    EXPECT_TRUE(niu.writes.empty());
    EXPECT_EQ(niu.niu.due(), 0u);
}

// docs/silicon-transfers.md: so many cycles in 256 flits without one, and in fewer flits as much less.
TEST_P(NiuTimes, DataPauseByTheirFlits) {
    constexpr noc::Cycle to_router = 5;
    const auto expect_pauses = [&](std::uint32_t in_256, const auto& pauses) {
        for (std::uint32_t n = 1; n <= in_256; ++n) {
            const std::uint32_t flits = (256 * n + in_256 - 1) / in_256;  // the fewest with n
            EXPECT_EQ(pauses(flits), n) << flits;
            EXPECT_EQ(pauses(flits - 1), n - 1) << flits - 1;
        }
    };
    expect_pauses(blackhole() ? 6 : 5, [&](std::uint32_t flits) {
        niu.niu.restore({});
        EXPECT_EQ(ask(0, acknowledged, flits * flit()).wrong.why, "");
        EXPECT_FALSE(niu.niu.act());
        const auto& [sent, at] = niu.left.back();
        EXPECT_EQ(niu.niu.due(), at - to_router + 1 + flits + sent.pauses);  // its last flit has left
        return sent.pauses;
    });
    expect_pauses(blackhole() ? 8 : noc() ? 28 : 6, [&](std::uint32_t flits) {
        niu.niu.restore({});
        Packet read = packet(Packet::Kind::read);
        read.address = 0x1'0000;
        read.length = flits * flit();
        read.answer_to = other;
        niu.niu.arrive({0, read});
        niu.act();
        return niu.left.back().first.pauses;
    });
}

// A cycle a flit; between packets with data two more on Wormhole (docs/silicon-transfers.md). A read is one flit.
TEST_P(NiuTimes, PacketsOfOneNiuFollowEachOther) {
    const auto apart = [&](std::uint32_t control) {
        niu.niu.restore({});
        niu.left.clear();
        for (const unsigned i : {0u, 1u}) EXPECT_EQ(ask(i, control).wrong.why, "");
        niu.act();
        EXPECT_EQ(niu.left.size(), 2u);
        return niu.left.back().second - niu.left.front().second;
    };
    EXPECT_EQ(apart(ctrl::read), 1u);
    EXPECT_EQ(apart(acknowledged), 1 + 64 / flit() + (blackhole() ? 0 : 2));
}

// docs/silicon-transfers.md: L1 gives a read's data; an answer without data leaves sooner.
TEST_P(NiuTimes, AnAnswerLeavesWhenItsTileHasServedIt) {
    for (const auto kind : {Packet::Kind::read, Packet::Kind::write, Packet::Kind::write_word, Packet::Kind::atomic}) {
        SCOPED_TRACE(name(kind));
        Packet one = packet(kind);
        one.address = 0x2000;
        one.operands = kind == Packet::Kind::atomic ? increment : 0xF;
        one.length = 4;
        one.data = std::make_shared<const noc::Bytes>(4);
        niu.niu.restore({});
        niu.niu.arrive({100, one});
        EXPECT_FALSE(niu.niu.act());
        const noc::Cycle of_read = blackhole() ? 36 : 28, of_others = blackhole() ? 14 : 8;
        EXPECT_EQ(niu.niu.due(), 100 + (kind == Packet::Kind::read ? of_read : of_others));
        niu.act();
    }
}

// NOC_CMD_PATH_RESERVE: the reservation goes to the last tile and back, nine cycles a hop, for the first request of a transaction.
TEST_P(NiuTimes, ABroadcastWaitsForItsReservation) {
    const auto leaves = [&](Place last, std::uint32_t control) {
        niu.target(own, 0x1000);
        niu.end(offset::ret_addr_lo, niu.rectangle(own, last), 0x2000);
        const std::size_t before = niu.left.size();
        niu.niu.restore({});
        niu.command(ctrl::write | ctrl::broadcast | control, 64);
        niu.act();
        EXPECT_EQ(niu.left.size(), before + 1);
        return niu.left.back().second;
    };
    const Place beside = noc() ? Place{1, 1} : Place{2, 2}, far = noc() ? Place{0, 1} : Place{2, 3};
    const noc::Cycle without = leaves(far, 0);
    EXPECT_EQ(leaves(own, ctrl::path_reserve), without);
    EXPECT_EQ(leaves(beside, ctrl::path_reserve), without + 2 * 9);
    EXPECT_EQ(leaves(far, ctrl::path_reserve), without + 2 * 2 * 9);
    EXPECT_EQ(leaves(far, ctrl::path_reserve | ctrl::y_major), without + 2 * 2 * 9);
    niu.target(own, 0x1000);
    niu.answer(other, 0x2000);
    niu.niu.restore({});
    niu.command(ctrl::write | ctrl::path_reserve, 64);
    niu.act();
    EXPECT_EQ(niu.left.back().second, without);  // no broadcast
}

// Of one cycle, packets arrive by their source and number, behind what the NIU does by itself. The order of calls has no effect.
TEST_P(NiuTimes, ActsOfOneCycleHaveAnOrder) {
    const auto arrival = [&](Place source, std::uint32_t sequence, noc::Cycle at, std::uint64_t address) {
        Packet word = packet(Packet::Kind::write);
        word.posted = true;
        word.source = source;
        word.sequence = sequence;
        word.address = address;
        word.length = 4;
        word.data = std::make_shared<const noc::Bytes>(4);
        niu.niu.arrive({at, word});
    };
    arrival({3, 4}, 2, 50, 0x300);
    arrival({3, 4}, 1, 50, 0x200);
    arrival({2, 9}, 7, 50, 0x100);
    arrival({9, 9}, 0, 49, 0x000);
    arrival({0, 0}, 0, 51, 0x400);
    niu.act();
    std::vector<std::uint64_t> addresses;
    for (const auto& [address, size] : niu.writes) addresses.push_back(address);
    EXPECT_EQ(addresses, (std::vector<std::uint64_t>{0x000, 0x100, 0x200, 0x300, 0x400}));
    // A request begins before a packet that arrives in its cycle.
    ask(0);
    niu.writes.clear();
    niu.reads.clear();
    const noc::Cycle begins = niu.niu.due();
    arrival({3, 4}, 3, begins, 0x500);
    EXPECT_FALSE(niu.niu.act());
    EXPECT_EQ(niu.reads.size(), 1u);
    EXPECT_TRUE(niu.writes.empty());
}

INSTANTIATE_TEST_SUITE_P(Chips, NiuTimes, LoneNiuTest::all(), LoneNiuTest::text_of);

}  // namespace
}  // namespace tessera::test

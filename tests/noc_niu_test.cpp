// SPDX-License-Identifier: Apache-2.0
// One NIU: its registers, what it tells its tile of requests, the order of its acts, and its snapshots.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "noc/niu_registers.hpp"
#include "support/lone_niu.hpp"

namespace tessera::test {
namespace {

using noc::Packet;
using noc::Place;

namespace ctrl = noc::ctrl;
namespace offset = noc::offset;

class NocNiu : public LoneNiuTest {
protected:
    static constexpr std::uint32_t acknowledged = ctrl::write | ctrl::response_marked;

    static std::uint32_t initiator(unsigned i) { return i * (blackhole() ? 0x800 : 0x400); }
    static std::uint32_t cmd_ctrl() { return blackhole() ? 0x40 : 0x28; }

    std::uint32_t load(std::uint32_t at) {
        const auto value = niu.niu.load(at);
        EXPECT_TRUE(value) << std::hex << at;
        return value.value_or(0xBAD);
    }
    std::uint32_t counter(noc::Counter first, unsigned further = 0) {
        return load(offset::counters_begin + 4 * (static_cast<std::uint32_t>(first) + further));
    }
    /// A write or read of 64 bytes to or from another tile waits at an initiator.
    noc::Niu::Stored ask(unsigned i, std::uint32_t control = acknowledged, std::uint32_t length = 64, std::uint32_t tag = 0) {
        const std::uint32_t first = initiator(i);
        const bool reads = (control & ctrl::kind) == ctrl::read;
        niu.end(first + offset::targ_addr_lo, niu.coordinates(reads ? other : own), 0x1'0000 * (i + 1));
        niu.end(first + offset::ret_addr_lo, niu.coordinates(reads ? own : other), 0x1'0000 * (i + 5));
        niu.store(first + offset::packet_tag, tag);
        niu.store(first + offset::ctrl, control);
        niu.store(first + offset::at_len_be, length);
        return niu.niu.store(first + cmd_ctrl(), 1, {}, 0);
    }
    Packet packet(Packet::Kind kind) const {
        Packet one;
        one.kind = kind;
        one.noc = static_cast<std::uint8_t>(noc());
        one.source = other;
        one.to = own;
        return one;
    }
    /// A request of that transaction comes to its end.
    void finish(unsigned transaction) {
        EXPECT_EQ(ask(0, acknowledged, 64, transaction << noc::tag::transaction).wrong.why, "");
        niu.act();
        Packet ack = packet(Packet::Kind::write_ack);
        ack.transaction = static_cast<std::uint8_t>(transaction);
        niu.niu.arrive({1000, ack});
        niu.act();
    }
};

// NoC/MemoryMap: ranges of offsets, ends included.
using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
std::set<std::uint32_t> offsets(const Ranges& ranges) {
    std::set<std::uint32_t> all;
    for (const auto& [first, last] : ranges)
        for (std::uint32_t at = first; at <= last; at += 4) all.insert(at);
    return all;
}

TEST_P(NocNiu, HasTheRegistersOfItsPage) {
    Ranges fields, loads, stores;
    for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t first = initiator(i);
        fields.push_back({first, first + (blackhole() ? 0x3C : 0x24)});
        loads.push_back({first + cmd_ctrl(), first + (blackhole() ? 0x48 : 0x30)});  // with NOC_NODE_ID and NOC_ENDPOINT_ID
        if (blackhole()) loads.push_back({first + 0x64, first + 0x68});              // the FIFO's status
    }
    fields.push_back({0x100, blackhole() ? 0x17C : 0x138});
    loads.push_back({0x200, 0x2FC});
    loads.push_back(blackhole() ? std::pair(0x378u, 0x37Cu) : std::pair(0x54u, 0x54u));
    stores.push_back(blackhole() ? std::pair(0x60u, 0x60u) : std::pair(0x50u, 0x50u));
    loads.insert(loads.end(), fields.begin(), fields.end());
    stores.insert(stores.end(), fields.begin(), fields.end());
    const auto loaded = offsets(loads), stored = offsets(stores), kept = offsets(fields);
    for (std::uint32_t at = 0; at < 0x2400; at += 4) {
        SCOPED_TRACE(testing::Message() << std::hex << "offset 0x" << at);
        EXPECT_EQ(niu.niu.load(at).has_value(), loaded.contains(at));
        const bool is_command = at % initiator(1) == cmd_ctrl() && at < initiator(4);
        EXPECT_EQ(niu.niu.is_of_initiator(at), is_command || (at % initiator(1) < cmd_ctrl() && at < initiator(4)));
        EXPECT_EQ(niu.niu.store(at, 0xFFFF'FFFE, {}, 0).known, stored.contains(at) || is_command);
        const std::uint32_t item = at % initiator(1);
        if (blackhole() && at < initiator(4) && (item == 0x64 || item == 0x68)) {
            EXPECT_EQ(load(at), 0u);  // nothing waits in a FIFO that nobody uses
        }
        if (!kept.contains(at)) continue;
        const bool is_tag = at % initiator(1) == 0x18 && at < initiator(4), is_rtz_clr = blackhole() && at == 0x17C;
        EXPECT_EQ(load(at), is_rtz_clr ? 0 : is_tag ? 0xFFFE : 0xFFFF'FFFE);
    }
    niu.store(offset::packet_tag, 0xFFFF'FFFF);
    EXPECT_EQ(load(offset::packet_tag), 0xFFFFu);
}

TEST_P(NocNiu, FourInitiatorsHaveFieldsOfTheirOwn) {
    for (unsigned i = 0; i < 4; ++i) niu.store(initiator(i) + offset::ctrl, 100 + i);
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(load(initiator(i) + offset::ctrl), 100 + i);
}

TEST_P(NocNiu, AnInitiatorIsBusyUntilItsPacketLeaves) {
    for (const unsigned i : {3u, 1u}) EXPECT_EQ(ask(i).wrong.why, "");
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(load(initiator(i) + cmd_ctrl()), i % 2);
    if (!blackhole()) {
        EXPECT_EQ(load(0x54), 0b1010u);  // a bit for each initiator
    }
    niu.act();
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(load(initiator(i) + cmd_ctrl()), 0u);
    if (!blackhole()) {
        EXPECT_EQ(load(0x54), 0u);
    }
    ASSERT_EQ(niu.left.size(), 2u);
    EXPECT_EQ(niu.left[0].first.address, 0x8'0000u);  // in the order of the commands
    EXPECT_EQ(niu.left[1].first.address, 0x6'0000u);
}

// NOC_CMD_CTRL: "software must not write to any fields of the initiator" before the low bit is 0.
TEST_P(NocNiu, StoresToABusyInitiatorComeTooEarly) {
    using Misuse = noc::Niu::Misuse;
    const auto misuse = [&](std::uint32_t at, std::uint32_t value = 1) { return niu.niu.store(at, value, {}, 0).misuse; };
    EXPECT_EQ(misuse(initiator(1) + offset::ctrl), Misuse::none);
    EXPECT_EQ(ask(1).misuse, Misuse::none);
    EXPECT_EQ(misuse(initiator(1)), Misuse::too_early);
    EXPECT_EQ(misuse(initiator(1) + (blackhole() ? 0x3C : 0x24)), Misuse::too_early);
    EXPECT_EQ(misuse(initiator(1) + cmd_ctrl()), Misuse::too_early);
    EXPECT_EQ(misuse(initiator(1) + cmd_ctrl(), 2), Misuse::none);  // no command
    EXPECT_EQ(misuse(initiator(0) + offset::ctrl), Misuse::none);
    EXPECT_EQ(misuse(initiator(2) + offset::ctrl), Misuse::none);
    EXPECT_EQ(misuse(0x104), Misuse::none);
    EXPECT_EQ(ask(2).misuse, Misuse::none);
    niu.act();
    EXPECT_EQ(niu.left.size(), 2u);
    EXPECT_EQ(misuse(initiator(1)), Misuse::none);
}

// NoC/Counters, automatic request splitting.
TEST_P(NocNiu, NoCommandMayComeBesideALongRequest) {
    using Misuse = noc::Niu::Misuse;
    EXPECT_EQ(ask(0, acknowledged, packet_bytes()).misuse, Misuse::none);
    EXPECT_EQ(ask(1, acknowledged, packet_bytes() + 64).misuse, Misuse::none);
    EXPECT_EQ(ask(2).misuse, Misuse::in_split);
    niu.act();
    EXPECT_EQ(ask(2).misuse, Misuse::none);
}

TEST_P(NocNiu, OnlyTheLowBitOfNocCmdCtrlIsACommand) {
    niu.target(own, 0x1000);
    niu.answer(other, 0x2000);
    niu.store(offset::ctrl, ctrl::write);
    niu.store(offset::at_len_be, 4);
    EXPECT_TRUE(niu.niu.store(cmd_ctrl(), 0xFFFF'FFFE, {}, 0).known);
    EXPECT_EQ(niu.niu.due(), noc::never);
    EXPECT_EQ(niu.niu.store(cmd_ctrl(), 3, {}, 0).wrong.why, "");
    EXPECT_NE(niu.niu.due(), noc::never);
}

// BlackholeA0/NoC/MemoryMap, "Interrupt status".
TEST_P(NocNiu, CountersThatHaveReturnedToZeroAreShown) {
    if (!blackhole()) return;  // Wormhole has no such registers
    constexpr std::uint32_t keeps = 1u << 28;
    for (const unsigned transaction : {0u, 6u, 9u, 15u}) finish(transaction);
    EXPECT_EQ(load(offset::rtz_source), 1u << 0 | 1u << 6 | 1u << 9 | 1u << 15);
    EXPECT_EQ(load(offset::rtz_num), 0u);  // none is enabled
    EXPECT_EQ(load(offset::rtz_source), 1u << 0 | 1u << 6 | 1u << 9 | 1u << 15);
    niu.store(offset::rtz_cfg, keeps | 1u << 9 | 1u << 15);
    EXPECT_EQ(load(offset::rtz_num), 9u);
    EXPECT_EQ(load(offset::rtz_num), 9u);
    niu.store(offset::rtz_cfg, 1u << 9 | 1u << 15);
    EXPECT_EQ(load(offset::rtz_num), 9u);
    EXPECT_EQ(load(offset::rtz_source), 1u << 0 | 1u << 6 | 1u << 15);
    EXPECT_EQ(load(offset::rtz_num), 15u);
    niu.store(offset::rtz_cfg, 1u << 0);
    EXPECT_EQ(load(offset::rtz_num), 0u);
    EXPECT_EQ(load(offset::rtz_source), 1u << 6);
    niu.store(offset::rtz_clr, ~(1u << 6));
    EXPECT_EQ(load(offset::rtz_source), 1u << 6);
    niu.store(offset::rtz_clr, 1u << 6);
    EXPECT_EQ(load(offset::rtz_source), 0u);
}

// NoC/Counters: "if new_val.Bit[i]" the counter of transaction i becomes 0, which is a return to zero as any other.
TEST_P(NocNiu, SoftwareClearsCountersOfTransactions) {
    for (const unsigned i : {0u, 1u, 2u}) ask(i, acknowledged, 64, (i == 2 ? 15 : i) << noc::tag::transaction);
    const auto outstanding = [&](unsigned transaction) { return counter(noc::Counter::mst_reqs_outstanding_id, transaction); };
    niu.store(niu.map.clear_outstanding, 0xFFFF'0000);  // there are 16
    EXPECT_EQ(outstanding(0), 1u);
    EXPECT_EQ(counter(noc::Counter::mst_write_reqs_outgoing_id), 1u);
    niu.store(niu.map.clear_outstanding, 0x7FFD);
    EXPECT_EQ(outstanding(0), 0u);
    EXPECT_EQ(outstanding(1), 1u);
    EXPECT_EQ(outstanding(15), 1u);
    if (blackhole()) {
        EXPECT_EQ(load(offset::rtz_source), 1u);  // others were 0 before
    }
    niu.store(niu.map.clear_outstanding, 1u << 15);
    EXPECT_EQ(outstanding(15), 0u);
    EXPECT_EQ(outstanding(1), 1u);
}

// ROUTER_CFG_1 and ROUTER_CFG_3: the bits of the NIU's own column and row, as its NoC counts them.
TEST_P(NocNiu, MasksOfItsColumnAndRowOptOutOfBroadcasts) {
    const Place seen = niu.layout.seen_by(noc(), own);
    const auto takes = [&](std::uint32_t columns, std::uint32_t rows) {
        niu.store(offset::router_cfg_1, columns);
        niu.store(offset::router_cfg_3, rows);
        Packet all = packet(Packet::Kind::write_word);
        all.broadcast = all.posted = true;
        all.operands = 0xF;
        all.word = 1;
        all.address = 0x2000;
        niu.writes.clear();
        niu.niu.arrive({0, all});
        niu.act();
        return !niu.writes.empty();
    };
    EXPECT_TRUE(takes(0, 0));
    EXPECT_TRUE(takes(~(1u << seen.x), ~(1u << seen.y)));
    EXPECT_FALSE(takes(1u << seen.x, 0));
    EXPECT_FALSE(takes(0, 1u << seen.y));
}

// NOC_BRCST_EXCLUDE: from its place on, in both directions, that place with it.
TEST_P(NocNiu, ABroadcastLeavesOutOneQuadrant) {
    const auto exclude = [](Place at, bool right, bool down, bool enabled) {
        const std::uint32_t directions = (right ? 1u : 0) | (down ? 2u : 0), place = at.x | std::uint32_t{at.y} << 6;
        return place << 8 | directions << 20 | (enabled ? 1u << 22 : 0);
    };
    const Place corner{5, 3};
    for (std::uint8_t x = 4; x <= 6; ++x)
        for (std::uint8_t y = 2; y <= 4; ++y)
            for (const bool right : {false, true})
                for (const bool down : {false, true}) {
                    const bool in_x = right ? x >= 5 : x <= 5, in_y = down ? y >= 3 : y <= 3;
                    EXPECT_EQ(noc::excludes(exclude(corner, right, down, true), {x, y}), in_x && in_y) << +x << ", " << +y << right << down;
                    EXPECT_FALSE(noc::excludes(exclude(corner, right, down, false), {x, y}));
                }
    EXPECT_TRUE(noc::excludes(exclude({16, 11}, true, true, true), {16, 11}));
    EXPECT_FALSE(noc::excludes(exclude({16, 11}, true, true, true), {15, 11}));
    EXPECT_FALSE(noc::excludes(exclude({16, 11}, true, true, true), {16, 10}));
}

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

// Spec-notes N2: Wormhole writes translated coordinates back, Blackhole keeps what software wrote.
TEST_P(NocNiu, TranslatedCoordinatesAreWrittenBackOnWormhole) {
    // Entries 18 and 19 of both tables mean 3 and 4.
    const std::uint32_t bits = blackhole() ? 5 : 4, per_word = 32 / bits, first = 18 % per_word * bits, entries = 3u << first | 4u << (first + bits);
    niu.store(offset::x_translate_table + 18 / per_word * 4, entries);
    niu.store(niu.map.y_translate_table + 18 / per_word * 4, entries);
    niu.store(offset::niu_cfg_0, noc::translate_enable);
    const std::uint32_t lower = 0x7u, target = 18 | 19u << 6, answer = 19 | 18u << 6;
    niu.end(offset::targ_addr_lo, target, 0x1000);
    niu.end(offset::ret_addr_lo, answer, 0x2000);
    EXPECT_EQ(niu.command(ctrl::write, 64).why, "");
    const auto register_of = [&](std::uint32_t lo) { return load(lo + (blackhole() ? 8 : 4)); };
    EXPECT_EQ(register_of(offset::targ_addr_lo), blackhole() ? target : (3u | 4u << 6) << 4);
    EXPECT_EQ(register_of(offset::ret_addr_lo), blackhole() ? answer : (4u | 3u << 6) << 4);
    niu.act();
    ASSERT_EQ(niu.left.size(), 1u);
    EXPECT_EQ(niu.left[0].first.to, niu.layout.seen_by(noc(), {4, 3}));
    // Without translation they are the NoC's own.
    niu.store(offset::niu_cfg_0, ~noc::translate_enable);
    niu.end(offset::ret_addr_lo, 4 | lower << 6, 0x2000);
    EXPECT_EQ(niu.command(ctrl::write, 64).why, "");
    niu.act();
    EXPECT_EQ(niu.left.back().first.to, niu.layout.seen_by(noc(), {4, 7}));
}

// NOC_CTRL, bits 10 to 12 (Wormhole): the ways on which the last request leaves its router, whatever they were. NoC 0 goes along X first.
TEST_P(NocNiu, NocCtrlSaysOnWhichWaysTheLastRequestLeaves) {
    if (blackhole()) return;  // it keeps what software wrote
    const auto ways = [&](Place to, std::uint32_t before) {
        niu.target(own, 0x1000);
        niu.answer(to, 0x2000);
        EXPECT_EQ(niu.command(ctrl::write | before << ctrl::output_ports, 64).why, "");
        niu.act();
        return load(offset::ctrl) >> ctrl::output_ports & 7;
    };
    for (const std::uint32_t before : {0u, 7u}) {
        EXPECT_EQ(ways(own, before), 1u);
        EXPECT_EQ(ways({1, 5}, before), 2u);
        EXPECT_EQ(ways({4, 2}, before), 4u);
        EXPECT_EQ(ways(other, before), noc() ? 2u : 4u);
    }
}

// NIU_MST_WRITE_REQS_OUTGOING_ID: until the last flit has left.
TEST_P(NocNiu, AWriteIsOutgoingUntilItHasLeft) {
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

TEST_P(NocNiu, WithoutCyclesAWriteHasLeftAtOnce) {
    LoneNiu at_once(arch(), noc(), Timing::functional);
    at_once.target(own, 0x1000);
    at_once.answer(other, 0x2000);
    EXPECT_EQ(at_once.command(ctrl::write, 2 * packet_bytes()).why, "");
    EXPECT_EQ(at_once.left.size(), 2u);
    EXPECT_EQ(at_once.niu.due(), noc::never);
    EXPECT_EQ(at_once.niu.load(offset::counters_begin + 4 * static_cast<std::uint32_t>(noc::Counter::mst_write_reqs_outgoing_id)), 0u);
}

// Where requests take cycles, a command does none of the acts that are due.
TEST_P(NocNiu, ACommandDoesNothingElse) {
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
TEST_P(NocNiu, DataPauseByTheirFlits) {
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
TEST_P(NocNiu, PacketsOfOneNiuFollowEachOther) {
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
TEST_P(NocNiu, AnAnswerLeavesWhenItsTileHasServedIt) {
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
TEST_P(NocNiu, ABroadcastWaitsForItsReservation) {
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

// Of one cycle, packets arrive by their source and number, behind what the NIU does by itself. The order of calls has no effect.
TEST_P(NocNiu, ActsOfOneCycleHaveAnOrder) {
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

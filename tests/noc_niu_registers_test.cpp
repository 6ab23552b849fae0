// SPDX-License-Identifier: Apache-2.0
// The registers of one NIU.
#include <set>
#include <utility>
#include <vector>

#include "support/niu_requests.hpp"

namespace tessera::test {
namespace {

class NiuRegisters : public NiuRequestsTest {};

// NoC/MemoryMap: ranges of offsets, ends included.
using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
std::set<std::uint32_t> offsets(const Ranges& ranges) {
    std::set<std::uint32_t> all;
    for (const auto& [first, last] : ranges)
        for (std::uint32_t at = first; at <= last; at += 4) all.insert(at);
    return all;
}

TEST_P(NiuRegisters, HasTheRegistersOfItsPage) {
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
    if (blackhole()) stores.push_back({0x378, 0x37C});  // without effect
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

TEST_P(NiuRegisters, FourInitiatorsHaveFieldsOfTheirOwn) {
    for (unsigned i = 0; i < 4; ++i) niu.store(initiator(i) + offset::ctrl, 100 + i);
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(load(initiator(i) + offset::ctrl), 100 + i);
}

TEST_P(NiuRegisters, AnInitiatorIsBusyUntilItsPacketLeaves) {
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
TEST_P(NiuRegisters, StoresToABusyInitiatorComeTooEarly) {
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
TEST_P(NiuRegisters, NoCommandMayComeBesideALongRequest) {
    using Misuse = noc::Niu::Misuse;
    EXPECT_EQ(ask(0, acknowledged, packet_bytes()).misuse, Misuse::none);
    EXPECT_EQ(ask(1, acknowledged, packet_bytes() + 64).misuse, Misuse::none);
    EXPECT_EQ(ask(2).misuse, Misuse::in_split);
    niu.act();
    EXPECT_EQ(ask(2).misuse, Misuse::none);
}

TEST_P(NiuRegisters, OnlyTheLowBitOfNocCmdCtrlIsACommand) {
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
TEST_P(NiuRegisters, CountersThatHaveReturnedToZeroAreShown) {
    if (!blackhole()) return;  // Wormhole has no such registers
    constexpr std::uint32_t keeps = 1u << 28;
    for (const unsigned transaction : {0u, 6u, 9u, 15u}) finish(transaction);
    EXPECT_EQ(load(offset::rtz_source), 1u << 0 | 1u << 6 | 1u << 9 | 1u << 15);
    EXPECT_EQ(load(offset::rtz_num), 0u);  // none is enabled
    EXPECT_EQ(load(offset::rtz_source), 1u << 0 | 1u << 6 | 1u << 9 | 1u << 15);
    for (const std::uint32_t offset : {offset::rtz_source, offset::rtz_num}) niu.store(offset, ~0u);  // has no effect
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
TEST_P(NiuRegisters, SoftwareClearsCountersOfTransactions) {
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
TEST_P(NiuRegisters, MasksOfItsColumnAndRowOptOutOfBroadcasts) {
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
TEST_P(NiuRegisters, ABroadcastLeavesOutOneQuadrant) {
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

// Spec-notes N2: Wormhole writes translated coordinates back, Blackhole keeps what software wrote.
TEST_P(NiuRegisters, TranslatedCoordinatesAreWrittenBackOnWormhole) {
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
    niu.store(offset::niu_cfg_0, 0xFFFF & ~noc::translate_enable);
    niu.end(offset::ret_addr_lo, 4 | lower << 6, 0x2000);
    EXPECT_EQ(niu.command(ctrl::write, 64).why, "");
    niu.act();
    EXPECT_EQ(niu.left.back().first.to, niu.layout.seen_by(noc(), {4, 7}));
}

// NOC_CTRL, bits 10 to 12 (Wormhole): the ways on which the last request leaves its router, whatever they were. NoC 0 goes along X first.
TEST_P(NiuRegisters, NocCtrlSaysOnWhichWaysTheLastRequestLeaves) {
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

INSTANTIATE_TEST_SUITE_P(Chips, NiuRegisters, LoneNiuTest::all(), LoneNiuTest::text_of);

}  // namespace
}  // namespace tessera::test

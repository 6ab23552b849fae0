// SPDX-License-Identifier: Apache-2.0
// Requests over the NoC at one tile: whom they meet.
#include <functional>

#include "support/noc_tile.hpp"

namespace tessera::hazards {
namespace {

// A request fills bytes of this tile or sends them; one from outside writes them or takes them away.
TEST_F(NocTile, RequestsAreMetByBytes) {
    struct Made {
        NocUse use;
        bool writes;
        std::function<void(std::uint32_t, std::uint32_t)> make;
    };
    const Made all[] = {
        {NocUse::fills, true, [&](std::uint32_t first, std::uint32_t bytes) { order.noc_asked(request(Kind::read, first, bytes)); }},
        {NocUse::sends, false, [&](std::uint32_t first, std::uint32_t bytes) { order.noc_asked(request(Kind::write, first, bytes)); }},
        {NocUse::arrives, true, [&](std::uint32_t first, std::uint32_t bytes) { order.noc_arrived(arrival(7, first, bytes, true)); }},
        {NocUse::is_read, false, [&](std::uint32_t first, std::uint32_t bytes) { order.noc_arrived(arrival(7, first, bytes, false)); }},
    };
    for (const Made& made : all)
        for (const std::uint32_t first : {0x2000u, 0x2001u, 0x207Fu, 0x20F0u})
            for (const std::uint32_t bytes : {17u, 32u, 128u, 200u, 1000u})
                for (const bool writes : {true, false})
                    for (const bool by_unit : {true, false}) {
                        renew();
                        made.make(first, bytes);
                        const std::uint32_t end = first + bytes;
                        for (const std::uint32_t at : {first - 129, first - 4, first - 3, first, end - 1, end, end + 127}) {
                            Order copy = order;
                            const bool common = at < first + bytes && first < at + 4, conflicts = common && (writes || made.writes);
                            if (by_unit) {
                                const Access access{Storage::l1, writes, at, 4};
                                const Ticket ticket = copy.issue(1, bit(Pipe::unpacker0), 5);
                                auto told = copy.check_accesses(ticket, copy.known(1), {&access, 1}, true, false);
                                std::erase_if(told, [](const Conflict& one) { return one.core >= 0; });  // the core that asked
                                ASSERT_EQ(told.size(), conflicts ? 1u : 0u) << first << ' ' << bytes << ' ' << at;
                                EXPECT_EQ(told.empty() ? NocUse::none : told[0].request.use, conflicts ? made.use : NocUse::none);
                                continue;
                            }
                            const auto met = writes ? copy.core_stores(nc, at, 4, 0x44) : copy.core_loads(nc, at, 4, 0x44);
                            ASSERT_EQ(use(met), conflicts ? made.use : NocUse::none) << first << ' ' << bytes << ' ' << at;
                            if (!met) continue;
                            EXPECT_EQ(met->first, std::max(first, at));
                            EXPECT_EQ(met->last, std::min(first + bytes, at + 4) - 1);
                            EXPECT_EQ(met->storage, Storage::l1);
                        }
                    }
}

// The latest of several requests is told, with its instruction.
TEST_F(NocTile, TheLatestRequestIsNamed) {
    for (std::uint32_t i = 0; i < 3; ++i) {
        NocOrder::Asked made = request(Kind::read, data, 64);
        made.by.pc = 0x100 + 4 * i;
        const auto asked = order.noc_asked(made);
        ASSERT_EQ(use(asked.conflict), i ? NocUse::fills : NocUse::none);
        EXPECT_EQ(i ? asked.conflict->request.by.pc : 0x100u, 0x100 + 4 * (i ? i - 1 : 0));
    }
    const auto met = order.core_loads(b, data, 4, 0x44);
    ASSERT_TRUE(met);
    EXPECT_EQ(met->request.by.pc, 0x108u);
    EXPECT_EQ(met->request.by.request, (NocRequest{here, 0, 3}));
}

// A request is an access like another one: it meets units, and units meet it.
TEST_F(NocTile, RequestsAndUnitsMeet) {
    constexpr Access stores{Storage::l1, true, data, 64}, loads{Storage::l1, false, data, 64};
    for (const bool unit_writes : {true, false})
        for (const Kind kind : {Kind::read, Kind::write})
            for (const bool drained : {true, false}) {
                renew();
                unit_meets(order, unit_writes ? stores : loads);
                if (drained) order.drained(t1, 1);
                const auto met = order.noc_asked(request(kind, data, 64, t1)).conflict;
                EXPECT_EQ(met.has_value(), !drained && (unit_writes || kind == Kind::read)) << unit_writes << drained;
                if (met) {
                    EXPECT_EQ(met->other_thread, 1u);
                    EXPECT_EQ(met->request.use, NocUse::none);
                }
            }
    // The thread knows what its core has learned with the next instruction that the core pushes.
    for (const bool waits : {true, false}) {
        renew();
        const NocOrder::Asked made = request(Kind::read, data, 64, t1);
        order.noc_asked(made);
        order.noc_answered(made.by.request, 0, 0, nullptr);
        if (waits) order.core_saw_noc(t1, 0x44, 0, Sign::reads, 0);
        order.core_pushes(t1, 1, 3);
        order.reached(1, 3);
        EXPECT_EQ(unit_meets(order, loads), !waits);
    }
}

// A request that sends a word reads it as a load does: it comes behind what the word's core did before.
TEST_F(NocTile, ARequestComesBehindTheStoresOfWhatItSends) {
    for (const bool sends : {true, false}) {
        renew();
        order.core_stores(nc, 0x4000, 4, 0x44);
        order.core_stores(nc, data + 32, 4, 0x44);
        order.noc_asked(request(sends ? Kind::write : Kind::read, data, 64, t1));
        order.core_pushes(t1, 1, 3);
        order.reached(1, 3);
        EXPECT_EQ(unit_meets(order, {Storage::l1, false, 0x4000, 4}), !sends);
    }
}

// A request from outside meets what this tile has done, unless its sender knows of that.
TEST_F(NocTile, RequestsFromOutsideMeetTheTile) {
    constexpr std::uint32_t used = 0x2E00;
    const auto clock_of = [&](unsigned core) {
        const auto known = knowing();
        set_clock(*known, here, order.core_known(core));
        return known;
    };
    for (const bool arrives : {true, false})
        for (const bool stored : {true, false})
            for (const bool by_unit : {true, false})
                for (const bool known : {true, false}) {
                    SCOPED_TRACE(testing::Message() << arrives << stored << by_unit << known);
                    renew();
                    if (by_unit)
                        unit_meets(order, {Storage::l1, stored, used + 32, 16});
                    else if (stored)
                        order.core_stores(t1, used + 32, 4, 0x44);
                    else
                        order.core_loads(t1, used + 32, 4, 0x44);
                    order.drained(t1, 1);
                    for (const std::uint32_t first : {used, used + 16, used + 48}) {
                        Order copy = order;
                        const auto met = copy.noc_arrived(arrival(1, first, 32, arrives, known ? clock_of(t1) : knowing()));
                        const bool common = first == used + 16;
                        ASSERT_EQ(met.has_value(), !known && common && (stored || arrives)) << first;
                        if (!met) continue;
                        EXPECT_EQ(met->first, first);
                        EXPECT_EQ(met->last, first + 31);
                        EXPECT_EQ(met->core, by_unit ? -1 : static_cast<int>(t1));
                        EXPECT_EQ(met->other_thread, by_unit ? 1u : 0u);
                        EXPECT_EQ(met->core_pc, by_unit ? 0u : 0x44u);
                    }
                }
}

// Words by which tiles agree are no accesses: up to 16 bytes.
TEST_F(NocTile, ShortRequestsFromOutsideMeetNothing) {
    for (const std::uint32_t bytes : {4u, 16u, 17u}) {
        renew();
        order.core_stores(t1, data, 4, 0x44);
        EXPECT_EQ(order.noc_arrived(arrival(1, data, bytes, true, knowing())).has_value(), bytes > 16);
        EXPECT_EQ(order.noc_arrived(arrival(2, data, bytes, true, knowing())).has_value(), bytes > 16);
        EXPECT_EQ(order.core_loads(nc, data + bytes - 1, 1, 0x44).has_value(), bytes > 16) << bytes;
    }
}

// An access that is ordered after an earlier one and covers it stands for both. All others stay.
TEST_F(NocTile, ALaterRequestStandsOnlyForWhatItCovers) {
    struct Later {
        std::uint32_t first, bytes;
        bool write, knows, stands;
    };
    constexpr Later all[] = {
        {page, 64, true, true, true},       {page - 16, 96, true, true, true},  {page, 64, true, false, false},
        {page + 4, 60, true, true, false},  {page, 60, true, true, false},      {page + 128, 64, true, true, false},
        {page, 64, false, true, false},
    };
    for (const Later& later : all) {
        renew();
        order.noc_arrived(arrival(1, page, 64, true, knowing()));
        order.core_loads(nc, page, 4, 0x44);
        order.noc_arrived(arrival(2, later.first, later.bytes, later.write, later.knows ? knowing({{there, 1, 1}}) : knowing()));
        // A core that knows of the second one only.
        order.noc_arrived(arrival(3, flag, 4, true, knowing({{there, 1, 2}})));
        order.core_loads(b, flag, 4, 0x44);
        EXPECT_EQ(!order.core_loads(b, page + 60, 4, 0x44), later.stands)
            << later.first << ' ' << later.bytes << later.write << later.knows;
    }
}

// The latest requests are known: 512 accesses of requests to L1.
TEST_F(NocTile, TheLastRequestsAreNotForgotten) {
    constexpr std::uint32_t most = 512, count = 600;
    for (std::uint32_t i = 0; i < count; ++i) order.noc_arrived(arrival(i + 1, 0x1'0000 + 32 * i, 32, true, nullptr));
    for (std::uint32_t i = count - most; i < count; ++i) {
        const auto met = order.core_loads(nc, 0x1'0000 + 32 * i + 28, 4, 0x44);
        ASSERT_TRUE(met) << i;
        EXPECT_EQ(met->request.by.request.number, i + 1);
    }
    EXPECT_FALSE(order.core_loads(nc, 0x1'0000 + 32 * (count - most - 1) + 28, 4, 0x44)) << "and no older ones";
}

// A request is told beside what else the instruction meets.
TEST_F(NocTile, AnInstructionThatMeetsARequestAndAnInstructionIsToldOfBoth) {
    constexpr Access from{Storage::l1, false, page, 16}, to{Storage::l1, true, 0x5000, 16};
    for (const bool request_first : {true, false}) {
        renew();
        order.noc_arrived(arrival(1, page, 64, true, knowing()));
        check(order, 0, Pipe::packer0, to, 7);
        const Ticket move = order.issue(1, bit(Pipe::mover), 9);
        const auto told = check(order, move, order.known(1), request_first ? std::vector{from, to} : std::vector{to, from});
        ASSERT_EQ(told.size(), 2u) << request_first;
        EXPECT_EQ(told[request_first ? 0 : 1].request.use, NocUse::arrives);
        EXPECT_EQ(told[request_first ? 1 : 0].other_index, 7);
    }
}

// In a block of L1 that a request has met, too.
TEST_F(NocTile, AnAccessMeetsAUnitBesideARequest) {
    enum class By { load, store, asks, arrives };
    for (const By by : {By::load, By::store, By::asks, By::arrives}) {
        renew();
        unit_meets(order, {Storage::l1, true, page, 64});
        order.noc_arrived(arrival(1, page + 64, 32, true, knowing()));
        const auto met = by == By::load    ? order.core_loads(nc, page, 4, 0x44)
                         : by == By::store ? order.core_stores(nc, page, 4, 0x44)
                         : by == By::asks  ? order.noc_asked(request(Kind::write, page, 64, nc)).conflict
                                           : order.noc_arrived(arrival(2, page, 64, true, knowing()));
        ASSERT_TRUE(met) << static_cast<int>(by);
        EXPECT_EQ(met->other_thread, 1u);
        EXPECT_EQ(use(met), NocUse::none);
    }
}

// Flags need no order, also where a longer request covers them.
TEST_F(NocTile, ALongRequestMeetsNoFlag) {
    for (const bool is_flag : {true, false}) {
        renew();
        if (is_flag) order.host_wrote(data + 32, 4);
        order.core_stores(b, data + 32, 4, 0x44);
        EXPECT_EQ(order.noc_arrived(arrival(1, data, 64, true, knowing())).has_value(), !is_flag);
    }
}

// As against cores: the scalar unit's accesses, and bounds, are not held against requests.
TEST_F(NocTile, OnlyExactAccessesOfUnitsAreHeldAgainstRequests) {
    for (const bool exact : {true, false})
        for (const Pipe unit : {Pipe::scalar, Pipe::packer0}) {
            renew();
            order.noc_arrived(arrival(1, page, 64, true, knowing()));
            const Ticket ticket = order.issue(1, bit(unit), 3);
            EXPECT_EQ(!check(order, ticket, order.known(1), {{Storage::l1, true, page, 16}}, exact).empty(), exact && unit == Pipe::packer0);
        }
}

// Off, or for a program without cores, nothing is recorded.
TEST(NocTileWithoutCores, NothingIsRecorded) {
    for (const bool off : {true, false}) {
        Order order;
        if (off) order.watch_cores();
        if (off) order.turn_off();
        NocOrder::Asked made;
        made.kind = Kind::read;
        made.first = data;
        made.bytes = 64;
        const auto asked = order.noc_asked(made);
        EXPECT_EQ(asked.carried, nullptr);
        EXPECT_FALSE(asked.conflict);
        const NocOrder::Arrival arrival{{{there, 0, 1}, 0, 0}, page, 64, knowing(), true};
        const NocOrder::Arrival short_one{{{there, 0, 1}, 0, 0}, page, 4, knowing(), false};
        EXPECT_FALSE(order.noc_arrived(arrival));
        EXPECT_EQ(order.noc_read_away(short_one), nullptr);
        EXPECT_EQ(order.noc_stream_read_away(0xFFB4'5000), nullptr);
        EXPECT_FALSE(order.core_loads(b, page, 4, 0x44));
        EXPECT_FALSE(order.core_loads(b, data, 4, 0x44));
    }
}

}  // namespace
}  // namespace tessera::hazards

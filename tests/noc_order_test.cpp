// SPDX-License-Identifier: Apache-2.0
// Requests over the NoC at one tile: whom they meet, and the signs that tell of their end.
#include <gtest/gtest.h>


#include "hazards/memory_order.hpp"
#include "support/checked_accesses.hpp"

namespace tessera::hazards {
namespace {

using Kind = NocOrder::Kind;
using Sign = NocOrder::Sign;

constexpr std::uint32_t data = 0x2000, page = 0x3000, flag = 0x600;

/// A tile whose cores access L1 and start requests.
class NocTile : public testing::Test {
protected:
    NocTile() { renew(); }
    void renew() {
        order = {};
        order.watch_cores();
        order.be_at(here);
        numbers_ = {};
    }
    /// A request of one packet, or as many as are said.
    NocOrder::Asked request(Kind kind, std::uint32_t first, std::uint32_t bytes, unsigned core = b, unsigned noc = 0) {
        NocOrder::Asked made;
        made.by = {{here, static_cast<std::uint8_t>(noc), ++numbers_.at(noc)}, static_cast<std::uint8_t>(core), 0x40};
        made.kind = kind;
        made.packets = 1;
        made.answers = 1;
        made.first = first;
        made.bytes = bytes;
        return made;
    }
    static NocOrder::Arrival arrival(std::uint32_t number, std::uint32_t first, std::uint32_t bytes, bool write,
                                     SharedNocKnowledge known = nullptr, std::uint16_t tile = there) {
        return {{{tile, 1, number}, nc, 0x80}, first, bytes, std::move(known), write};
    }
    static NocUse use(const std::optional<Conflict>& met) { return met ? met->request.use : NocUse::none; }
    static bool unit_meets(Order& of, const Access& access) {
        const Ticket ticket = of.issue(1, bit(Pipe::packer0), 5);
        return !of.check_accesses(ticket, of.known(1), {&access, 1}, true, false).empty();
    }

    Order order;

private:
    std::array<std::uint32_t, 2> numbers_{};
};

// NoC/Counters: which requests a counter counts, for its NoC, its kind and its transaction.
TEST_F(NocTile, ACounterTellsOfTheRequestsThatItCounts) {
    constexpr Kind kinds[] = {Kind::read, Kind::write, Kind::atomic};
    constexpr Sign signs[] = {Sign::reads, Sign::writes, Sign::atomics, Sign::sent, Sign::transaction, Sign::sent_of_transaction};
    constexpr unsigned transaction = 5;
    for (const Kind kind : kinds)
        for (const Sign sign : signs)
            for (unsigned noc = 0; noc < 2; ++noc)
                for (unsigned asked = 0; asked < 2; ++asked)
                    for (const unsigned id : {transaction, 6u, 0u}) {
                        SCOPED_TRACE(testing::Message() << static_cast<int>(kind) << static_cast<int>(sign) << noc << asked << ' ' << id);
                        renew();
                        order.core_stores(b, 0x700, 4, 0x44);
                        order.core_loads(nc, 0x700, 4, 0x44);  // from b, before all
                        NocOrder::Asked made = request(kind, data, 64, b, noc);
                        made.transaction = transaction;
                        order.noc_asked(made);
                        const auto knows = [&](unsigned core) { return !order.core_stores(core, data, 4, 0x44); };
                        order.core_saw_noc(b, 0x44, asked, sign, id);
                        EXPECT_FALSE(knows(b)) << "nothing has ended";
                        const bool of_sending = sign == Sign::sent || sign == Sign::sent_of_transaction;
                        if (of_sending)
                            order.noc_sent(made.by.request);
                        else
                            order.noc_answered(made.by.request, 0, 0, nullptr);
                        EXPECT_FALSE(knows(b)) << "it has not looked since";
                        order.core_saw_noc(b, 0x44, asked, sign, id);
                        const bool of_kind = sign == Sign::transaction || (sign == Sign::reads && kind == Kind::read) ||
                                             (sign == Sign::atomics && kind == Kind::atomic) ||
                                             ((sign == Sign::writes || of_sending) && kind == Kind::write);
                        const bool of_id = (sign != Sign::transaction && sign != Sign::sent_of_transaction) || id == transaction;
                        EXPECT_EQ(knows(b), of_kind && of_id && noc == asked);
                        EXPECT_FALSE(knows(nc)) << "another core has not looked";
                        order.core_saw_noc(nc, 0x48, asked, sign, id);
                        EXPECT_EQ(knows(nc), of_kind && of_id && noc == asked);
                    }
}

// A look at any other counter takes nothing from it.
TEST_F(NocTile, EachCounterIsLookedAtByItself) {
    constexpr Sign signs[] = {Sign::reads, Sign::writes, Sign::atomics, Sign::sent, Sign::transaction, Sign::sent_of_transaction};
    for (const Sign sign : signs)
        for (unsigned noc = 0; noc < 2; ++noc)
            for (unsigned transaction = 0; transaction < 16; ++transaction) {
                renew();
                const Kind kind = sign == Sign::reads ? Kind::read : sign == Sign::atomics ? Kind::atomic : Kind::write;
                NocOrder::Asked made = request(kind, data, 64, b, noc);
                made.transaction = static_cast<std::uint8_t>(transaction);
                order.noc_asked(made);
                order.noc_answered(made.by.request, 0, 0, nullptr);
                order.noc_sent(made.by.request);
                for (const unsigned other_core : {t0, nc})
                    for (const Sign each : signs)
                        for (unsigned other_noc = 0; other_noc < 2; ++other_noc) order.core_saw_noc(other_core, 0x44, other_noc, each, 0);
                for (const unsigned other_noc : {noc, 1 - noc})
                    for (unsigned other = 0; other < 16; ++other)
                        for (const Sign each : signs)
                            if (other_noc != noc || (other != transaction && each >= Sign::transaction))
                                order.core_saw_noc(b, 0x44, other_noc, each, other);
                EXPECT_TRUE(order.core_stores(b, data, 4, 0x44));
                order.core_saw_noc(b, 0x44, noc, sign, transaction);
                EXPECT_FALSE(order.core_stores(b, data, 4, 0x44)) << static_cast<int>(sign) << noc << ' ' << transaction;
            }
}

// A counter counts a request once all of its packets have left, or all of its answers have come.
TEST_F(NocTile, AllPacketsAndAllAnswersAreToBeThere) {
    for (const bool of_sending : {true, false})
        for (std::uint32_t count = 1; count < 4; ++count) {
            renew();
            NocOrder::Asked made = request(Kind::write, data, 64);
            made.packets = of_sending ? count : 1;
            made.answers = of_sending ? 1 : count;
            order.noc_asked(made);
            const Sign sign = of_sending ? Sign::sent : Sign::writes;
            for (std::uint32_t ended = 0; ended <= count + 1; ++ended) {
                order.core_saw_noc(b, 0x44, 0, sign, 0);
                const NocUse expected = ended < count ? NocUse::sends : NocUse::none;
                EXPECT_EQ(use(order.core_stores(b, data, 4, 0x44)), expected) << ended << " of " << count;
                if (of_sending)
                    order.noc_sent(made.by.request);
                else
                    order.noc_answered(made.by.request, 0, 0, nullptr);
            }
        }
}

// Of a write without a response a counter tells that it has left, and none that it has arrived.
TEST_F(NocTile, AWriteWithoutAResponseIsOnlySent) {
    for (const Sign sign : {Sign::writes, Sign::transaction, Sign::sent, Sign::sent_of_transaction}) {
        renew();
        NocOrder::Asked made = request(Kind::write, data, 64);
        made.answers = 0;
        order.noc_asked(made);
        order.noc_sent(made.by.request);
        order.core_saw_noc(b, 0x44, 0, sign, 0);
        const bool knows = sign == Sign::sent || sign == Sign::sent_of_transaction;
        EXPECT_EQ(!order.core_stores(b, data, 4, 0x44), knows) << static_cast<int>(sign);
    }
}

// Answers of earlier requests count for those alone, also when a later request ends first.
TEST_F(NocTile, EachRequestEndsByItself) {
    std::vector<NocOrder::Asked> all;
    for (std::uint32_t i = 0; i < 4; ++i) order.noc_asked(all.emplace_back(request(Kind::read, page + 64 * i, 64)));
    for (const unsigned which : {2u, 0u, 3u, 1u}) {
        EXPECT_EQ(use(order.core_loads(b, page + 64 * which, 4, 0x44)), NocUse::fills);
        order.noc_answered(all[which].by.request, 0, 0, nullptr);
        order.core_saw_noc(b, 0x44, 0, Sign::reads, 0);
        EXPECT_FALSE(order.core_loads(b, page + 64 * which, 4, 0x44)) << which;
    }
}

// Ends of requests from before this run, or of very old ones, tell nothing.
TEST_F(NocTile, EndsOfUnknownRequestsAreNoMatter) {
    const NocOrder::Asked made = request(Kind::write, data, 64);
    order.noc_asked(made);
    const NocRequest unknown{here, 0, 99};
    order.noc_sent(unknown);
    order.noc_answered(unknown, 0, 0, nullptr);
    order.core_saw_noc(b, 0x44, 0, Sign::sent, 0);
    EXPECT_TRUE(order.core_stores(b, data, 4, 0x44));
    order.noc_sent(made.by.request);
    order.core_saw_noc(b, 0x44, 0, Sign::sent, 0);
    EXPECT_FALSE(order.core_stores(b, data, 4, 0x44));
}

// docs/races.md, What orders: a load of an NIU's counter is an ordering by word.
TEST_F(NocTile, CountersAreOrderingsByWord) {
    const auto told = [&](std::vector<Disregarded> without) {
        renew();
        order.disregard(std::move(without));
        const NocOrder::Asked made = request(Kind::read, data, 64);
        order.noc_asked(made);
        order.noc_answered(made.by.request, 0, 0, nullptr);
        order.core_saw_noc(b, 0x44, 0, Sign::reads, 0);
        return order.core_loads(b, data, 4, 0x44).has_value();
    };
    EXPECT_FALSE(told({}));
    EXPECT_TRUE(told({{Ordering::word}}));
    EXPECT_TRUE(told({{Ordering::word, {}, RiscvCore::b}}));
    EXPECT_FALSE(told({{Ordering::word, {}, RiscvCore::nc}}));
}

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
        known->set_clock(here, order.core_known(core));
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

// A page that is announced and written again by its tile, before anything has used it.
TEST_F(NocTile, APageThatNothingHasUsedIsWrittenAgain) {
    enum class But { nothing, used, by_unit, asked_for, not_announced, other_tile, longer, shorter, told_twice };
    for (const But but : {But::nothing, But::used, But::by_unit, But::asked_for, But::not_announced, But::other_tile, But::longer,
                          But::shorter, But::told_twice}) {
        renew();
        const NocRequest first{there, 1, 1};
        order.noc_arrived(arrival(1, page, 64, true, knowing()));
        if (but != But::not_announced) order.noc_arrived(arrival(2, flag, 4, true, knowing({first})));
        if (but == But::told_twice) order.noc_arrived(arrival(2, flag, 4, true, knowing({first})));
        if (but == But::used) order.core_loads(nc, page + 60, 4, 0x44);
        if (but == But::by_unit) unit_meets(order, {Storage::l1, false, page, 1});
        if (but == But::asked_for) order.noc_asked(request(Kind::write, page + 32, 32));
        const std::uint32_t bytes = but == But::longer ? 128 : but == But::shorter ? 32 : 64;
        // The sender knows that its first write has arrived, so only the loss is to be told.
        const auto met = order.noc_arrived(arrival(3, page, bytes, true, knowing({first}), but == But::other_tile ? elsewhere : there));
        const bool lost = but == But::nothing || but == But::told_twice;
        ASSERT_EQ(met.has_value() && met->request.use == NocUse::unread, lost) << static_cast<int>(but);
        if (!lost) continue;
        EXPECT_EQ(met->first, page);
        EXPECT_EQ(met->last, page + 63);
        EXPECT_EQ(met->request.by.request, first);
        EXPECT_EQ(met->request.by.pc, 0x80u);
    }
}

// Flags bring what their sender knew; each core learns when it loads the word.
TEST_F(NocTile, AFlagBringsWhatItsSenderKnew) {
    const NocRequest first{there, 1, 1}, second{there, 1, 2};
    for (std::uint32_t word = 0; word < 20; word += 4) {
        renew();
        order.noc_arrived(arrival(1, page, 64, true, knowing()));
        order.noc_arrived(arrival(2, page + 64, 64, true, knowing()));
        order.noc_arrived(arrival(3, flag, 16, true, knowing({first})));
        EXPECT_TRUE(order.core_loads(nc, page, 4, 0x44));
        EXPECT_FALSE(order.core_loads(nc, flag + word, 4, 0x44));
        EXPECT_EQ(!order.core_loads(nc, page, 4, 0x44), word < 16) << word;
        EXPECT_TRUE(order.core_loads(nc, page + 64, 4, 0x44));
        EXPECT_TRUE(order.core_loads(b, page, 4, 0x44)) << "another core has not looked";
        // The same word again, with more behind it.
        order.noc_arrived(arrival(4, flag + word, 4, true, knowing({second})));
        EXPECT_TRUE(order.core_loads(nc, page + 64, 4, 0x44));
        order.core_loads(nc, flag + word, 4, 0x44);
        EXPECT_FALSE(order.core_loads(nc, page + 64, 4, 0x44));
        order.core_loads(b, flag + word + 3, 1, 0x44);
        EXPECT_FALSE(order.core_loads(b, page + 64, 4, 0x44));
        EXPECT_EQ(!order.core_loads(b, page, 4, 0x44), word < 16) << "the word keeps what came first";
    }
}

// Also for accesses of single bytes.
TEST_F(NocTile, EachWordIsAFlagOfItsOwn) {
    constexpr std::uint32_t words = 8;
    const NocRequest request{there, 1, 1};
    for (std::uint32_t raised = 0; raised < words; ++raised)
        for (std::uint32_t byte = 0; byte < 4 * words; ++byte) {
            renew();
            order.noc_arrived(arrival(1, page, 64, true, knowing()));
            order.noc_arrived(arrival(2, flag + 4 * raised + byte % 4, 1, true, knowing({request})));
            const auto taken = order.noc_read_away(arrival(9, flag + byte, 1, false));
            EXPECT_EQ(taken && taken->knows(request), byte / 4 == raised) << raised << ' ' << byte;
            order.core_loads(nc, flag + byte, 1, 0x44);
            EXPECT_EQ(!order.core_loads(nc, page, 4, 0x44), byte / 4 == raised) << raised << ' ' << byte;
            order.core_loads(b, flag + byte, 4 * words, 0x44);
            EXPECT_EQ(!order.core_loads(b, page, 4, 0x44), byte / 4 <= raised) << raised << ' ' << byte;
        }
}

TEST_F(NocTile, FlagsAreOrderingsByWord) {
    for (const bool ignored : {true, false})
        for (const bool is_register : {true, false}) {
            renew();
            if (ignored) order.disregard({{Ordering::word, {}, RiscvCore::nc}});
            order.noc_arrived(arrival(1, page, 64, true, knowing()));
            constexpr std::uint32_t stream = 0xFFB4'5000;
            if (is_register) {
                order.noc_wrote_stream(stream, knowing({{there, 1, 1}}));
                order.core_loads_stream(nc, 0x44, stream + 0x1000);
                EXPECT_TRUE(order.core_loads(nc, page, 4, 0x44)) << "another stream";
                order.core_loads_stream(nc, 0x44, stream);
            } else {
                order.noc_arrived(arrival(2, flag, 4, true, knowing({{there, 1, 1}})));
                order.core_loads(nc, flag, 4, 0x44);
            }
            EXPECT_EQ(order.core_loads(nc, page, 4, 0x44).has_value(), ignored);
        }
}

// The answer of a short read or an atomic is a flag in this tile.
TEST_F(NocTile, AShortAnswerBringsWhatIsKnownOfItsWord) {
    for (const std::uint32_t bytes : {4u, 16u, 17u, 0u}) {
        renew();
        order.noc_arrived(arrival(1, page, 64, true, knowing()));
        const NocOrder::Asked made = request(Kind::read, flag, bytes);
        order.noc_asked(made);
        order.noc_answered(made.by.request, flag, bytes, knowing({{there, 1, 1}}));
        order.core_saw_noc(b, 0x44, 0, Sign::reads, 0);
        EXPECT_TRUE(order.core_loads(b, page, 4, 0x44)) << "it has not loaded the word";
        order.core_loads(b, flag, 4, 0x44);
        EXPECT_EQ(!order.core_loads(b, page, 4, 0x44), bytes == 4 || bytes == 16) << bytes;
    }
}

// A read announces pages that have come before; the result of an atomic announces none.
TEST_F(NocTile, OnlyAReadAnnouncesAPage) {
    for (const Kind kind : {Kind::read, Kind::atomic}) {
        renew();
        const NocOrder::Asked made = request(kind, flag, 4);
        order.noc_asked(made);
        order.noc_arrived(arrival(1, page, 64, true, knowing()));
        order.noc_answered(made.by.request, flag, 4, knowing({{there, 1, 1}}));
        const auto met = order.noc_arrived(arrival(3, page, 64, true, knowing({{there, 1, 1}})));
        EXPECT_EQ(use(met) == NocUse::unread, kind == Kind::read);
    }
}

/// Whether a tile that has heard this knows that the request is complete.
bool knows(const SharedNocKnowledge& known, const NocRequest& request) { return known && known->knows(request); }

// A request carries what its core knew when it asked: ends that it has seen, and requests of the same way before it.
TEST_F(NocTile, ARequestCarriesWhatItsCoreKnew) {
    NocOrder::Asked first = request(Kind::write, data, 64);
    first.way = 0x55;
    const auto carried_first = order.noc_asked(first).carried;
    ASSERT_TRUE(carried_first);
    EXPECT_FALSE(knows(carried_first, first.by.request));
    const auto next = [&](std::uint64_t way, unsigned core = b) {
        NocOrder::Asked made = request(Kind::write, page, 64, core);
        made.way = way;
        Order copy = order;
        return knows(copy.noc_asked(made).carried, first.by.request);
    };
    EXPECT_TRUE(next(0x55));
    EXPECT_TRUE(next(0x55, nc)) << "whichever core asks";
    EXPECT_FALSE(next(0x56));
    EXPECT_FALSE(next(0));
    order.noc_answered(first.by.request, 0, 0, nullptr);
    EXPECT_FALSE(next(0));
    order.core_saw_noc(b, 0x44, 0, Sign::writes, 0);
    EXPECT_TRUE(next(0));
    EXPECT_FALSE(next(0, nc));
    // By a word of L1, the other core learns the same.
    order.core_stores(b, 0x700, 4, 0x44);
    order.core_loads(nc, 0x700, 4, 0x44);
    EXPECT_TRUE(next(0, nc));
    // It also tells how far this tile's own work has come.
    order.core_stores(nc, 0x4000, 4, 0x44);
    const auto carried = order.noc_asked(request(Kind::write, page, 64, nc)).carried;
    ASSERT_TRUE(carried->clock_of(here));
    EXPECT_GE(carried->clock_of(here)->accesses()[nc], order.core_known(nc).accesses()[nc]);
    EXPECT_EQ(carried->clock_of(there), nullptr);
    EXPECT_FALSE(carried_first->knows(first.by.request)) << "a clock that was sent is not changed";
}

// No way is no order, also for two requests that have none.
TEST_F(NocTile, RequestsWithoutAWayHaveNoOrder) {
    const NocOrder::Asked first = request(Kind::write, data, 64);
    order.noc_asked(first);
    EXPECT_FALSE(knows(order.noc_asked(request(Kind::write, page, 64)).carried, first.by.request));
}

// A core's stores bring what it knew then, not what it learned later.
TEST_F(NocTile, WhatACoreLearnsLaterIsNotInItsEarlierStores) {
    const auto learns = [&](std::uint32_t number) {
        order.noc_arrived(arrival(100 + number, flag, 4, true, knowing({{there, 1, number}})));
        order.core_loads(b, flag, 4, 0x44);
    };
    const auto carried_by = [&](unsigned core, std::uint32_t number) {
        Order copy = order;
        return knows(copy.noc_asked(request(Kind::write, page, 64, core)).carried, {there, 1, number});
    };
    for (std::uint32_t number = 1; number < 100; number += 2) {
        learns(number);
        order.core_stores(b, 0x700, 4, 0x44);
        learns(number + 1);
        order.core_loads(nc, 0x700, 4, 0x44);
        ASSERT_TRUE(carried_by(nc, number)) << number;
        EXPECT_TRUE(number == 1 || carried_by(nc, number - 1));
        ASSERT_FALSE(carried_by(nc, number + 1)) << number;
        EXPECT_TRUE(carried_by(b, number + 1));
    }
}

// A short read from outside takes away what its word was told, and what the core knew that stored it.
TEST_F(NocTile, AShortReadTakesAwayWhatIsKnownOfItsWords) {
    const NocRequest of_flag{there, 1, 1}, own{here, 0, 1};
    for (const std::uint32_t bytes : {4u, 8u, 16u, 17u}) {
        renew();
        order.noc_asked(request(Kind::write, data, 64, nc));
        order.noc_answered(own, 0, 0, nullptr);
        order.core_saw_noc(nc, 0x44, 0, Sign::writes, 0);
        order.core_stores(nc, flag, 4, 0x44);
        order.noc_arrived(arrival(2, flag + 4, 4, true, knowing({of_flag})));
        const auto taken = order.noc_read_away(arrival(9, flag, bytes, false));
        EXPECT_EQ(knows(taken, of_flag), bytes == 8 || bytes == 16) << bytes;
        EXPECT_EQ(knows(taken, own), bytes <= 16) << bytes;
        EXPECT_EQ(taken && taken->clock_of(here), bytes <= 16);
        const auto second = order.noc_read_away(arrival(9, flag + 4, 4, false));
        EXPECT_TRUE(knows(second, of_flag));
        EXPECT_EQ(second->clock_of(here), nullptr) << "no core has stored this word";
    }
}

TEST_F(NocTile, AReadOfAStreamTakesAwayWhatIsKnownOfIt) {
    constexpr std::uint32_t stream = 0xFFB4'5000;
    order.noc_wrote_stream(stream, knowing({{there, 1, 1}}));
    order.core_stores(nc, 0x4000, 4, 0x44);
    order.core_releases_word(nc, stream_registers_word);
    const auto taken = order.noc_stream_read_away(stream);
    EXPECT_TRUE(knows(taken, {there, 1, 1}));
    ASSERT_TRUE(taken->clock_of(here));
    EXPECT_EQ(taken->clock_of(here)->accesses()[nc], order.core_known(nc).accesses()[nc]);
    const auto other = order.noc_stream_read_away(stream + 0x1000);
    EXPECT_FALSE(knows(other, {there, 1, 1}));
    EXPECT_TRUE(other->clock_of(here));
}

// Writing a register of a stream announces pages like any flag, but only with knowledge of its sender.
TEST_F(NocTile, ARegisterOfAStreamAnnouncesAPage) {
    for (const bool told : {true, false}) {
        renew();
        order.noc_arrived(arrival(1, page, 64, true, knowing()));
        order.noc_wrote_stream(0xFFB4'5000, told ? knowing({{there, 1, 1}}) : nullptr);
        EXPECT_EQ(use(order.noc_arrived(arrival(3, page, 64, true, knowing({{there, 1, 1}})))) == NocUse::unread, told);
    }
}

// A request whose sender tells nothing of itself, as the host's, raises no flag.
TEST_F(NocTile, AnUnknownSendersFlagTellsNothing) {
    order.noc_arrived(arrival(1, page, 64, true, knowing()));
    order.noc_arrived(arrival(2, flag, 4, true, nullptr));
    order.core_loads(nc, flag, 4, 0x44);
    EXPECT_TRUE(order.core_loads(nc, page, 4, 0x44));
    EXPECT_EQ(use(order.noc_arrived(arrival(3, page, 64, true, knowing({{there, 1, 1}})))), NocUse::none);
}

// A write of a short word from outside makes it a flag, which needs no order; a read does not.
TEST_F(NocTile, AShortWriteFromOutsideMakesItsWordsFlags) {
    constexpr Access covers{Storage::l1, true, flag, 16};
    for (const bool write : {true, false}) {
        renew();
        order.core_stores(b, flag, 4, 0x44);
        order.noc_arrived(arrival(2, flag, 4, write, nullptr));
        EXPECT_EQ(unit_meets(order, covers), !write) << "a flag needs no order";
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

// The ends of a tile's latest 256 requests are known.
TEST_F(NocTile, TheLast256OwnRequestsCanEnd) {
    for (const unsigned others : {255u, 256u}) {
        renew();
        const NocOrder::Asked first = request(Kind::read, data, 64);
        order.noc_asked(first);
        for (unsigned i = 0; i < others; ++i) order.noc_asked(request(Kind::atomic, 0, 0));
        order.noc_answered(first.by.request, 0, 0, nullptr);
        order.core_saw_noc(b, 0x44, 0, Sign::reads, 0);
        EXPECT_EQ(!order.core_loads(b, data, 4, 0x44), others < 256) << others;
    }
}

// Two different announcements are two.
TEST_F(NocTile, APageMayBeAnnouncedInTwoWays) {
    const NocRequest first{there, 1, 1};
    for (unsigned one = 0; one < 3; ++one)
        for (unsigned other = 0; other < 3; ++other) {
            if (one == other) continue;
            renew();
            const NocOrder::Asked made = request(Kind::read, flag + 64, 4);
            order.noc_asked(made);
            order.noc_arrived(arrival(1, page, 64, true, knowing()));
            for (const unsigned way : {one, other}) {
                if (way == 0) order.noc_arrived(arrival(2, flag, 4, true, knowing({first})));
                if (way == 1) order.noc_answered(made.by.request, flag + 64, 4, knowing({first}));
                if (way == 2) order.noc_wrote_stream(0xFFB4'5000, knowing({first}));
            }
            EXPECT_EQ(use(order.noc_arrived(arrival(3, page, 64, true, knowing({first})))), NocUse::unread) << one << other;
        }
}

// Who reads a page that nothing has used takes nothing away.
TEST_F(NocTile, APageIsReadByItsSender) {
    const NocRequest first{there, 1, 1};
    order.noc_arrived(arrival(1, page, 64, true, knowing()));
    order.noc_arrived(arrival(2, flag, 4, true, knowing({first})));
    EXPECT_FALSE(order.noc_arrived(arrival(3, page, 64, false, knowing({first}))));
}

// A read of a word brings its tile nothing.
TEST_F(NocTile, AShortReadFromOutsideRaisesNoFlag) {
    order.noc_arrived(arrival(1, page, 64, true, knowing()));
    order.noc_arrived(arrival(2, flag, 4, false, knowing({{there, 1, 1}})));
    Order copy = order;
    EXPECT_NE(use(copy.noc_arrived(arrival(3, page, 64, true, knowing({{there, 1, 1}})))), NocUse::unread);
    order.core_loads(nc, flag, 4, 0x44);
    EXPECT_TRUE(order.core_loads(nc, page, 4, 0x44));
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

// What a core has learned by its last access goes with the register that it writes then.
TEST_F(NocTile, AStreamTellsWhatItsWriterHasJustLearned) {
    const NocOrder::Asked made = request(Kind::write, data, 64, nc);
    order.noc_asked(made);
    order.noc_answered(made.by.request, 0, 0, nullptr);
    order.core_saw_noc(nc, 0x44, 0, Sign::writes, 0);
    order.core_releases_word(nc, stream_registers_word);
    EXPECT_TRUE(knows(order.noc_stream_read_away(0xFFB4'5000), made.by.request));
}

// Who hears the same again has learned nothing, and forgets nothing by that.
TEST_F(NocTile, TheSameAgainIsNoNews) {
    order.core_stores(b, 0x700, 4, 0x44);  // knows nothing yet
    for (std::uint32_t i = 0; i < 100; ++i) {
        order.noc_arrived(arrival(100 + i, 0x8000 + 4 * i, 4, true, knowing({{there, 1, 1}})));
        order.core_loads(b, 0x8000 + 4 * i, 4, 0x44);
    }
    order.core_loads(nc, 0x700, 4, 0x44);
    EXPECT_FALSE(knows(order.noc_asked(request(Kind::write, page, 64, nc)).carried, {there, 1, 1}));
}

// Each core's latest 64 news are kept. An older access is given the oldest that is left.
TEST_F(NocTile, WhatACoreKnewOfOtherTilesIsKeptFor64News) {
    for (const std::uint32_t news : {64u, 65u}) {
        renew();
        const auto learns = [&](std::uint32_t number) {
            order.noc_arrived(arrival(100 + number, flag, 4, true, knowing({{there, 1, number}})));
            order.core_loads(b, flag, 4, 0x44);
        };
        learns(1);
        order.core_stores(b, 0x700, 4, 0x44);
        for (std::uint32_t number = 2; number <= news; ++number) learns(number);
        order.core_loads(nc, 0x700, 4, 0x44);
        const auto carried = order.noc_asked(request(Kind::write, page, 64, nc)).carried;
        EXPECT_TRUE(knows(carried, {there, 1, 1}));
        EXPECT_EQ(knows(carried, {there, 1, 2}), news == 65) << "the entry that knew only the first is gone";
        EXPECT_FALSE(knows(carried, {there, 1, 3}));
        // A core that has heard nothing of that one.
        EXPECT_FALSE(knows(order.noc_asked(request(Kind::write, page + 64, 64, t2)).carried, {there, 1, 1}));
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

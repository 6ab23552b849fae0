// SPDX-License-Identifier: Apache-2.0
// Requests over the NoC at one tile: the signs that tell of their end.
#include "support/noc_tile.hpp"

namespace tessera::hazards {
namespace {

class NocEnds : public NocTile {};

constexpr Sign signs[] = {Sign::reads,
                          Sign::writes,
                          Sign::atomics,
                          Sign::sent,
                          Sign::posted_sent,
                          Sign::transaction,
                          Sign::sent_of_transaction};

// NoC/Counters: which requests a counter counts, for its NoC, its kind and its transaction.
TEST_F(NocEnds, ACounterTellsOfTheRequestsThatItCounts) {
    constexpr Kind kinds[] = {Kind::read, Kind::write, Kind::atomic};
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
                        const bool of_sending =
                            sign == Sign::sent || sign == Sign::posted_sent || sign == Sign::sent_of_transaction;
                        if (of_sending)
                            order.noc_sent(made.by.request);
                        else
                            order.noc_answered(made.by.request, 0, 0, nullptr);
                        EXPECT_FALSE(knows(b)) << "it has not looked since";
                        order.core_saw_noc(b, 0x44, asked, sign, id);
                        const bool of_kind = sign == Sign::transaction || (sign == Sign::reads && kind == Kind::read) ||
                                             (sign == Sign::atomics && kind == Kind::atomic) ||
                                             ((sign == Sign::writes || (of_sending && sign != Sign::posted_sent)) &&
                                              kind == Kind::write);
                        const bool of_id = (sign != Sign::transaction && sign != Sign::sent_of_transaction) || id == transaction;
                        EXPECT_EQ(knows(b), of_kind && of_id && noc == asked);
                        EXPECT_FALSE(knows(nc)) << "another core has not looked";
                        order.core_saw_noc(nc, 0x48, asked, sign, id);
                        EXPECT_EQ(knows(nc), of_kind && of_id && noc == asked);
                    }
}

// A look at any other counter takes nothing from it.
TEST_F(NocEnds, EachCounterIsLookedAtByItself) {
    for (const Sign sign : signs)
        for (unsigned noc = 0; noc < 2; ++noc)
            for (unsigned transaction = 0; transaction < 16; ++transaction) {
                renew();
                const Kind kind = sign == Sign::reads ? Kind::read : sign == Sign::atomics ? Kind::atomic : Kind::write;
                NocOrder::Asked made = request(kind, data, 64, b, noc);
                made.transaction = static_cast<std::uint8_t>(transaction);
                if (sign == Sign::posted_sent) made.answers = 0;
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
TEST_F(NocEnds, AllPacketsAndAllAnswersAreToBeThere) {
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

// Of a write without a response one counter tells that it has left, and none that it has arrived.
TEST_F(NocEnds, AWriteWithoutAResponseIsOnlySent) {
    for (const Sign sign :
         {Sign::writes, Sign::transaction, Sign::sent, Sign::posted_sent, Sign::sent_of_transaction}) {
        renew();
        NocOrder::Asked made = request(Kind::write, data, 64);
        made.answers = 0;
        order.noc_asked(made);
        order.noc_sent(made.by.request);
        order.core_saw_noc(b, 0x44, 0, sign, 0);
        const bool knows = sign == Sign::posted_sent || sign == Sign::sent_of_transaction;
        EXPECT_EQ(!order.core_stores(b, data, 4, 0x44), knows) << static_cast<int>(sign);
    }
}

// NoC/Ordering: answers come in any order, so a counter tells of its requests together. Each transaction has a counter.
TEST_F(NocEnds, ACounterAtItsLastValueTellsOfAllThatItCounts) {
    for (const Sign sign : {Sign::reads, Sign::transaction}) {
        renew();
        std::vector<NocOrder::Asked> all;
        for (std::uint32_t i = 0; i < 4; ++i) {
            NocOrder::Asked& made = all.emplace_back(request(Kind::read, page + 64 * i, 64));
            made.transaction = static_cast<std::uint8_t>(i);
            order.noc_asked(made);
        }
        NocOrder::Asked other = request(Kind::read, data, 64, b, 1);  // of the other NIU, never answered
        order.noc_asked(other);
        unsigned answered = 0;
        for (const unsigned which : {2u, 0u, 3u, 1u}) {
            EXPECT_EQ(use(order.core_loads(b, page + 64 * which, 4, 0x44)), NocUse::fills);
            order.noc_answered(all[which].by.request, 0, 0, nullptr);
            order.core_saw_noc(b, 0x44, 0, sign, which);
            EXPECT_EQ(!order.core_loads(b, page + 64 * which, 4, 0x44), sign == Sign::transaction || ++answered == 4)
                << which;
        }
        for (std::uint32_t i = 0; i < 4; ++i) EXPECT_FALSE(order.core_loads(b, page + 64 * i, 4, 0x44)) << i;
    }
}

// A read whose answer goes to another tile is never counted here.
TEST_F(NocEnds, AnAnswerThatGoesElsewhereIsNotCounted) {
    for (const Kind kind : {Kind::read, Kind::write, Kind::atomic}) {
        renew();
        NocOrder::Asked made = request(kind, 0, 0);
        made.answers = 0;
        order.noc_asked(made);
        for (const Sign sign : {Sign::reads, Sign::writes, Sign::atomics, Sign::transaction})
            order.core_saw_noc(b, 0x44, 0, sign, 0);
        const auto carried = order.noc_asked(request(Kind::write, data, 64)).carried;
        ASSERT_TRUE(carried);
        EXPECT_FALSE(carried->knows(made.by.request)) << static_cast<int>(kind);
    }
}

// The count of sent packets frees as many as it counts: they leave in their order (NoC/Ordering).
TEST_F(NocEnds, ACounterOfSentPacketsTellsOfTheFirst) {
    std::vector<NocOrder::Asked> all;
    for (std::uint32_t i = 0; i < 3; ++i) order.noc_asked(all.emplace_back(request(Kind::write, page + 64 * i, 64)));
    const auto may_change = [&](std::uint32_t which) { return !order.core_stores(b, page + 64 * which, 4, 0x44); };
    order.noc_sent(all[0].by.request);
    order.noc_sent(all[2].by.request);
    order.core_saw_noc(b, 0x44, 0, Sign::sent, 0);
    EXPECT_TRUE(may_change(0));
    EXPECT_FALSE(may_change(2)) << "a count of two stands for the first two";
    order.noc_sent(all[1].by.request);
    order.core_saw_noc(b, 0x44, 0, Sign::sent, 0);
    EXPECT_TRUE(may_change(1));
    EXPECT_TRUE(may_change(2));
}

// Its receivers may have opted out of broadcasts, so its answers are not waited for.
TEST_F(NocEnds, ABroadcastKeepsNothingElseBack) {
    NocOrder::Asked to_all = request(Kind::write, data, 64);
    to_all.answers = 3;
    to_all.broadcast = true;
    order.noc_asked(to_all);
    const NocOrder::Asked other = request(Kind::write, page, 64);
    order.noc_asked(other);
    order.noc_answered(other.by.request, 0, 0, nullptr);
    order.core_saw_noc(b, 0x44, 0, Sign::writes, 0);
    EXPECT_FALSE(order.core_stores(b, page, 4, 0x44));
    EXPECT_EQ(use(order.core_stores(b, data, 4, 0x44)), NocUse::sends);
}

// What has returned to zero once may count another request by now (Blackhole's NIU_TRANS_COUNT_RTZ_NUM).
TEST_F(NocEnds, AReturnToZeroTellsOfWhatHasEnded) {
    const NocOrder::Asked first = request(Kind::read, data, 64);
    order.noc_asked(first);
    order.noc_answered(first.by.request, 0, 0, nullptr);
    order.noc_asked(request(Kind::read, page, 64));
    order.core_saw_noc(b, 0x44, 0, Sign::transaction, 0);
    EXPECT_EQ(use(order.core_loads(b, data, 4, 0x44)), NocUse::fills) << "the counter is at 1 by now";
    order.core_saw_noc(b, 0x44, 0, Sign::returned, 0);
    EXPECT_FALSE(order.core_loads(b, data, 4, 0x44));
    EXPECT_EQ(use(order.core_loads(b, page, 4, 0x44)), NocUse::fills);
}

// Ends of requests from before this run, or of very old ones, tell nothing.
TEST_F(NocEnds, EndsOfUnknownRequestsAreNoMatter) {
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
TEST_F(NocEnds, CountersAreOrderingsByWord) {
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

// One barrier may stand behind a thousand small reads. Older requests than that are forgotten: nothing is found of them.
TEST_F(NocEnds, TheLast1024OwnRequestsAreKnown) {
    for (const unsigned others : {1023u, 1024u, 3000u}) {
        renew();
        std::vector<NocOrder::Asked> all;
        const auto loads = [&](std::uint32_t which) {
            return order.core_loads(b, 0x1'0000 + 64 * which, 4, 0x44).has_value();
        };
        for (std::uint32_t i = 0; i <= others; ++i)
            order.noc_asked(all.emplace_back(request(Kind::read, 0x1'0000 + 64 * i, 64)));
        EXPECT_TRUE(loads(others));
        for (const auto& made : all) order.noc_answered(made.by.request, 0, 0, nullptr);
        order.core_saw_noc(b, 0x44, 0, Sign::reads, 0);
        for (std::uint32_t i = 0; i <= others; ++i) EXPECT_FALSE(loads(i)) << i;
    }
}

// The same for the tile that they arrive at.
TEST_F(NocEnds, WhoLearnsOfTheLastLearnsOfThoseThatAreForgotten) {
    constexpr std::uint64_t way = 0x55;
    for (const bool by_way : {false, true}) {
        renew();
        std::vector<NocOrder::Asked> all;
        for (std::uint32_t i = 0; i < 3000; ++i) {
            NocOrder::Asked& made = all.emplace_back(request(Kind::write, data, 64));
            made.way = by_way ? way : 0;
            order.noc_asked(made);
        }
        if (!by_way) {
            for (const auto& made : all) order.noc_answered(made.by.request, 0, 0, nullptr);
            order.core_saw_noc(b, 0x44, 0, Sign::writes, 0);
        }
        NocOrder::Asked sign = request(Kind::atomic, 0, 0);
        sign.way = by_way ? way : 0;
        const auto carried = order.noc_asked(sign).carried;
        ASSERT_TRUE(carried);
        for (const auto& made : all) ASSERT_TRUE(carried->knows(made.by.request)) << made.by.request.number;
    }
}

}  // namespace
}  // namespace tessera::hazards

// SPDX-License-Identifier: Apache-2.0
// Requests over the NoC at one tile: the signs that tell of their end.
#include "support/noc_tile.hpp"

namespace tessera::hazards {
namespace {

class NocEnds : public NocTile {};

// NoC/Counters: which requests a counter counts, for its NoC, its kind and its transaction.
TEST_F(NocEnds, ACounterTellsOfTheRequestsThatItCounts) {
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
TEST_F(NocEnds, EachCounterIsLookedAtByItself) {
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

// Of a write without a response a counter tells that it has left, and none that it has arrived.
TEST_F(NocEnds, AWriteWithoutAResponseIsOnlySent) {
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
TEST_F(NocEnds, EachRequestEndsByItself) {
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

// The ends of a tile's latest 256 requests are known.
TEST_F(NocEnds, TheLast256OwnRequestsCanEnd) {
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

}  // namespace
}  // namespace tessera::hazards

// SPDX-License-Identifier: Apache-2.0
// Words, pages and registers of streams by which tiles agree over the NoC, and what they bring of what their sender knew.
#include "support/noc_tile.hpp"

namespace tessera::hazards {
namespace {

class NocFlags : public NocTile {};

/// Whether a tile that has heard this knows that the request is complete.
bool knows(const SharedNocKnowledge& known, const NocRequest& request) { return known && known->knows(request); }

// A page that is announced and written again by its tile, before anything has used it.
TEST_F(NocFlags, APageThatNothingHasUsedIsWrittenAgain) {
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
TEST_F(NocFlags, AFlagBringsWhatItsSenderKnew) {
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
TEST_F(NocFlags, EachWordIsAFlagOfItsOwn) {
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

TEST_F(NocFlags, FlagsAreOrderingsByWord) {
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
TEST_F(NocFlags, AShortAnswerBringsWhatIsKnownOfItsWord) {
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
TEST_F(NocFlags, OnlyAReadAnnouncesAPage) {
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

// Who sees a flag knows that its bytes have left: the vendor's kernels change a semaphore that others have answered.
TEST_F(NocFlags, AFlagTellsThatItHasLeft) {
    for (const std::uint32_t bytes : {4u, 16u, 17u}) {
        renew();
        const NocOrder::Asked made = request(Kind::write, data, bytes);
        const auto carried = order.noc_asked(made).carried;
        EXPECT_EQ(use(order.core_stores(b, data, 4, 0x44)), NocUse::sends);
        order.noc_arrived(arrival(7, flag, 4, true, carried));
        order.core_loads(b, flag, 4, 0x44);
        EXPECT_EQ(!order.core_stores(b, data, 4, 0x44), bytes <= 16) << bytes;
    }
}

// NoC/Ordering: a request may overtake the work of a read before it, and the answer comes by itself.
TEST_F(NocFlags, ALaterRequestOfTheWayTellsNothingOfARead) {
    for (const Kind kind : {Kind::read, Kind::write, Kind::atomic}) {
        renew();
        NocOrder::Asked first = request(kind, data, 64);
        first.way = 0x55;
        order.noc_asked(first);
        NocOrder::Asked next = request(Kind::write, page, 64);
        next.way = 0x55;
        EXPECT_EQ(knows(order.noc_asked(next).carried, first.by.request), kind != Kind::read) << static_cast<int>(kind);
    }
}

// The same: but all that a linked read takes is taken before the next request of its transaction.
TEST_F(NocFlags, ALinkedReadIsTakenBeforeTheNextRequest) {
    for (const bool linked : {false, true})
        for (const std::uint64_t way : {0x55u, 0x66u}) {
            renew();
            Order sender;
            sender.watch_cores();
            sender.be_at(there);
            NocOrder::Asked first = request(Kind::read, data, 64), next = request(Kind::write, data + 64, 64);
            first.by.request = {there, 1, 1};
            first.way = 0x55;
            first.linked = linked;
            next.by.request = {there, 1, 2};
            next.way = way;
            order.noc_arrived(arrival(1, page, 64, false, sender.noc_asked(first).carried));
            const auto carried = sender.noc_asked(next).carried;
            EXPECT_FALSE(knows(carried, first.by.request)) << "its answer may still come";
            EXPECT_EQ(use(order.noc_arrived(arrival(2, page, 64, true, carried))),
                      linked && way == 0x55 ? NocUse::none : NocUse::is_read);
            EXPECT_EQ(use(sender.core_loads(b, data, 4, 0x44)), NocUse::fills);
        }
}

// A multicast comes to all tiles of its rectangle, also to those that have no part in the work.
TEST_F(NocFlags, ALostPageOfABroadcastIsToldWhereSuchPagesAreUsed) {
    for (const bool uses : {false, true}) {
        renew();
        std::uint32_t number = 0;
        const auto next = [&](std::uint32_t first, std::uint32_t bytes) {
            const NocRequest before{there, 1, number++};
            NocOrder::Arrival made = arrival(number, first, bytes, true, knowing({before}));
            made.broadcast = true;
            return use(order.noc_arrived(made));
        };
        const auto comes = [&] {
            const NocUse met = next(page, 64);
            next(flag, 4);
            return met;
        };
        EXPECT_NE(comes(), NocUse::unread);
        if (uses) order.noc_arrived(arrival(++number, page, 64, false));
        EXPECT_NE(comes(), NocUse::unread) << "the first is read, or nobody here is known to read";
        for (int i = 0; i < 3; ++i) EXPECT_EQ(comes() == NocUse::unread, uses);
    }
}

// NoC/Ordering, spec-notes N6: the copies of a broadcast arrive at different times. A receiver knows of its own one.
TEST_F(NocFlags, OfABroadcastAFlagTellsOnlyThatItHasArrivedHere) {
    for (const bool broadcast : {false, true}) {
        renew();
        Order sender;
        sender.watch_cores();
        sender.be_at(there);
        const auto sends = [&](std::uint32_t number, std::uint32_t first, std::uint32_t bytes, std::uint64_t way) {
            NocOrder::Asked made = request(Kind::write, first, bytes);
            made.by.request = {there, 1, number};
            made.way = way;
            made.broadcast = broadcast;
            return sender.noc_asked(made).carried;
        };
        const NocRequest first{there, 1, 1};
        order.noc_arrived(arrival(1, page, 64, true, sends(1, data, 64, 0x55)));
        order.noc_arrived(arrival(2, flag, 4, true, sends(2, flag, 4, 0x55)));
        EXPECT_EQ(use(order.core_loads(nc, page, 4, 0x44)), NocUse::arrives);
        EXPECT_EQ(knows(order.noc_read_away(arrival(9, flag, 4, false)), first), !broadcast);
        order.core_loads(nc, flag, 4, 0x44);
        EXPECT_FALSE(order.core_loads(nc, page, 4, 0x44));
        const auto answer = order.noc_asked(request(Kind::atomic, 0, 0, nc)).carried;
        EXPECT_EQ(knows(answer, first), !broadcast);

        EXPECT_EQ(use(sender.core_stores(b, data, 4, 0x44)), NocUse::sends);
        sender.noc_arrived({{{here, 0, 1}, nc, 0x80}, flag + 4, 4, answer, true});
        sender.core_loads(b, flag + 4, 4, 0x44);
        EXPECT_FALSE(sender.core_stores(b, data, 4, 0x44)) << "its bytes have been read for all receivers";
        EXPECT_FALSE(sender.core_stores(b, flag, 4, 0x44));
        EXPECT_EQ(knows(sends(3, data, 64, 0x66), first), !broadcast);
    }
}

// The requests of one way come in order, whatever its receivers have told.
TEST_F(NocFlags, ABroadcastMayReplaceWhatNothingHereHasUsed) {
    for (const bool is_used : {false, true})
        for (const std::uint16_t tile : {there, elsewhere}) {
            renew();
            const auto comes = [&](std::uint32_t number, std::uint16_t from) {
                NocOrder::Arrival made = arrival(number, page, 64, true, knowing(), from);
                made.broadcast = true;
                return order.noc_arrived(made).has_value();
            };
            comes(1, there);
            if (is_used) order.core_loads(nc, page, 4, 0x44);
            EXPECT_EQ(comes(2, tile), is_used || tile != there) << is_used << tile;
        }
}

// A request carries what its core knew when it asked: ends that it has seen, and requests of the same way before it.
TEST_F(NocFlags, ARequestCarriesWhatItsCoreKnew) {
    NocOrder::Asked first = request(Kind::write, data, 64);
    first.way = 0x55;
    const auto carried_first = order.noc_asked(first).carried;
    ASSERT_TRUE(carried_first);
    EXPECT_FALSE(knows(carried_first, first.by.request));
    const auto next = [&](std::uint64_t way, unsigned core = b, unsigned noc = 0) {
        NocOrder::Asked made = request(Kind::write, page, 64, core, noc);
        made.way = way;
        Order copy = order;
        return knows(copy.noc_asked(made).carried, first.by.request);
    };
    EXPECT_TRUE(next(0x55));
    EXPECT_TRUE(next(0x55, nc)) << "whichever core asks";
    EXPECT_FALSE(next(0x55, b, 1)) << "the other NIU's go another way";
    NocOrder::Asked by_the_other = request(Kind::write, page, 64, b, 1);
    by_the_other.by.request.number = first.by.request.number;
    by_the_other.way = first.way;
    Order copy = order;
    EXPECT_FALSE(knows(copy.noc_asked(by_the_other).carried, by_the_other.by.request)) << "it has the same number";
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
TEST_F(NocFlags, RequestsWithoutAWayHaveNoOrder) {
    const NocOrder::Asked first = request(Kind::write, data, 64);
    order.noc_asked(first);
    EXPECT_FALSE(knows(order.noc_asked(request(Kind::write, page, 64)).carried, first.by.request));
}

// A core's stores bring what it knew then, not what it learned later.
TEST_F(NocFlags, WhatACoreLearnsLaterIsNotInItsEarlierStores) {
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
TEST_F(NocFlags, AShortReadTakesAwayWhatIsKnownOfItsWords) {
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

TEST_F(NocFlags, AReadOfAStreamTakesAwayWhatIsKnownOfIt) {
    constexpr std::uint32_t stream = 0xFFB4'5000;
    order.noc_wrote_stream(stream, knowing({{there, 1, 1}}));
    order.core_stores(nc, 0x4000, 4, 0x44);
    order.core_releases_word(nc, stream);
    const auto taken = order.noc_stream_read_away(stream);
    EXPECT_TRUE(knows(taken, {there, 1, 1}));
    ASSERT_TRUE(taken->clock_of(here));
    EXPECT_EQ(taken->clock_of(here)->accesses()[nc], order.core_known(nc).accesses()[nc]);
    const auto other = order.noc_stream_read_away(stream + 0x1000);
    EXPECT_FALSE(knows(other, {there, 1, 1}));
    ASSERT_TRUE(other->clock_of(here));
    EXPECT_EQ(other->clock_of(here)->accesses()[nc], 0u);
}

// Writing a register of a stream announces pages like any flag, but only with knowledge of its sender.
TEST_F(NocFlags, ARegisterOfAStreamAnnouncesAPage) {
    for (const bool told : {true, false}) {
        renew();
        order.noc_arrived(arrival(1, page, 64, true, knowing()));
        order.noc_wrote_stream(0xFFB4'5000, told ? knowing({{there, 1, 1}}) : nullptr);
        EXPECT_EQ(use(order.noc_arrived(arrival(3, page, 64, true, knowing({{there, 1, 1}})))) == NocUse::unread, told);
    }
}

// A request whose sender tells nothing of itself, as the host's, raises no flag.
TEST_F(NocFlags, AnUnknownSendersFlagTellsNothing) {
    order.noc_arrived(arrival(1, page, 64, true, knowing()));
    order.noc_arrived(arrival(2, flag, 4, true, nullptr));
    order.core_loads(nc, flag, 4, 0x44);
    EXPECT_TRUE(order.core_loads(nc, page, 4, 0x44));
    EXPECT_EQ(use(order.noc_arrived(arrival(3, page, 64, true, knowing({{there, 1, 1}})))), NocUse::none);
}

// A write of a short word from outside makes it a flag, which needs no order; a read does not.
TEST_F(NocFlags, AShortWriteFromOutsideMakesItsWordsFlags) {
    constexpr Access covers{Storage::l1, true, flag, 16};
    for (const bool write : {true, false}) {
        renew();
        order.core_stores(b, flag, 4, 0x44);
        order.noc_arrived(arrival(2, flag, 4, write, nullptr));
        EXPECT_EQ(unit_meets(order, covers), !write) << "a flag needs no order";
    }
}

// Two different announcements are two.
TEST_F(NocFlags, APageMayBeAnnouncedInTwoWays) {
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
TEST_F(NocFlags, APageIsReadByItsSender) {
    const NocRequest first{there, 1, 1};
    order.noc_arrived(arrival(1, page, 64, true, knowing()));
    order.noc_arrived(arrival(2, flag, 4, true, knowing({first})));
    EXPECT_FALSE(order.noc_arrived(arrival(3, page, 64, false, knowing({first}))));
}

// A read of a word brings its tile nothing.
TEST_F(NocFlags, AShortReadFromOutsideRaisesNoFlag) {
    order.noc_arrived(arrival(1, page, 64, true, knowing()));
    order.noc_arrived(arrival(2, flag, 4, false, knowing({{there, 1, 1}})));
    Order copy = order;
    EXPECT_NE(use(copy.noc_arrived(arrival(3, page, 64, true, knowing({{there, 1, 1}})))), NocUse::unread);
    order.core_loads(nc, flag, 4, 0x44);
    EXPECT_TRUE(order.core_loads(nc, page, 4, 0x44));
}

// What a core has learned by its last access goes with the register that it writes then.
TEST_F(NocFlags, AStreamTellsWhatItsWriterHasJustLearned) {
    const NocOrder::Asked made = request(Kind::write, data, 64, nc);
    order.noc_asked(made);
    order.noc_answered(made.by.request, 0, 0, nullptr);
    order.core_saw_noc(nc, 0x44, 0, Sign::writes, 0);
    order.core_releases_word(nc, 0xFFB4'5000);
    EXPECT_TRUE(knows(order.noc_stream_read_away(0xFFB4'5000), made.by.request));
}

// Who hears the same again has learned nothing, and forgets nothing by that.
TEST_F(NocFlags, TheSameAgainIsNoNews) {
    order.core_stores(b, 0x700, 4, 0x44);  // knows nothing yet
    for (std::uint32_t i = 0; i < 100; ++i) {
        order.noc_arrived(arrival(100 + i, 0x8000 + 4 * i, 4, true, knowing({{there, 1, 1}})));
        order.core_loads(b, 0x8000 + 4 * i, 4, 0x44);
    }
    order.core_loads(nc, 0x700, 4, 0x44);
    EXPECT_FALSE(knows(order.noc_asked(request(Kind::write, page, 64, nc)).carried, {there, 1, 1}));
}

// Each core's latest 64 news are kept. An older access is given the oldest that is left.
TEST_F(NocFlags, WhatACoreKnewOfOtherTilesIsKeptFor64News) {
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

}  // namespace
}  // namespace tessera::hazards

// SPDX-License-Identifier: Apache-2.0
// What cores and the host learn from each other and from units, and which of their accesses nothing orders.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>

#include "support/checked_accesses.hpp"

namespace tessera::hazards {
namespace {

/// Cores' accesses to L1 and Dst, and instructions'.
class CoresAndUnits : public testing::Test {
protected:
    CoresAndUnits() { order.watch_cores(); }
    bool meets(unsigned thread, Pipe unit, const Access& access) { return !check(order, thread, unit, access).empty(); }
    void hand_on(unsigned from, unsigned to) {
        order.core_releases_word(from, 0x77);
        order.core_acquires_word(to, 0x77);
    }

    Order order;
};

// A load brings the storing core's knowledge at that store, with all of its accesses before.
TEST_F(CoresAndUnits, ALoadBringsWhatTheStoringCoreHadDone) {
    constexpr std::uint32_t data = 0x1000, flag = 0x3000, later = 0x1100;
    order.core_stores(nc, data, 4, 0x10);
    order.core_stores(nc, data + 4, 4, 0x14);
    order.core_stores(nc, flag, 4, 0x18);
    order.core_stores(nc, later, 4, 0x1C);
    order.core_loads(t1, flag, 4, 0x20);
    order.core_pushes(t1, 1, 5);
    order.reached(1, 5);
    EXPECT_FALSE(meets(1, Pipe::unpacker0, {Storage::l1, false, data, 8}));
    const auto told = check(order, 1, Pipe::unpacker0, {Storage::l1, false, later, 4});
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].core, static_cast<int>(nc));
    EXPECT_EQ(told[0].core_pc, 0x1Cu);
}

// Each word of a longer access, and words that it touches only in part.
TEST_F(CoresAndUnits, EachWordThatIsLoadedBringsSomething) {
    constexpr std::uint32_t flag = 0x3000;
    for (std::uint32_t word = 0; word < 4; ++word)
        for (const auto& [first, bytes] : {std::pair<std::uint32_t, std::uint32_t>{0, 16}, {4, 8}, {3, 2}, {6, 4}, {7, 1}}) {
            order = {};
            order.watch_cores();
            order.core_stores(nc, place, 4, 0x10);
            order.core_stores(nc, flag + 4 * word, 4, 0x14);
            order.core_loads(t1, flag + first, bytes, 0x20);
            order.core_pushes(t1, 1, 5);
            order.reached(1, 5);
            const bool touches = first < 4 * word + 4 && 4 * word < first + bytes;
            EXPECT_EQ(meets(1, Pipe::unpacker0, reads), !touches) << word << ' ' << first << ' ' << bytes;
        }
}

TEST_F(CoresAndUnits, EachWordOfALongAccessIsRecorded) {
    constexpr std::uint32_t words = 40;
    for (const bool stores : {true, false})
        for (const std::uint32_t first : {0u, 2u})
            for (std::uint32_t bytes = 1; bytes <= 4 * words - 8; bytes += 3) {
                Order made;
                made.watch_cores();
                if (stores)
                    made.core_stores(nc, place + first, bytes, 0x10);
                else
                    made.core_loads(nc, place + first, bytes, 0x10);
                for (std::uint32_t word = 0; word < words; ++word) {
                    const auto told = check(made, 1, Pipe::packer0, {Storage::l1, true, place + 4 * word, 4});
                    ASSERT_EQ(!told.empty(), first < 4 * word + 4 && 4 * word < first + bytes) << first << ' ' << bytes << ' ' << word;
                }
            }
}

// Of a line's readers among the units two streams are known.
TEST_F(CoresAndUnits, AStoreMeetsBothReadersOfALine) {
    const std::pair<unsigned, Pipe> readers[] = {{0, Pipe::unpacker0}, {1, Pipe::unpacker1}};
    for (const bool swapped : {false, true})
        for (unsigned unknown = 0; unknown < 2; ++unknown)
            for (const bool again : {false, true}) {
                order = {};
                order.watch_cores();
                for (unsigned i = 0; i < 2; ++i) {
                    const auto& [thread, unit] = readers[i ^ static_cast<unsigned>(swapped)];
                    EXPECT_FALSE(meets(thread, unit, reads));
                    if (again) {
                        EXPECT_FALSE(meets(thread, unit, reads));
                    }
                }
                const unsigned known = readers[1 - unknown].first;
                order.drained(core_of_thread(known), known);
                hand_on(core_of_thread(known), nc);
                EXPECT_FALSE(order.core_loads(nc, place, 4, 0x10));
                const auto told = order.core_stores(nc, place, 4, 0x10);
                ASSERT_TRUE(told) << swapped << unknown << again;
                EXPECT_EQ(told->other_thread, readers[unknown].first);
                EXPECT_EQ(told->other_pipes, bit(readers[unknown].second));
                order.drained(core_of_thread(readers[unknown].first), readers[unknown].first);
                hand_on(core_of_thread(readers[unknown].first), nc);
                EXPECT_FALSE(order.core_stores(nc, place, 4, 0x10));
            }
}

// Lines of a block that a whole access meets stay apart if they differed before.
TEST_F(CoresAndUnits, AReaderOfOneLineIsKnownBehindAWriteOfItsBlock) {
    for (std::uint32_t read = 0; read < 8; ++read)
        for (std::uint32_t stored = 0; stored < 8; ++stored) {
            order = {};
            order.watch_cores();
            check(order, 0, Pipe::unpacker0, {Storage::l1, false, place + 16 * read, 16});
            check(order, 1, Pipe::packer0, {Storage::l1, true, place, 128});
            order.drained(t1, 1);
            hand_on(t1, nc);
            EXPECT_EQ(order.core_stores(nc, place + 16 * stored, 4, 0x10).has_value(), read == stored) << read << ' ' << stored;
        }
}

// The place in the program is kept for the latest 1024 accesses of a core, and instructions of a unit.
TEST_F(CoresAndUnits, ThePlaceOfAnAccessIsKeptFor1024) {
    for (const unsigned others : {0u, 62u, 63u, 64u, 127u, 128u, 1000u, 1023u, 1024u}) {
        const bool kept = others < 1024;
        order = {};
        order.watch_cores();
        order.core_stores(nc, place, 4, 0x1234);
        for (unsigned i = 0; i < others; ++i) order.core_stores(nc, 0x8000, 4, 0x10);
        auto told = check(order, 1, Pipe::unpacker0, reads);
        ASSERT_EQ(told.size(), 1u);
        EXPECT_EQ(told[0].core_pc, kept ? 0x1234u : 0u) << others;

        check(order, 0, Pipe::packer0, {Storage::l1, true, 0x5000, 16}, 77);
        for (unsigned i = 0; i < others; ++i) check(order, 0, Pipe::packer0, {Storage::l1, true, 0x6000, 16}, 5);
        const auto met = order.core_loads(nc, 0x5000, 4, 0x20);
        ASSERT_TRUE(met);
        EXPECT_EQ(met->other_index, kept ? 77 : -1) << others;
    }
}

// Scalar instructions make words of L1 flags: the reader learns what the writer knew, and flags need no order.
TEST_F(CoresAndUnits, AWordOfTheScalarUnitIsAFlag) {
    constexpr std::uint32_t flag = 0x3000;
    constexpr Access sets{Storage::l1, true, flag, 4}, looks{Storage::l1, false, flag, 4};
    const auto scalar = [](Order& of, unsigned thread, const Access& access) {
        ClockedTicket ticket;
        static_cast<Ticket&>(ticket) = of.issue(thread, bit(Pipe::scalar), 3);
        ticket.known = of.known(thread);
        const auto told = of.check_accesses(ticket, ticket.known, {&access, 1}, true, true);
        of.mark_flags(ticket, {&access, 1});
        return !told.empty();
    };
    const auto prepared = [&] {
        Order made;
        made.watch_cores();
        check(made, 0, Pipe::packer0, writes);
        made.idle_seen(0, bit(Pipe::packer0));
        return made;
    };
    // From an instruction to a core.
    for (const bool ignored : {false, true}) {
        Order one = prepared();
        if (ignored) one.disregard({{Ordering::word, {}, RiscvCore::t1}});
        EXPECT_FALSE(scalar(one, 0, sets));
        EXPECT_FALSE(one.core_loads(t1, flag, 4, 0x10));
        EXPECT_EQ(one.core_loads(t1, place, 4, 0x14).has_value(), ignored);
        EXPECT_TRUE(one.core_loads(t2, place, 4, 0x14));
    }
    // From an instruction to an instruction.
    for (const bool ignored : {false, true}) {
        Order one = prepared();
        if (ignored) one.disregard({{Ordering::word, 1}});
        scalar(one, 0, sets);
        scalar(one, 1, looks);
        EXPECT_EQ(!check(one, 1, Pipe::unpacker0, reads).empty(), ignored);
    }
    // From a core to an instruction.
    for (const bool ignored : {false, true}) {
        Order one = prepared();
        if (ignored) one.disregard({{Ordering::word, 1}});
        one.drained(t0, 0);
        one.core_stores(t0, place + 64, 4, 0x10);
        one.core_stores(t0, flag, 4, 0x14);
        scalar(one, 1, looks);
        EXPECT_EQ(!check(one, 1, Pipe::unpacker0, reads).empty(), ignored);
        EXPECT_EQ(!check(one, 1, Pipe::unpacker0, {Storage::l1, false, place + 64, 4}).empty(), ignored);
    }
    // By each word of a longer access.
    for (std::uint32_t set = 0; set < 4; ++set)
        for (std::uint32_t looked = 0; looked < 4; ++looked) {
            Order one = prepared(), other = prepared();
            scalar(one, 0, {Storage::l1, true, flag + 4 * set, 4});
            scalar(one, 1, {Storage::l1, false, flag, 4 * (looked + 1)});
            EXPECT_EQ(check(one, 1, Pipe::unpacker0, reads).empty(), set <= looked) << set << looked;
            scalar(other, 0, {Storage::l1, true, flag, 4 * (set + 1)});
            scalar(other, 1, {Storage::l1, false, flag + 4 * looked, 4});
            EXPECT_EQ(check(other, 1, Pipe::unpacker0, reads).empty(), looked <= set) << set << looked;
        }
    // A word that is only read is a flag from then on, too.
    Order looked_at, not_looked_at;
    for (Order* each : {&looked_at, &not_looked_at}) {
        each->watch_cores();
        if (each == &looked_at) scalar(*each, 0, looks);
        each->core_stores(nc, flag, 4, 0x10);
        const auto told = check(*each, 1, Pipe::packer0, {Storage::l1, true, flag, 16});
        EXPECT_EQ(std::ranges::any_of(told, [](const Conflict& met) { return met.core >= 0; }), each == &not_looked_at);
    }
    // Another unit covers the flag and its neighbour.
    Order one;
    one.watch_cores();
    scalar(one, 0, sets);
    EXPECT_FALSE(one.core_stores(nc, flag, 4, 0x10));
    EXPECT_TRUE(check(one, 1, Pipe::unpacker0, {Storage::l1, false, flag, 4}).size() == 1) << "the scalar unit's own access";
    EXPECT_FALSE(one.core_stores(nc, flag, 4, 0x10));
    EXPECT_FALSE(one.core_loads(nc, flag, 4, 0x10));
    EXPECT_TRUE(one.core_stores(nc, flag + 4, 4, 0x10)) << "no flag, though in the line";
}

// Only Blackhole's cores reach Dst. Their accesses meet those of instructions by blocks.
TEST_F(CoresAndUnits, CoresMeetUnitsInDst) {
    for (const bool core_first : {true, false})
        for (const bool core_writes : {true, false})
            for (const bool unit_writes : {true, false})
                for (const auto& [thread, unit] : {std::pair{0u, Pipe::matrix}, {1u, Pipe::packer3}, {2u, Pipe::vector}})
                    for (const unsigned row : {7u, 8u, 15u, 16u}) {
                        order = {};
                        order.watch_cores();
                        const Access rows{Storage::dst_valid, unit_writes, 8, 8};
                        bool met = false;
                        if (core_first) {
                            EXPECT_FALSE(order.core_accesses_dst(nc, row, row, core_writes, 0x10));
                            const auto told = check(order, thread, unit, rows, 6);
                            met = !told.empty();
                            if (met) {
                                EXPECT_EQ(told[0].core, static_cast<int>(nc));
                                EXPECT_EQ(told[0].core_pc, 0x10u);
                                EXPECT_EQ(told[0].first, 8u);
                                EXPECT_EQ(told[0].last, 15u);
                            }
                        } else {
                            EXPECT_TRUE(check(order, thread, unit, rows, 6).empty());
                            const auto told = order.core_accesses_dst(nc, row, row, core_writes, 0x10);
                            met = told.has_value();
                            if (met) {
                                EXPECT_EQ(told->other_thread, thread);
                                EXPECT_EQ(told->other_pipes, bit(unit));
                                EXPECT_EQ(told->other_index, 6);
                                EXPECT_EQ(told->first, row);
                                EXPECT_EQ(told->last, row);
                            }
                            order.drained(core_of_thread(thread), thread);
                            hand_on(core_of_thread(thread), nc);
                            EXPECT_FALSE(order.core_accesses_dst(nc, row, row, core_writes, 0x10)) << "in order";
                        }
                        EXPECT_EQ(met, (row == 8 || row == 15) && (core_writes || unit_writes))
                            << core_first << core_writes << unit_writes << ' ' << row;
                    }
}

// The thread's own core has its accesses before what it pushes.
TEST_F(CoresAndUnits, OwnAccessesToDstComeBefore) {
    constexpr Access rows{Storage::dst_valid, true, 0, 8};
    order.core_accesses_dst(t1, 0, 7, true, 0x10);
    EXPECT_FALSE(meets(1, Pipe::matrix, rows));
    order = {};
    order.core_accesses_dst(t1, 0, 7, true, 0x10);
    EXPECT_TRUE(meets(2, Pipe::matrix, rows));
}

// The host writes words that cores poll, and waits for words that they store. Longer writes are data.
TEST_F(CoresAndUnits, TheHostLearnsByWordsAndTellsByThem) {
    constexpr std::uint32_t done = 0x700, go = 0x800;
    for (const std::uint32_t bytes : {4u, 64u, 65u, 68u})
        for (const bool sees : {true, false}) {
            SCOPED_TRACE(testing::Message() << bytes << ' ' << sees);
            order = {};
            order.watch_cores();
            check(order, 0, Pipe::packer0, writes);
            order.drained(t0, 0);
            order.core_stores(t0, place + 64, 4, 0x10);
            order.core_stores(t0, done, 4, 0x14);
            if (sees) order.host_saw(done);
            Order starts = order;
            order.host_wrote(go, bytes);
            EXPECT_FALSE(order.core_loads(nc, go + bytes - 4, 4, 0x20));
            const bool knows = sees && bytes <= 64;
            EXPECT_EQ(order.core_loads(nc, place, 4, 0x24).has_value(), !knows);
            order.core_pushes(nc, 1, 2);
            order.reached(1, 2);
            EXPECT_EQ(meets(1, Pipe::unpacker0, {Storage::l1, false, place + 64, 4}), !knows);
            starts.host_starts(nc);
            EXPECT_EQ(starts.core_loads(nc, place, 4, 0x24).has_value(), !sees);
        }
}

// A flag that the scalar unit writes tells the host, too.
TEST_F(CoresAndUnits, TheHostLearnsByAFlagOfTheScalarUnit) {
    constexpr Access sets{Storage::l1, true, 0x700, 4};
    check(order, 0, Pipe::packer0, writes);
    order.idle_seen(0, bit(Pipe::packer0));
    ClockedTicket ticket;
    static_cast<Ticket&>(ticket) = order.issue(0, bit(Pipe::scalar), 3);
    ticket.known = order.known(0);
    order.mark_flags(ticket, {&sets, 1});
    Order other = order;
    order.host_saw(0x700);
    order.host_starts(nc);
    EXPECT_FALSE(order.core_loads(nc, place, 4, 0x24));
    other.host_saw(0x704);
    other.host_starts(nc);
    EXPECT_TRUE(other.core_loads(nc, place, 4, 0x24));
}

// A copy, from which a run goes on later, keeps its accesses.
TEST_F(CoresAndUnits, ACopyIsNotChangedByTheOriginal) {
    order.core_stores(nc, place + 32, 4, 0x10);
    const Order before = order;
    order.core_stores(nc, place, 4, 0x10);
    check(order, 0, Pipe::packer0, {Storage::l1, true, place + 16, 16});
    Order copy = before;
    EXPECT_TRUE(check(copy, 1, Pipe::unpacker0, reads).empty());
    EXPECT_FALSE(copy.core_loads(b, place + 16, 4, 0x20));
    EXPECT_FALSE(check(order, 1, Pipe::unpacker0, reads).empty());
    EXPECT_TRUE(order.core_loads(b, place + 16, 4, 0x20));
}

// The scalar unit's accesses, and bounds that are no accesses, are not held against those of cores.
TEST_F(CoresAndUnits, OnlyExactAccessesOfUnitsAreHeldAgainstCores) {
    for (const bool exact : {true, false})
        for (const Pipe unit : {Pipe::scalar, Pipe::packer0}) {
            order = {};
            order.watch_cores();
            order.core_stores(nc, place, 4, 0x10);
            const Ticket ticket = order.issue(1, bit(unit), 3);
            EXPECT_EQ(!check(order, ticket, order.known(1), {writes}, exact).empty(), exact && unit == Pipe::packer0);
            EXPECT_EQ(order.core_loads(b, place + 4, 4, 0x20).has_value(), exact && unit == Pipe::packer0);
        }
}

// Each word that is loaded brings what is new, to the core's own thread and to whoever loads a word from it.
TEST_F(CoresAndUnits, ASecondWordOfTheSameCoreBringsWhatIsNew) {
    constexpr std::uint32_t flag = 0x3000, next_flag = 0x3800;
    for (const bool through_a_core : {false, true}) {
        order = {};
        order.watch_cores();
        const unsigned loads = through_a_core ? b : t1;
        for (std::uint32_t round = 0; round < 3; ++round) {
            order.core_stores(nc, place + 16 * round, 4, 0x10);
            order.core_stores(nc, flag, 4, 0x14);
            order.core_loads(loads, flag, 4, 0x20);
            if (through_a_core) {
                order.core_stores(b, next_flag, 4, 0x24);
                order.core_loads(t1, next_flag, 4, 0x28);
            }
            order.core_pushes(t1, 1, round);
            order.reached(1, round);
            EXPECT_FALSE(meets(1, Pipe::unpacker0, {Storage::l1, false, place + 16 * round, 4})) << through_a_core << round;
        }
    }
}

// Each word that a short write of the host touches is a flag: it tells what the host knows, and needs no order. No other one is.
TEST_F(CoresAndUnits, EachWordThatTheHostWritesIsAFlag) {
    constexpr std::uint32_t go = 0x800, done = 0x700, data = 0x900;
    for (const std::uint32_t first : {0u, 2u})
        for (const std::uint32_t bytes : {1u, 4u, 6u, 16u, 62u, 64u})
            for (std::uint32_t word = 0; word < 20; ++word) {
                order = {};
                order.watch_cores();
                order.core_stores(t0, data, 4, 0x10);
                order.core_stores(t0, done, 4, 0x14);
                order.host_saw(done);
                order.host_wrote(go + first, bytes);
                Order other = order;
                const bool touched = first < 4 * word + 4 && 4 * word < first + bytes;
                order.core_loads(nc, go + 4 * word, 4, 0x20);
                order.core_pushes(nc, 1, 2);
                order.reached(1, 2);
                EXPECT_EQ(!meets(1, Pipe::unpacker0, {Storage::l1, false, data, 4}), touched) << first << ' ' << bytes << ' ' << word;
                other.core_stores(nc, go + 4 * word, 4, 0x20);
                EXPECT_EQ(check(other, 1, Pipe::packer0, {Storage::l1, true, go + 4 * word, 4}).empty(), touched)
                    << first << ' ' << bytes << ' ' << word;
            }
}

// A load of several words hears each flag among them.
TEST_F(CoresAndUnits, ALongLoadHearsEachFlagInIt) {
    constexpr std::uint32_t go = 0x800, done = 0x700;
    for (std::uint32_t word = 0; word < 4; ++word) {
        order = {};
        order.watch_cores();
        check(order, 0, Pipe::packer0, writes);
        order.drained(t0, 0);
        order.core_stores(t0, done, 4, 0x14);
        order.host_saw(done);
        order.host_wrote(go + 4 * word, 4);
        order.core_loads(nc, go, 16, 0x20);
        EXPECT_FALSE(order.core_loads(nc, place, 4, 0x24)) << word;
    }
}

// A unit that writes a flag's line needs no order with loads of the flag; its neighbour is no flag.
TEST_F(CoresAndUnits, ALoadOfAFlagNeedsNoOrder) {
    order.host_wrote(place, 4);
    check(order, 0, Pipe::packer0, writes);
    EXPECT_FALSE(order.core_loads(nc, place, 4, 0x10));
    EXPECT_TRUE(order.core_loads(nc, place + 4, 4, 0x14));
}

// An access of several lines is told of the first unit that it meets, with all of its bytes.
TEST_F(CoresAndUnits, ALongAccessOfACoreMeetsAUnitByAnyOfItsLines) {
    for (const bool stores : {true, false})
        for (std::uint32_t line = 0; line < 6; ++line) {
            order = {};
            order.watch_cores();
            check(order, 1, Pipe::packer0, {Storage::l1, true, place + 16 * line, 16}, 7);
            const auto met = stores ? order.core_stores(nc, place + 16, 64, 0x10) : order.core_loads(nc, place + 16, 64, 0x10);
            ASSERT_EQ(met.has_value(), line >= 1 && line < 5) << stores << line;
            if (!met) continue;
            EXPECT_EQ(met->other_index, 7);
            EXPECT_EQ(met->first, place + 16);
            EXPECT_EQ(met->last, place + 79);
        }
}

// All stores before the word are heard of, also those behind the core's last news. A word that no core has stored tells nothing of RISC-V B.
TEST_F(CoresAndUnits, AWordTellsOfAllStoresBeforeIt) {
    constexpr std::uint32_t word = 0x700;
    constexpr Access looks{Storage::l1, false, word, 4};
    for (const bool by_host : {true, false})
        for (const bool is_stored : {true, false}) {
            order = {};
            order.watch_cores();
            for (std::uint32_t i = 0; i < 3; ++i) order.core_stores(b, place + 4 * i, 4, 0x10);
            if (is_stored) order.core_stores(b, word, 4, 0x14);
            if (by_host) {
                order.host_saw(word);
                order.host_starts(nc);
                order.core_pushes(nc, 1, 2);
                order.reached(1, 2);
            } else {
                ClockedTicket ticket;
                static_cast<Ticket&>(ticket) = order.issue(1, bit(Pipe::scalar), 3);
                ticket.known = order.known(1);
                order.mark_flags(ticket, {&looks, 1});
            }
            for (std::uint32_t i = 0; i < 3; ++i)
                EXPECT_EQ(!meets(1, Pipe::unpacker0, {Storage::l1, false, place + 4 * i, 4}), is_stored) << by_host << is_stored << i;
        }
}

// Bytes of a unit's access and words of a core's.
TEST_F(CoresAndUnits, AUnitMeetsWordsOfACoreByBytes) {
    for (std::uint32_t first = 0; first < 8; ++first)
        for (std::uint32_t count = 1; count <= 20; ++count)
            for (std::uint32_t word = 0; word < 8; ++word) {
                order = {};
                order.watch_cores();
                order.core_stores(nc, place + 4 * word, 4, 0x10);
                EXPECT_EQ(meets(1, Pipe::packer0, {Storage::l1, true, place + first, count}), first < 4 * word + 4 && 4 * word < first + count)
                    << first << ' ' << count << ' ' << word;
            }
}

// The first word of a page is not met by what goes from its end into the next page.
TEST_F(CoresAndUnits, AnAccessIntoTheNextPageMeetsNothingAtTheStartOfTheFirst) {
    order.core_stores(nc, 0x1000, 4, 0x10);
    order.core_stores(t1, 0x1FF4, 4, 0x14);  // T1's own core: in order
    EXPECT_FALSE(meets(1, Pipe::packer0, {Storage::l1, true, 0x1FF0, 0x20}));
}

// Held against a plain list: of each line of two pages the last write is told, or the last read by the thread that read it first.
TEST_F(CoresAndUnits, OfEachLineTheLastAccessOfAUnitIsKnown) {
    constexpr std::uint32_t begin = 0x1F00, lines = 40, bytes = 16 * lines;
    struct Line {
        int first_reader = -1;
        std::array<std::int64_t, 2> last{-1, -1};
        std::int64_t latest = -1;
    };
    std::mt19937 random(11);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    for (const bool write : {true, false})
        for (unsigned run = 0; run < 100; ++run) {
            order = {};
            order.watch_cores();
            std::array<Line, lines> all{};
            for (std::int64_t index = 0; index < 12; ++index) {
                const std::uint32_t unit = std::array{1u, 16u, 128u}[below(3)];
                const std::uint32_t first = below(bytes / unit) * unit, most = bytes - first;
                const std::uint32_t count = below(6) == 0 ? 1 : below(2) ? 1 + below(most) : (1 + below(most / unit)) * unit;
                const unsigned thread = below(2);
                check(order, thread, Pipe::packer0, {Storage::l1, write, begin + first, count}, index);
                for (std::uint32_t line = first / 16; line <= (first + count - 1) / 16; ++line) {
                    Line& one = all.at(line);
                    one.latest = one.last.at(thread) = index;
                    if (one.first_reader < 0) one.first_reader = static_cast<int>(thread);
                }
                for (std::uint32_t line = 0; line < lines; ++line) {
                    const Line& one = all.at(line);
                    const std::uint32_t at = begin + 16 * line;
                    const auto met = write ? order.core_loads(nc, at, 4, 0x10) : order.core_stores(nc, at, 4, 0x10);
                    const std::int64_t expected =
                        write || one.first_reader < 0 ? one.latest : one.last.at(static_cast<unsigned>(one.first_reader));
                    ASSERT_EQ(met ? met->other_index : -1, expected) << write << ' ' << run << ' ' << index << ' ' << line;
                }
            }
        }
}

// The end of an access on the first byte of a line, block or page.
TEST_F(CoresAndUnits, TheLastByteOfAnAccessCounts) {
    for (const std::uint32_t last : {0x1010u, 0x1080u, 0x2000u})
        for (const std::uint32_t count : {1u, 2u, 17u}) {
            order = {};
            order.watch_cores();
            check(order, 0, Pipe::packer0, {Storage::l1, true, last - count + 1, count});
            EXPECT_TRUE(order.core_loads(nc, last, 4, 0x10)) << last << ' ' << count;
            EXPECT_FALSE(order.core_loads(nc, last + 16, 4, 0x10)) << last << ' ' << count;
        }
}

// A core's knowledge is kept for its latest 1024 accesses with news. Older ones are given the oldest that is left, which hides conflicts.
TEST_F(CoresAndUnits, WhatACoreKnewIsKeptFor1024News) {
    constexpr std::uint32_t flag = 0x3000;
    for (const unsigned others : {1023u, 1024u}) {
        order = {};
        order.watch_cores();
        order.core_stores(nc, flag, 4, 0x10);  // knows nothing
        check(order, 0, Pipe::packer0, writes);
        for (unsigned i = 0; i < others; ++i) {
            if (i) order.issue(0, bit(Pipe::packer0), 1);
            order.drained(nc, 0);
            order.core_stores(nc, 0x8000, 4, 0x10);
        }
        order.core_loads(t1, flag, 4, 0x20);
        EXPECT_EQ(order.core_loads(t1, place, 4, 0x24).has_value(), others < 1024) << others;
    }
}

// Accesses without news take no room of it.
TEST_F(CoresAndUnits, ManyAccessesWithoutNewsForgetNothing) {
    constexpr std::uint32_t flag = 0x3000;
    order.core_stores(nc, flag, 4, 0x10);
    order.core_stores(nc, place, 4, 0x14);
    for (unsigned i = 0; i < 1500; ++i) order.core_stores(nc, 0x8000, 4, 0x18);
    order.core_loads(t1, flag, 4, 0x20);
    order.core_pushes(t1, 1, 5);
    order.reached(1, 5);
    EXPECT_TRUE(meets(1, Pipe::unpacker0, reads)) << "the store behind the flag";
}

}  // namespace
}  // namespace tessera::hazards

// SPDX-License-Identifier: Apache-2.0
// Each row of docs/races.md, What orders, by the checker's interface.
#include <gtest/gtest.h>

#include <functional>

#include "support/checked_accesses.hpp"

namespace tessera::hazards {
namespace {

/// T0 writes L1 by one unit, and T1 reads it by another one.
bool is_told(Pipe unit, const std::function<void(Order&, const ClockedTicket&)>& between, std::vector<Disregarded> without = {}) {
    Order order;
    order.watch_cores();
    order.disregard(std::move(without));
    ClockedTicket first;
    static_cast<Ticket&>(first) = order.issue(0, bit(unit), 3);
    first.known = order.known(0);
    check(order, first, first.known, {writes});
    between(order, first);
    return !check(order, 1, Pipe::unpacker0, reads).empty();
}

TEST(WhatOrders, OnlyWhatTheTableSays) {
    constexpr unsigned semaphore = 5, mutex = 7, word = 0x40, a = 0;
    constexpr Pipe unit = Pipe::packer0;
    const auto waits = [](Order& order) { order.idle_seen(0, bit(unit)); };
    const auto pushes = [](Order& order, unsigned by) {
        order.core_pushes(by, 1, 8);
        order.reached(1, 8);
    };
    struct Row {
        const char* what;
        Pipe unit;
        std::function<void(Order&, const ClockedTicket&)> orders;
        std::vector<Disregarded> needs, does_without;
    };
    const Row rows[] = {
        {"semaphore", unit,
         [&](Order& order, const ClockedTicket&) {
             waits(order);
             order.semaphore_changed(0, semaphore);
             order.semaphore_seen(1, semaphore);
         },
         {{Ordering::unit_wait},
          {Ordering::unit_wait, 0},
          {Ordering::semaphore},
          {Ordering::semaphore, 1},
          {Ordering::semaphore, 1, {}, semaphore},
          {Ordering::semaphore, {}, {}, semaphore}},
         {{Ordering::unit_wait, 1},
          {Ordering::unit_wait, {}, RiscvCore::t0},
          {Ordering::semaphore, 0},
          {Ordering::semaphore, {}, {}, 4},
          {Ordering::mutex},
          {Ordering::word}}},
        {"mutex", unit,
         [&](Order& order, const ClockedTicket&) {
             waits(order);
             order.mutex_released(0, mutex);
             order.mutex_taken(1, mutex);
         },
         {{Ordering::mutex}, {Ordering::mutex, 1}, {Ordering::mutex, 1, {}, mutex}},
         {{Ordering::mutex, 0}, {Ordering::mutex, 1, {}, mutex - 1}, {Ordering::semaphore}}},
        {"word", unit,
         [&](Order& order, const ClockedTicket&) {
             waits(order);
             for (const std::uint32_t other : {word + 4, word + 8}) order.release_word(2, other);
             order.release_word(0, word);
             order.release_word(2, word + 8);
             order.acquire_word(1, word);
         },
         {{Ordering::word}, {Ordering::word, 1}},
         {{Ordering::word, 0}, {Ordering::word, {}, RiscvCore::t1}}},
        {"drain, word of cores, push", unit,
         [&](Order& order, const ClockedTicket&) {
             order.drained(t0, 0);
             order.core_releases_word(t0, word);
             order.core_acquires_word(nc, word);
             pushes(order, nc);
         },
         {{Ordering::drain},
          {Ordering::drain, {}, RiscvCore::t0},
          {Ordering::word},
          {Ordering::word, {}, RiscvCore::nc},
          {Ordering::push},
          {Ordering::push, 1}},
         {{Ordering::drain, 0},
          {Ordering::drain, {}, RiscvCore::t1},
          {Ordering::word, {}, RiscvCore::t0},
          {Ordering::push, 0},
          {Ordering::push, {}, RiscvCore::nc}}},
        {"semaphore of cores", unit,
         [&](Order& order, const ClockedTicket&) {
             waits(order);
             order.core_saw_thread(t0, 0);
             order.core_changes_semaphore(t0, semaphore);
             order.core_saw_semaphore(b, semaphore);
             pushes(order, b);
         },
         {{Ordering::word},
          {Ordering::word, {}, RiscvCore::t0},
          {Ordering::semaphore},
          {Ordering::semaphore, {}, RiscvCore::b},
          {Ordering::semaphore, {}, RiscvCore::b, semaphore}},
         {{Ordering::word, 0}, {Ordering::semaphore, {}, RiscvCore::t0}, {Ordering::semaphore, {}, RiscvCore::b, semaphore + 1}}},
        {"bank", Pipe::unpacker1,
         [&](Order& order, const ClockedTicket& first) {
             order.give_bank(first, state::Src::a, 1);
             order.bank_seen(1, state::Src::a, 1);
         },
         {{Ordering::bank}, {Ordering::bank, 1}, {Ordering::bank, 1, {}, a}},
         {{Ordering::bank, 0}, {Ordering::bank, 1, {}, a + 1}}},
        {"mover", Pipe::mover, [&](Order& order, const ClockedTicket&) { order.mover_idle_seen(1); },
         {{Ordering::unit_wait}, {Ordering::unit_wait, 1}},
         {{Ordering::unit_wait, 0}, {Ordering::word}}},
        {"mover, by its status", Pipe::mover,
         [&](Order& order, const ClockedTicket&) {
             order.core_saw_mover_idle(t1);
             pushes(order, t1);
         },
         {{Ordering::word}, {Ordering::word, {}, RiscvCore::t1}},
         {{Ordering::word, 1}, {Ordering::unit_wait}}},
        {"L1", unit,
         [&](Order& order, const ClockedTicket&) {
             order.drained(t0, 0);
             EXPECT_FALSE(order.core_stores(t0, 0x2000, 4, 0x10));
             EXPECT_FALSE(order.core_loads(t1, 0x2000, 4, 0x20));
             pushes(order, t1);
         },
         {{Ordering::word}, {Ordering::word, {}, RiscvCore::t1}},
         {{Ordering::word, {}, RiscvCore::t0}}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.what);
        EXPECT_TRUE(is_told(row.unit, [](Order&, const ClockedTicket&) {}));
        EXPECT_FALSE(is_told(row.unit, row.orders));
        for (std::size_t i = 0; i < row.needs.size(); ++i) EXPECT_TRUE(is_told(row.unit, row.orders, {row.needs[i]})) << "needs " << i;
        for (std::size_t i = 0; i < row.does_without.size(); ++i)
            EXPECT_FALSE(is_told(row.unit, row.orders, {row.does_without[i]})) << "does without " << i;
        EXPECT_TRUE(is_told(row.unit, row.orders, {{Ordering::distance}, row.needs[0]})) << "one of two";
    }
}

TEST(WhatOrders, EverythingIgnoredIsEachOrdering) {
    const Disregards all = Disregards::everything();
    for (unsigned i = 0; i < static_cast<unsigned>(Ordering::count); ++i) {
        EXPECT_FALSE(all.allow(Ordering(i), 0));
        EXPECT_FALSE(all.allow(Ordering(i), 2, 1));
        EXPECT_FALSE(all.allow_core(Ordering(i), nc));
    }
}

// Each of eight semaphores and mutexes, each word and each bank by itself.
TEST(WhatOrders, AnotherObjectOfItsKindTellsNothing) {
    const auto hands_on = [](auto&& gives, auto&& takes) {
        return !is_told(Pipe::packer0, [&](Order& order, const ClockedTicket& first) {
            order.idle_seen(0, bit(Pipe::packer0));
            gives(order, first);
            takes(order);
        });
    };
    for (unsigned given = 0; given < 8; ++given)
        for (unsigned taken = 0; taken < 8; ++taken) {
            SCOPED_TRACE(testing::Message() << given << ' ' << taken);
            EXPECT_EQ(hands_on([&](Order& order, const ClockedTicket&) { order.semaphore_changed(0, given); },
                               [&](Order& order) { order.semaphore_seen(1, taken); }),
                      given == taken);
            EXPECT_EQ(hands_on([&](Order& order, const ClockedTicket&) { order.mutex_released(0, given); },
                               [&](Order& order) { order.mutex_taken(1, taken); }),
                      given == taken);
            EXPECT_EQ(hands_on([&](Order& order, const ClockedTicket&) { order.release_word(0, 4 * given); },
                               [&](Order& order) { order.acquire_word(1, 4 * taken); }),
                      given == taken);
            if (given >= 4 || taken >= 4) continue;
            EXPECT_EQ(hands_on([&](Order& order, const ClockedTicket& first) { order.give_bank(first, state::Src(given / 2), given % 2); },
                               [&](Order& order) { order.bank_seen(1, state::Src(taken / 2), taken % 2); }),
                      given == taken);
        }
}

// STALLWAIT for a unit is about the thread's own instructions so far in that unit; a drain is about all units of one thread.
TEST(WhatOrders, AWaitIsForOneUnitAndADrainForAll) {
    constexpr Pipe units[] = {Pipe::sync,      Pipe::scalar,  Pipe::mover,   Pipe::unpacker0, Pipe::unpacker1,
                              Pipe::packer0,   Pipe::packer1, Pipe::packer2, Pipe::packer3,   Pipe::vector};
    for (const Pipe unit : units)
        for (unsigned thread = 0; thread < state::threads; ++thread) {
            Order order;
            check(order, thread, unit, writes);
            for (const Pipe other : units) {
                if (other == unit) continue;
                Order waits = order;
                waits.idle_seen(thread, bit(other));
                EXPECT_FALSE(check(waits, thread, other, reads).empty());
            }
            const Pipe reader = unit == Pipe::packer0 ? Pipe::packer1 : Pipe::packer0;
            Order own = order;
            own.idle_seen(thread, bit(unit));
            EXPECT_TRUE(check(own, thread, reader, reads).empty());
            check(own, thread, unit, writes);
            EXPECT_FALSE(check(own, thread, reader, reads).empty()) << "given after the wait";
            for (unsigned drained = 0; drained < state::threads; ++drained) {
                Order drains = order;
                drains.drained(core_of_thread(drained), drained);
                for (const unsigned knows : {thread, drained}) {
                    Order copy = drains;
                    EXPECT_EQ(check(copy, knows, reader, reads).empty(), drained == thread);
                }
            }
        }
}

// The mover's signal is one for all threads and commands, and says nothing of other units.
TEST(WhatOrders, AnIdleMoverHasDoneTheWorkOfAll) {
    using Give = std::function<void(Order&)>;
    std::vector<Give> gives;
    for (unsigned thread = 0; thread < state::threads; ++thread)
        gives.push_back([=](Order& order) { check(order, thread, Pipe::mover, writes); });
    for (unsigned by = 0; by <= riscv_cores; ++by)
        gives.push_back([=](Order& order) {
            const auto giver = by < riscv_cores ? std::optional(by) : std::nullopt;
            const ClockedTicket command = order.command(giver, thread_of_stream(command_stream(by)), 4);
            check(order, command, command.known, {writes});
        });
    for (std::size_t giver = 0; giver < gives.size(); ++giver) {
        SCOPED_TRACE(giver);
        Order order;
        order.watch_cores();
        gives[giver](order);
        Order waits = order, sees = order;
        EXPECT_FALSE(check(order, 1, Pipe::unpacker0, reads).empty());
        waits.mover_idle_seen(1);
        EXPECT_TRUE(check(waits, 1, Pipe::unpacker0, reads).empty());
        sees.core_saw_mover_idle(nc);
        EXPECT_FALSE(sees.core_stores(nc, place, 4, 0x10));
        EXPECT_TRUE(sees.core_stores(b, place, 4, 0x10)) << "another core has not looked";
    }
    for (unsigned thread = 0; thread < state::threads; ++thread)
        for (const Pipe unit : {Pipe::sync, Pipe::scalar, Pipe::unpacker0, Pipe::packer3, Pipe::matrix}) {
            Order order;
            check(order, thread, unit, writes);
            order.mover_idle_seen(1);
            EXPECT_FALSE(check(order, thread == 1 ? 2 : 1, Pipe::unpacker1, reads).empty());
        }
}

/// T0 has handed a bank of SrcB over, for which an instruction of T1 waits in its unit.
ClockedTicket waits_for_bank(Order& order) {
    ClockedTicket gives;
    static_cast<Ticket&>(gives) = order.issue(0, bit(Pipe::packer0), 3);
    check(order, gives, gives.known, {writes});
    order.give_bank(gives, state::Src::b, 0);
    ClockedTicket waits;
    static_cast<Ticket&>(waits) = order.issue(1, bit(Pipe::unpacker1), 5);
    return waits;
}

// MOVD2B and the like wait in their unit: their thread knows no more by that, but a wait for the unit does.
TEST(WhatOrders, AnInstructionThatWaitsInItsUnitForABankTellsThoseThatWaitForTheUnit) {
    Order order;
    ClockedTicket waits = waits_for_bank(order);
    waits.known = order.known(1);
    Order another = order, ignored = order;
    another.take_bank(waits, state::Src::b, 1);
    EXPECT_FALSE(check(another, waits, waits.known, {reads}).empty());
    ignored.disregard({{Ordering::bank, 1, {}, 1}});
    ignored.take_bank(waits, state::Src::b, 0);
    EXPECT_FALSE(check(ignored, waits, waits.known, {reads}).empty());
    order.take_bank(waits, state::Src::b, 0);
    EXPECT_TRUE(check(order, waits, waits.known, {reads}).empty());
    Order awaited = order;
    EXPECT_FALSE(check(order, 1, Pipe::unpacker0, reads).empty());
    awaited.idle_seen(1, bit(Pipe::unpacker1));
    EXPECT_TRUE(check(awaited, 1, Pipe::unpacker0, reads).empty());
}

// Without the order of one unit, its next instruction may come before the other one's bank is there.
TEST(WhatOrders, AnInstructionThatWaitsInItsUnitSpeaksForNoOther) {
    Order order;
    order.disregard({{Ordering::unit_order}});
    ClockedTicket waits = waits_for_bank(order);
    order.take_bank(waits, state::Src::b, 0);
    EXPECT_TRUE(check(order, waits, waits.known, {reads}).empty());
    EXPECT_FALSE(check(order, 1, Pipe::unpacker1, reads).empty());
}

// STALLWAIT, SEMWAIT and STREAMWAIT: what passes the wait learns nothing by it, what it blocks learns all.
TEST(WhatOrders, AWaitIsForWhatItBlocks) {
    constexpr unsigned semaphore = 2;
    const auto prepared = [] {
        Order order;
        ClockedTicket first;
        static_cast<Ticket&>(first) = order.issue(0, bit(Pipe::packer0), 3);
        check(order, first, first.known, {writes});
        order.idle_seen(0, bit(Pipe::packer0));
        order.semaphore_changed(0, semaphore);
        order.give_bank(first, state::Src::a, 1);
        return order;
    };
    using Learn = std::function<void(Order&)>;
    const Learn sees_semaphore = [](Order& order) { order.semaphore_seen(1, semaphore); };
    const Learn sees_bank = [](Order& order) { order.bank_seen(1, state::Src::a, 1); };
    for (const Learn& learn : {sees_semaphore, sees_bank}) {
        Order order = prepared();
        order.learn_for_blocked(1, [&] { learn(order); });
        EXPECT_FALSE(order.bank_waited_for(state::Src::a, 1));
        Order passes = order, asks_again = order;
        EXPECT_FALSE(check(passes, 1, Pipe::unpacker0, reads).empty());
        learn(asks_again);
        EXPECT_TRUE(check(asks_again, 1, Pipe::unpacker0, reads).empty()) << "one that passes may wait for the same";
        order.reaches_blocked(1);
        EXPECT_TRUE(check(order, 1, Pipe::unpacker0, reads).empty());
    }
}

// A bank counts as waited for once a thread comes to what its wait blocks, until it is handed over again.
TEST(WhatOrders, ABankIsWaitedForOnceTheBlockedInstructionIsThere) {
    for (unsigned bank = 0; bank < 4; ++bank) {
        Order order;
        ClockedTicket gives;
        static_cast<Ticket&>(gives) = order.issue(0, bit(Pipe::unpacker0), 3);
        const auto src = [](unsigned which) { return state::Src(which / 2); };
        for (unsigned each = 0; each < 4; ++each) order.give_bank(gives, src(each), each % 2);
        order.learn_for_blocked(1, [&] { order.bank_seen(1, src(bank), bank % 2); });
        EXPECT_FALSE(order.bank_waited_for(src(bank), bank % 2));
        order.reaches_blocked(1);
        for (unsigned each = 0; each < 4; ++each) EXPECT_EQ(order.bank_waited_for(src(each), each % 2), each == bank);
        EXPECT_TRUE(order.waited_for(src(bank)));
        EXPECT_FALSE(order.waited_for(src(3 - bank)));
        order.give_bank(gives, src(bank), bank % 2);
        EXPECT_FALSE(order.bank_waited_for(src(bank), bank % 2));
        EXPECT_TRUE(order.waited_for(src(bank))) << "after some hand-over";
    }
}

// Spec-notes B36: a STALLWAIT for a bank tells nothing while an instruction of the thread may still change banks.
TEST(WhatOrders, AWaitForABankMayTestTheEarlierOne) {
    for (const unsigned flipped : {0u, 1u})
        for (const bool waits : {true, false}) {
            Order order;
            ClockedTicket gives;
            static_cast<Ticket&>(gives) = order.issue(0, bit(Pipe::packer0), 3);
            check(order, gives, gives.known, {writes});
            order.give_bank(gives, state::Src::b, 0);
            order.bank_flips(order.issue(1, bit(Pipe::matrix), 4), state::Src(flipped));
            if (waits) order.idle_seen(1, bit(Pipe::matrix));
            const bool knows = waits || flipped == 0;
            EXPECT_EQ(order.bank_may_flip(1, state::Src::b), !knows);
            order.bank_valid_seen(1, state::Src::b, 0);
            EXPECT_EQ(check(order, 1, Pipe::unpacker0, reads).empty(), knows) << flipped << waits;
        }
}

// SoftReset; spec-notes B42: what was issued in units that nothing holds up is done, whichever thread gave it.
TEST(WhatOrders, LeavingResetComesBehindShortInstructions) {
    constexpr plan::PipeMask short_units = bit(Pipe::sync) | bit(Pipe::config) | bit(Pipe::misc) | bit(Pipe::matrix) | bit(Pipe::vector);
    for (const bool by_host : {true, false})
        for (unsigned thread = 0; thread < state::threads; ++thread)
            for (unsigned unit = 0; unit < plan::pipes; ++unit) {
                if (Pipe(unit) == Pipe::scalar) continue;  // no access of this unit is held against cores
                Order order;
                order.watch_cores();
                check(order, thread, Pipe(unit), writes);
                if (by_host)
                    order.host_starts(t1);
                else
                    order.core_starts(t1, b);
                EXPECT_EQ(!order.core_stores(t1, place, 4, 0x10), (short_units >> unit & 1) != 0) << thread << ' ' << unit;
                EXPECT_TRUE(order.core_stores(t2, place, 4, 0x10)) << "no other core";
            }
    Order order;
    order.watch_cores();
    check(order, 0, Pipe::packer0, writes);
    order.drained(t0, 0);
    order.core_starts(nc, t0);
    EXPECT_FALSE(order.core_stores(nc, place, 4, 0x10)) << "the starter's knowledge";
}

// A push hands on what the core knows then, and its thread learns it when it comes to that instruction.
TEST(WhatOrders, AThreadLearnsAtTheIndexThatItsCorePushed) {
    Order order;
    check(order, 0, Pipe::packer0, writes);
    order.drained(t0, 0);
    order.core_pushes(b, 1, 9);
    order.core_releases_word(t0, 1);
    order.core_acquires_word(b, 1);
    order.core_pushes(b, 1, 10);
    order.core_pushes(b, 1, 11);
    EXPECT_TRUE(order.has_handed(1));
    EXPECT_FALSE(order.has_handed(0));
    for (const std::int64_t index : {8, 9}) {
        order.reached(1, index);
        EXPECT_FALSE(check(order, 1, Pipe::unpacker0, reads).empty()) << index;
    }
    order.reached(1, 10);
    EXPECT_TRUE(check(order, 1, Pipe::unpacker0, reads).empty());
    EXPECT_TRUE(order.has_handed(1));
    order.reached(1, 12);
    EXPECT_FALSE(order.has_handed(1));
}

// T1 hears from T0 of its own core's second access, and then comes to an instruction that the core pushed before that.
TEST(WhatOrders, AnEarlierPushTakesNothingAway) {
    Order order;
    order.watch_cores();
    EXPECT_FALSE(order.core_stores(t1, place + 64, 4, 0x10));
    order.core_pushes(t1, 1, 1);
    EXPECT_FALSE(order.core_stores(t1, place, 4, 0x14));
    order.core_releases_word(t1, 1);
    order.core_acquires_word(t0, 1);
    order.core_pushes(t0, 0, 1);
    order.reached(0, 1);
    order.semaphore_changed(0, 0);
    order.semaphore_seen(1, 0);
    order.reached(1, 1);
    order.semaphore_changed(1, 1);
    EXPECT_FALSE(check(order, 2, Pipe::unpacker0, reads).empty());
    order.semaphore_seen(2, 1);
    EXPECT_TRUE(check(order, 2, Pipe::unpacker1, reads).empty());
}

// Pushing instructions: with each one the thread comes behind the core's accesses to L1 before it.
TEST(WhatOrders, AnInstructionComesBehindThePushingCoresAccesses) {
    for (const unsigned pusher : {b, t0, t1, nc})
        for (const bool before : {true, false}) {
            Order order;
            order.watch_cores();
            order.core_pushes(pusher, 1, 1);
            order.reached(1, 1);
            if (before) order.core_stores(pusher, place, 4, 0x10);
            order.core_pushes(pusher, 1, 2);
            if (!before) order.core_stores(pusher, place, 4, 0x10);
            order.reached(1, 2);
            const auto told = check(order, 1, Pipe::unpacker0, reads);
            EXPECT_EQ(told.empty(), before || pusher == t1) << pusher;
            if (told.empty()) continue;
            EXPECT_EQ(told[0].core, static_cast<int>(pusher));
            EXPECT_EQ(told[0].core_pc, 0x10u);
        }
}

// A command comes behind what its core did and knew; by a request over the NoC it knows nothing. Commands of one core are in order.
TEST(WhatOrders, ACommandKnowsWhatItsCoreKnows) {
    const auto told = [](std::optional<unsigned> by, std::vector<Disregarded> without = {}) {
        Order order;
        order.watch_cores();
        order.disregard(std::move(without));
        check(order, 0, Pipe::packer0, writes);
        order.drained(nc, 0);
        order.core_stores(nc, 0x2000, 4, 0x10);
        const ClockedTicket command = order.command(by, 0, 4);
        const bool meets_unit = !check(order, command, command.known, {reads}).empty();
        const bool meets_core = !check(order, command, command.known, {{Storage::l1, false, 0x2000, 16}}).empty();
        return std::pair(meets_unit, meets_core);
    };
    using Told = std::pair<bool, bool>;
    EXPECT_EQ(told(nc), Told(false, false));
    EXPECT_EQ(told(b), Told(true, true));
    EXPECT_EQ(told(std::nullopt), Told(true, true));
    EXPECT_EQ(told(nc, {{Ordering::push}}), Told(true, false)) << "its own stores come before";
    EXPECT_EQ(told(nc, {{Ordering::push, {}, RiscvCore::b}}), Told(false, false));

    for (const unsigned other : {b, t0, t1, t2, nc}) {
        Order order;
        const ClockedTicket first = order.command(b, 0, 4);
        check(order, first, first.known, {writes});
        const ClockedTicket second = order.command(other, thread_of_stream(command_stream(other)), 5);
        EXPECT_EQ(check(order, second, second.known, {writes}).empty(), other == b) << other;
    }
}

// A core's store to a GPR is in order with its thread's instruction by a wait, by Auto TTSync, or by a load from there.
TEST(WhatOrders, StoresOfItsCoreAreDoneForAThread) {
    constexpr state::Resources resource = 2, other = 4;
    const state::Cell gpr = state::cells::gpr(1, 5);
    using Orders = std::function<void(Order&)>;
    struct Row {
        Orders orders;
        bool suffices;
        std::optional<Ordering> by;
    };
    const Row rows[] = {
        {[](Order&) {}, false, {}},
        {[](Order& order) { order.stores_seen(1, 6); }, true, Ordering::store_wait},
        {[](Order& order) { order.stores_seen(0, 6); }, false, {}},
        {[](Order& order) { order.stores_seen(1, 4); }, false, {}},
        {[&](Order& order) { order.resources_passed(1, resource, 6); }, true, Ordering::auto_sync},
        {[&](Order& order) { order.resources_passed(1, other, 6); }, false, {}},
        {[&](Order& order) { order.resources_passed(1, resource, 5); }, false, {}},
        {[](Order& order) { order.core_read_back(1, CoreRegion::gprs, 6); }, true, Ordering::read_back},
        {[](Order& order) { order.core_read_back(1, CoreRegion::config, 6); }, false, {}},
    };
    for (const Row& row : rows) {
        const auto is_in_order = [&](std::vector<Disregarded> without) {
            Order order;
            order.disregard(std::move(without));
            order.core_stores(gpr,
                              {.core = 1, .index = 5, .changes = ~0u, .resources = resource, .value = 7, .at = 40});
            row.orders(order);
            const auto met = order.check_capture(1, 8, {static_cast<std::uint16_t>(gpr), 0xF0});
            if (met) {
                EXPECT_EQ(met->core, 1u);
                EXPECT_EQ(met->index, 5);
                EXPECT_EQ(met->number, 1u);
                EXPECT_EQ(met->at, 40u);
            }
            return !met;
        };
        EXPECT_EQ(is_in_order({}), row.suffices) << &row - rows;
        if (!row.by) continue;
        EXPECT_FALSE(is_in_order({{*row.by}}));
        EXPECT_FALSE(is_in_order({{*row.by, 1}}));
        EXPECT_TRUE(is_in_order({{*row.by, 0}}));
    }
    // All of them are done, also for other threads that hear of it, once all resources have passed.
    for (const bool all : {true, false}) {
        Order order;
        order.core_stores(gpr, {.core = 1, .index = 5, .changes = ~0u, .resources = resource, .value = 7, .at = 40});
        order.core_stores(state::cells::gpr(1, 6),
                          {.core = 1, .index = 5, .changes = ~0u, .resources = other, .value = 7, .at = 41});
        order.resources_passed(1, all ? resource | other : resource, 6);
        order.semaphore_changed(1, 0);
        order.semaphore_seen(2, 0);
        EXPECT_EQ(!order.check_capture(2, 8, {static_cast<std::uint16_t>(gpr), 1}), all);
    }
}

// Instructions that were issued before a command say nothing of those behind it.
TEST(WhatOrders, AnInstructionBehindACommandIsIssuedLater) {
    for (const bool again : {true, false}) {
        Order order;
        check(order, 0, Pipe::unpacker0, {Storage::l1, true, place + 64, 16});
        order.semaphore_changed(0, 0);
        order.semaphore_seen(1, 0);
        order.command(b, 0, 4);
        check(order, 0, Pipe::unpacker0, writes);
        if (again) order.semaphore_changed(0, 0);
        if (again) order.semaphore_seen(1, 0);
        EXPECT_EQ(check(order, 1, Pipe::unpacker0, reads).empty(), again) << "one unit works in the order of issue";
    }
}

// hazard.mop-overtaken: a core may change the MOP registers once its thread's MOPs are expanded.
TEST(WhatOrders, ACoreLearnsThatMopsAreExpanded) {
    constexpr unsigned semaphore = 6;
    for (unsigned thread = 0; thread < state::threads; ++thread)
        for (unsigned sees = 0; sees < riscv_cores; ++sees) {
            Order order;
            order.mop_pushed(thread);
            EXPECT_FALSE(order.mops_known_expanded(thread));
            order.semaphore_changed(thread, semaphore);
            order.core_saw_semaphore(sees, semaphore);
            EXPECT_FALSE(order.mops_known_expanded(thread)) << "it has not been expanded then";
            order.mop_expanded(thread);
            order.semaphore_changed(thread, semaphore);
            EXPECT_FALSE(order.mops_known_expanded(thread));
            order.core_saw_semaphore(sees, semaphore);
            EXPECT_EQ(order.mops_known_expanded(thread), sees == core_of_thread(thread)) << thread << ' ' << sees;
            order.drained(core_of_thread(thread), thread);
            EXPECT_TRUE(order.mops_known_expanded(thread));
            order.mop_pushed(thread);
            EXPECT_FALSE(order.mops_known_expanded(thread));
            order.mops_seen_expanded(thread);
            EXPECT_TRUE(order.mops_known_expanded(thread));
        }
}

// A wait, or Auto TTSync, is over for good: later stores are done once their own resources have passed.
TEST(WhatOrders, StoresThatAreDoneAreAwaitedNoMore) {
    constexpr state::Resources resource = 2, other = 4;
    const state::Cell first = state::cells::gpr(1, 5), second = state::cells::gpr(1, 6);
    enum class Ends { no, waits, passes };
    for (const Ends ends : {Ends::no, Ends::waits, Ends::passes}) {
        Order order;
        order.core_stores(first, {.core = 1, .index = 5, .changes = ~0u, .resources = resource, .value = 7, .at = 40});
        if (ends == Ends::waits) {
            order.stores_seen(1, 6);
            order.awaited_stores_are_over(1);
        }
        if (ends == Ends::passes) order.resources_passed(1, resource, 6);
        order.core_stores(second, {.core = 1, .index = 7, .changes = ~0u, .resources = other, .value = 7, .at = 41});
        order.resources_passed(1, other, 8);
        order.semaphore_changed(1, 0);
        order.semaphore_seen(2, 0);
        EXPECT_EQ(!order.check_capture(2, 9, {static_cast<std::uint16_t>(second), 1}), ends != Ends::no) << static_cast<int>(ends);
    }
}

// Nothing is recorded or found once the checker is off.
TEST(WhatOrders, NothingCountsOnceItIsOff) {
    Order order;
    order.turn_off();
    EXPECT_FALSE(order.is_on());
    EXPECT_EQ(order.issue(0, bit(Pipe::packer0), 3).number[0], 0u);
    EXPECT_EQ(order.command(b, 0, 3).number[0], 0u);
    EXPECT_EQ(order.issue(0, bit(Pipe::packer0), 3).index, 3);
    EXPECT_EQ(order.command(b, 0, 3).index, 3);
    order.core_pushes(b, 1, 2);
    EXPECT_FALSE(order.has_handed(1));
    EXPECT_EQ(order.next_sequence(0), 1u);
    EXPECT_EQ(order.next_number(stream_of(0, Pipe::packer0)), 1u);
    order.core_stores(state::cells::gpr(0, 5),
                      {.core = 0, .index = 3, .changes = ~0u, .resources = 0, .value = 7, .at = 40});
    EXPECT_EQ(order.stores().count(), 0u);
    ClockedTicket gives;
    gives.pipes = bit(Pipe::unpacker0);
    order.give_bank(gives, state::Src::a, 0);
    EXPECT_TRUE(order.bank_waited_for(state::Src::a, 0)) << "no hand-over is counted";
}

}  // namespace
}  // namespace tessera::hazards

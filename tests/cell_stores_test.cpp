// SPDX-License-Identifier: Apache-2.0
// What keeps a core's store in order with its own thread's instructions: Auto TTSync, resource by resource (AutoTTSync).
#include <gtest/gtest.h>

#include <random>

#include "hazards/cell_stores.hpp"

namespace tessera {
namespace {

using hazards::CellStores;
using hazards::VectorClock;

constexpr std::uint16_t cell = 100;

bool conflicts(const CellStores& stores, unsigned thread, std::int64_t index) {
    return stores.check(thread, index, {cell, ~0u}, std::nullopt, VectorClock{}).has_value();
}

TEST(CellStores, EachResourceThatHasPassedKeepsItsStoresInOrder) {
    for (unsigned bit = 0; bit < 8; ++bit)
        for (unsigned other = 0; other < 8; ++other) {
            CellStores stores;
            const auto resources = static_cast<state::Resources>(1 << bit);
            stores.add(state::Cell(cell), {.number = 1, .core = 1, .index = 5, .changes = 1, .resources = resources}, {}, {});
            EXPECT_TRUE(conflicts(stores, 1, 10)) << "nothing has passed";
            // An instruction behind the store has waited for a resource.
            stores.passed(1, static_cast<state::Resources>(1 << other), 8);
            EXPECT_EQ(conflicts(stores, 1, 10), bit != other) << bit << " " << other;
            EXPECT_TRUE(conflicts(stores, 0, 10)) << "another thread's";
        }
}

TEST(CellStores, WhatPassedBeforeTheStoreSaysNothingOfIt) {
    CellStores stores;
    stores.passed(1, 0xFF, 4);
    stores.add(state::Cell(cell), {.number = 1, .core = 1, .index = 5, .changes = 1, .resources = 1}, VectorClock{}, VectorClock{});
    EXPECT_TRUE(conflicts(stores, 1, 10));
    stores.passed(1, 0xFF, 5);
    EXPECT_TRUE(conflicts(stores, 1, 10)) << "the store's own place";
    stores.passed(1, 0xFF, 6);
    EXPECT_FALSE(conflicts(stores, 1, 10));
}

TEST(CellStores, AllOfTheCoresStoresAreDoneOnceEachOfTheirResourcesHasPassedBehindThem) {
    const auto stored = [](std::initializer_list<state::Resources> resources) {
        CellStores stores;
        std::uint32_t number = 0;
        for (const state::Resources each : resources)
            stores.add(state::Cell(cell), {.number = ++number, .core = 1, .index = 5, .resources = each}, VectorClock{}, VectorClock{});
        return stores;
    };
    EXPECT_TRUE(stored({1, 2}).passed(1, 0b011, 6));
    EXPECT_TRUE(stored({1, 2}).passed(1, 0b111, 6)) << "and one more, without a store";
    EXPECT_FALSE(stored({1, 2}).passed(1, 0b001, 6)) << "the second store's has not";
    EXPECT_FALSE(stored({1, 2}).passed(1, 0b100, 6));
    EXPECT_FALSE(stored({1, 2}).passed(1, 0b011, 5)) << "not behind them";
    EXPECT_FALSE(stored({1, 0}).passed(1, 0xFF, 6)) << "nothing tracks the second";
    CellStores known = stored({1, 0});
    known.over(1);
    EXPECT_TRUE(known.passed(1, 0, 6));
}

TEST(CellStores, OnlyChangedBitsMatter) {
    CellStores stores;
    stores.add(state::Cell(cell), {.number = 1, .core = 1, .index = 5, .changes = 0x10}, VectorClock{}, VectorClock{});
    EXPECT_TRUE(stores.check(1, 10, {cell, 0x10}, std::nullopt, VectorClock{}));
    EXPECT_FALSE(stores.check(1, 10, {cell, 0xEF}, std::nullopt, VectorClock{}));
    EXPECT_FALSE(stores.check(1, 10, {cell + 1, ~0u}, std::nullopt, VectorClock{}));
    // The instruction is behind the store in the program only with the greater index.
    EXPECT_FALSE(stores.check(1, 10, {cell, 0x10}, std::nullopt, VectorClock{})->overtaken);
    EXPECT_TRUE(stores.check(1, 4, {cell, 0x10}, std::nullopt, VectorClock{})->overtaken);
    EXPECT_FALSE(stores.check(1, 5, {cell, 0x10}, std::nullopt, VectorClock{})->overtaken) << "at the store's own place";
}


VectorClock with_stores_done(unsigned core, std::uint32_t number) {
    VectorClock known;
    known.done()[hazards::core_stream(core)] = number;
    return known;
}

// Each cell by itself, whichever is stored first.
TEST(CellStores, NeighboursAreKnownApart) {
    CellStores stores;
    std::uint32_t number = 0;
    for (const std::uint16_t each : {100, 101, 103, 99, 0})
        stores.add(state::Cell(each), {.number = ++number, .core = 1, .index = 5, .changes = 1u << number}, {}, {});
    number = 0;
    for (const std::uint16_t each : {100, 101, 103, 99, 0}) {
        ++number;
        EXPECT_TRUE(stores.has(each));
        const auto found = stores.check(1, 10, {each, ~0u}, std::nullopt, {});
        ASSERT_TRUE(found) << each;
        EXPECT_EQ(found->number, number);
        EXPECT_EQ(found->bits, (plan::CellBits{each, 1u << number}));
    }
    for (const std::uint16_t each : {1, 98, 102, 104, 500}) {
        EXPECT_FALSE(stores.has(each));
        EXPECT_FALSE(stores.check(1, 10, {each, ~0u}, std::nullopt, {})) << each;
    }
    EXPECT_EQ(stores.count(), 5u);
}

TEST(CellStores, AConflictSaysWhichStoreAndWhen) {
    CellStores stores;
    stores.add(state::Cell(7), {.number = 1, .core = 0, .index = 2, .changes = 1}, {}, {});
    stores.add(state::Cell(cell), {.number = 1, .core = 2, .index = 9, .changes = 0xF0, .value = 0x50, .at = 77}, {}, {});
    const auto found = stores.check(2, 30, {cell, 0x3C}, std::nullopt, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->core, 2u);
    EXPECT_EQ(found->index, 9);
    EXPECT_EQ(found->number, 2u) << "of all cores' stores";
    EXPECT_EQ(found->at, 77u);
    EXPECT_EQ(found->bits, (plan::CellBits{cell, 0x30}));
    // An instruction that replaces bits disagrees with the store in some of them.
    const auto replaces = stores.check(2, 30, {cell, 0xFF}, CellStores::Replacement{0x0F, 0x05}, {});
    ASSERT_TRUE(replaces);
    EXPECT_EQ(replaces->bits.mask, 0x05u);
    EXPECT_FALSE(stores.check(2, 30, {cell, 0xFF}, CellStores::Replacement{0xF0, 0x5F}, {}));
    EXPECT_FALSE(stores.check(2, 30, {7, ~0u}, std::nullopt, with_stores_done(0, 1)));
}

// Bits of an earlier store are still to be awaited, unless it is known to be done.
TEST(CellStores, BitsOfStoresInFlightAddUp) {
    const auto second = [](const VectorClock& known, const VectorClock& later) {
        CellStores stores;
        stores.add(state::Cell(cell), {.number = 1, .core = 1, .index = 5, .changes = 0x1}, {}, {});
        stores.add(state::Cell(cell), {.number = 2, .core = 1, .index = 6, .changes = 0x2}, known, later);
        const auto bits = [&](std::uint32_t done) {
            const auto found = stores.check(1, 10, {cell, ~0u}, std::nullopt, with_stores_done(1, done));
            return found ? found->bits.mask : 0;
        };
        EXPECT_EQ(bits(2), 0u);
        EXPECT_EQ(bits(1), bits(0));
        return bits(0);
    };
    EXPECT_EQ(second({}, {}), 0x3u);
    EXPECT_EQ(second(with_stores_done(1, 1), {}), 0x2u);
    EXPECT_EQ(second({}, with_stores_done(1, 1)), 0x2u) << "as the next instruction that a wait blocks knows";
    EXPECT_EQ(second(with_stores_done(0, 9), with_stores_done(2, 9)), 0x3u) << "other cores' stores are no matter";
}

// A load from where the core has stored: instructions that it pushes later come after the stores of that memory.
TEST(CellStores, AReadBackIsForOneMemoryAndForWhatIsPushedLater) {
    using hazards::CoreRegion;
    const auto gpr = state::cells::gpr(1, 5);
    for (const bool is_gpr : {true, false})
        for (const CoreRegion region : {CoreRegion::gprs, CoreRegion::config}) {
            const state::Cell where = is_gpr ? gpr : state::Cell(cell);
            const bool fits = is_gpr == (region == CoreRegion::gprs);
            CellStores stores;
            std::uint32_t number = 0;
            std::int64_t index = 0;
            const auto told = [&](std::int64_t at) {
                return stores.check(1, at, {static_cast<std::uint16_t>(where), ~0u}, std::nullopt, {}).has_value();
            };
            for (unsigned round = 0; round < 100; ++round) {
                stores.add(where, {.number = ++number, .core = 1, .index = index, .changes = 1}, {}, {});
                EXPECT_TRUE(told(index + 2)) << "nothing has been loaded";
                stores.read_back(0, region, index + 1);
                EXPECT_TRUE(told(index + 2)) << "another core";
                stores.read_back(1, region, index + 3);
                for (unsigned again = 0; again < 100; ++again) stores.read_back(1, region, index + 5);
                EXPECT_TRUE(told(index + 2)) << "pushed before";
                EXPECT_EQ(told(index + 3), !fits) << round;
                EXPECT_EQ(told(index + 4), !fits) << "later loads change nothing";
                index += 10;
            }
        }
}

// The last store by another core, of another value, that nothing orders.
TEST(CellStores, TwoCoresStoresAreToBeOrderedUnlessTheyAgree) {
    CellStores stores;
    stores.add(state::Cell(cell), {.number = 1, .core = 0, .index = 1, .value = 6, .access = 3}, {}, {});
    stores.add(state::Cell(cell), {.number = 1, .core = 1, .index = 5, .value = 7, .access = 4}, {}, {});
    const auto found = stores.unordered_store(2, state::Cell(cell), 8, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->core, 1);
    EXPECT_EQ(found->index, 5);
    EXPECT_EQ(found->value, 7u);
    EXPECT_FALSE(stores.unordered_store(2, state::Cell(cell), 7, {}));
    EXPECT_FALSE(stores.unordered_store(1, state::Cell(cell), 8, {}));
    EXPECT_FALSE(stores.unordered_store(2, state::Cell(cell + 1), 8, {}));
    EXPECT_FALSE(stores.unordered_store(2, state::Cell(cell - 1), 8, {}));
    EXPECT_FALSE(stores.unordered_store(2, state::Cell(cell), 8, with_stores_done(1, 1)));
    EXPECT_TRUE(stores.unordered_store(2, state::Cell(cell), 8, with_stores_done(0, 1)));
    for (std::uint32_t accesses = 0; accesses < 6; ++accesses) {
        VectorClock known;
        known.accesses()[hazards::core_of_thread(1)] = accesses;
        EXPECT_EQ(stores.unordered_store(2, state::Cell(cell), 8, known).has_value(), accesses < 4);
    }
}

// A wait is about all stores before it; for what it blocks they are over, and what passes it may rely on Auto TTSync alone.
TEST(CellStores, AwaitedStoresAreOverForWhatTheWaitBlocks) {
    CellStores stores;
    stores.add(state::Cell(cell), {.number = 1, .core = 1, .index = 5, .changes = 1, .resources = 1}, {}, {});
    EXPECT_EQ(stores.await(1, 6), 1u);
    EXPECT_FALSE(stores.passed(1, 0b10, 6));
    stores.add(state::Cell(cell), {.number = 2, .core = 1, .index = 6, .changes = 1, .resources = 2}, {}, {});
    EXPECT_FALSE(stores.passed(1, 0b10, 7)) << "the first is awaited, not over";
    CellStores both = stores;
    EXPECT_TRUE(both.passed(1, 0b11, 7));
    stores.awaited_are_over(1);
    EXPECT_FALSE(stores.passed(1, 0b01, 7)) << "nor the second";
    EXPECT_TRUE(stores.passed(1, 0b10, 7));
}

// The core's program has some stores behind the wait, though they are made before it ends.
TEST(CellStores, StoresBehindAWaitAreNotAwaited) {
    CellStores stores;
    const auto add = [&](std::uint32_t number, std::int64_t index, unsigned offset, state::Resources resource) {
        stores.add(state::Cell(cell + offset),
                   {.number = number, .core = 1, .index = index, .changes = 1, .resources = resource}, {}, {});
    };
    add(1, 5, 0, 1);
    add(2, 8, 1, 2);
    add(3, 9, 2, 4);
    stores.add(state::Cell(cell + 3), {.number = 7, .core = 2, .index = 20, .changes = 1}, {}, {});
    CellStores all = stores;
    EXPECT_EQ(all.await(1, 10), 3u);
    all.awaited_are_over(1);
    EXPECT_TRUE(all.passed(1, 0, 11));
    EXPECT_EQ(stores.await(1, 7), 1u);
    EXPECT_EQ(stores.await(2, 7), 6u);
    stores.awaited_are_over(1);
    EXPECT_FALSE(stores.passed(1, 2, 11));
    EXPECT_TRUE(stores.passed(1, 2 | 4, 11)) << "the two behind the wait";
}

// Held against a plain list: the stores to some cells behind a number.
TEST(CellStores, StoresSinceThenAreNotOverlooked) {
    std::mt19937 random(3);
    constexpr unsigned cells = 24;
    for (unsigned run = 0; run < 60; ++run) {
        CellStores stores;
        std::vector<unsigned> all;
        const auto count = static_cast<std::uint32_t>(1 + random() % 200);
        std::array<std::uint32_t, state::threads> numbers{};
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint8_t core = random() % state::threads;
            all.push_back(random() % cells);
            stores.add(state::Cell(all.back()), {.number = ++numbers[core], .core = core, .index = i}, {}, {});
        }
        std::array<bool, cells> wanted{};
        wanted[random() % cells] = wanted[random() % cells] = true;
        for (std::uint32_t until = 0; until <= count; ++until)
            ASSERT_EQ(stores.since(until, wanted), std::any_of(all.begin() + until, all.end(), [&](unsigned each) { return wanted[each]; }))
                << until << " of " << count;
        EXPECT_TRUE(stores.since(CellStores::never, wanted));
        // A thread that lacks one of the stores, or whose own core's program has one behind the instruction.
        for (unsigned core = 0; core < state::threads; ++core) {
            VectorClock known;
            for (unsigned each = 0; each < state::threads; ++each) known.done()[hazards::core_stream(each)] = numbers[each];
            CellStores copy = stores;
            EXPECT_FALSE(copy.may_matter(core, count, known));
            if (numbers[core] == 0) continue;
            --known.done()[hazards::core_stream(core)];
            EXPECT_TRUE(stores.may_matter((core + 1) % state::threads, count, known));
        }
    }
}

TEST(CellStores, TheLast64ReadBacksAreKnown) {
    using hazards::CoreRegion;
    for (const std::uint32_t others : {63u, 64u}) {
        CellStores stores;
        stores.add(state::Cell(cell), {.number = 1, .core = 1, .index = 0, .changes = 1}, {}, {});
        stores.read_back(1, CoreRegion::config, 1);
        for (std::uint32_t i = 0; i < others; ++i) {
            stores.add(state::Cell(cell + 1), {.number = 2 + i, .core = 1, .index = 10 + i, .changes = 1}, {}, {});
            stores.read_back(1, CoreRegion::config, 100 + i);
        }
        EXPECT_EQ(conflicts(stores, 1, 5), others == 64) << others;
    }
}

TEST(CellStores, NothingIsKnownOfNoStores) {
    const CellStores none;
    EXPECT_FALSE(none.has(0));
    EXPECT_FALSE(none.check(1, 10, {0, ~0u}, std::nullopt, {}));
    EXPECT_FALSE(none.unordered_store(1, state::Cell(0), 5, {}));
}

}  // namespace
}  // namespace tessera

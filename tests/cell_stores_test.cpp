// SPDX-License-Identifier: Apache-2.0
// What keeps a core's store in order with its own thread's instructions: Auto TTSync, resource by resource (AutoTTSync).
#include <gtest/gtest.h>

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
            stores.add(state::Cell(cell), {.number = 1, .core = 1, .index = 5, .changes = 1, .resources = static_cast<state::Resources>(1 << bit)}, VectorClock{}, VectorClock{});
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
}

}  // namespace
}  // namespace tessera

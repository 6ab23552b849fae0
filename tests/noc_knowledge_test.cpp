// SPDX-License-Identifier: Apache-2.0
// Knowledge of requests over the NoC: sets of those that have ended, and clocks of tiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "support/checked_accesses.hpp"

namespace tessera::hazards {
namespace {

// A set may forget what is missing, but nothing of the last 256 numbers; and it never lacks what was added.
TEST(NocKnowledge, LongSetsForgetOnlyWhatIsMissingLongAgo) {
    std::mt19937 random(7);
    for (unsigned run = 0; run < 200; ++run) {
        RequestSet set;
        std::vector<bool> plain(3001);
        std::uint32_t most = 0;
        for (unsigned i = 0; i < 20; ++i) {
            const auto wanted = static_cast<std::uint32_t>(1 + (random() % 2 ? most + random() % 300 : random() % (most + 1)));
            const std::uint32_t number = std::min(3000u, wanted);
            set.add(number);
            plain[number] = true;
            most = std::max(most, number);
            for (std::uint32_t n = 1; n <= most; ++n) {
                const bool may_be_forgotten = !plain[n] && n + 256 < most;
                ASSERT_TRUE(may_be_forgotten || set.has(n) == plain[n]) << n << " of " << most;
            }
            ASSERT_FALSE(set.has(most + 1));
        }
    }
}

// Of each tile, each NoC has its own requests.
TEST(NocKnowledge, TilesAndNocsAreKnownApart) {
    NocKnowledge known;
    for (const std::uint16_t tile : {there, here, elsewhere, std::uint16_t{0}}) add(known, {tile, 1, 1});
    for (const std::uint16_t tile : {there, here, elsewhere, std::uint16_t{0}}) {
        EXPECT_TRUE(known.knows({tile, 1, 1}));
        EXPECT_FALSE(known.knows({tile, 0, 1}));
        EXPECT_FALSE(known.knows({tile, 1, 2}));
        EXPECT_FALSE(known.knows({static_cast<std::uint16_t>(tile + 1), 1, 1}));
        EXPECT_EQ(known.clock_of(tile), nullptr);
    }
}

// Joining takes over what another one knows.
TEST(NocKnowledge, JoiningSaysWhetherAnythingIsNew) {
    const auto with_clock = [](std::uint16_t tile, std::uint32_t accesses) {
        NocKnowledge made;
        VectorClock clock;
        clock.accesses()[1] = accesses;
        set_clock(made, tile, clock);
        return made;
    };
    NocKnowledge known;
    NocKnowledge requests;
    add(requests, {there, 0, 3});
    EXPECT_TRUE(known.join(requests));
    EXPECT_FALSE(known.join(requests));
    EXPECT_FALSE(known.join(NocKnowledge{}));
    EXPECT_TRUE(known.knows({there, 0, 3}));
    EXPECT_TRUE(known.join(with_clock(elsewhere, 5)));
    EXPECT_EQ(known.clock_of(elsewhere)->accesses()[1], 5u);
    EXPECT_FALSE(known.join(with_clock(elsewhere, 4)));
    EXPECT_FALSE(known.join(with_clock(elsewhere, 5)));
    EXPECT_EQ(known.clock_of(elsewhere)->accesses()[1], 5u);
    const NocKnowledge before = known;
    EXPECT_TRUE(known.join(with_clock(elsewhere, 6)));
    EXPECT_EQ(known.clock_of(elsewhere)->accesses()[1], 6u);
    EXPECT_EQ(before.clock_of(elsewhere)->accesses()[1], 5u);
    NocKnowledge two = with_clock(here, 1), first = with_clock(here, 1);
    two.join(with_clock(there, 2));
    EXPECT_TRUE(first.join(two)) << "a second tile's, behind one that is known";
    EXPECT_EQ(first.clock_of(there)->accesses()[1], 2u);

    SharedNocKnowledge shared;
    EXPECT_FALSE(learn(shared, nullptr));
    const SharedNocKnowledge one = knowing({{there, 0, 1}}), other = knowing({{there, 1, 1}});
    EXPECT_TRUE(learn(shared, one));
    EXPECT_EQ(shared, one);
    EXPECT_FALSE(learn(shared, one));
    EXPECT_FALSE(learn(shared, nullptr));
    EXPECT_TRUE(learn(shared, other));
    EXPECT_TRUE(shared->knows({there, 0, 1}) && shared->knows({there, 1, 1}));
    EXPECT_FALSE(one->knows({there, 1, 1}));
    EXPECT_FALSE(learn(shared, other));
}

// Of a tile, both may know something that the other does not.
TEST(NocKnowledge, WhatBothKnowOfATileIsJoined) {
    const auto made = [](unsigned noc, std::uint32_t number, unsigned core) {
        NocKnowledge known;
        add(known, {there, static_cast<std::uint8_t>(noc), number});
        VectorClock clock;
        clock.accesses()[core] = 5;
        set_clock(known, there, clock);
        return known;
    };
    const NocKnowledge one = made(0, 1, 1), other = made(1, 2, 2);
    NocKnowledge both = one;
    EXPECT_TRUE(both.join(other));
    EXPECT_TRUE(both.knows({there, 0, 1}) && both.knows({there, 1, 2}));
    EXPECT_EQ(both.clock_of(there)->accesses()[1], 5u);
    EXPECT_EQ(both.clock_of(there)->accesses()[2], 5u);
    EXPECT_FALSE(both.join(one));
    EXPECT_FALSE(both.join(other));
    EXPECT_FALSE(one.knows({there, 1, 2})) << "what was shared stays as it was";
    EXPECT_EQ(one.clock_of(there)->accesses()[2], 0u);
    // All that one knows is known to the other, but for the clock or the requests.
    NocKnowledge same_requests = one;
    EXPECT_TRUE(same_requests.join(made(0, 1, 2)));
    EXPECT_EQ(same_requests.clock_of(there)->accesses()[1], 5u);
    EXPECT_EQ(same_requests.clock_of(there)->accesses()[2], 5u);
    NocKnowledge same_clock = one;
    EXPECT_TRUE(same_clock.join(made(0, 2, 1)));
    EXPECT_TRUE(same_clock.knows({there, 0, 2}));
}

// A greater number is news.
TEST(NocKnowledge, AClockHasNewsForAnotherIfJoiningItChangesSomething) {
    std::mt19937 random(3);
    const auto numbers = [](VectorClock& clock) {
        std::vector<std::uint32_t*> all;
        for (unsigned i = 0; i < streams; ++i) all.push_back(&clock.done()[i]);
        for (unsigned i = 0; i < state::threads; ++i)
            all.insert(all.end(), {&clock.issued()[i], &clock.short_issued()[i], &clock.expanded()[i]});
        for (unsigned i = 0; i < riscv_cores; ++i) all.push_back(&clock.accesses()[i]);
        return all;
    };
    VectorClock one;
    for (std::uint32_t* number : numbers(one)) *number = 1 + static_cast<std::uint32_t>(random() % 1000);
    EXPECT_EQ(one.news(one), News{});
    const std::size_t count = numbers(one).size();
    for (std::size_t i = 0; i < count; ++i) {
        VectorClock further = one;
        ++*numbers(further)[i];
        EXPECT_EQ(one.news(further), (News{false, true})) << i;
        EXPECT_EQ(further.news(one), (News{true, false})) << i;
        VectorClock joined = one;
        EXPECT_TRUE(joined.join(further)) << i;
        EXPECT_FALSE(joined.join(one)) << i;
        for (std::size_t j = 0; j < count; ++j) {
            VectorClock elsewhere = one;
            ++*numbers(elsewhere)[j];
            EXPECT_EQ(further.news(elsewhere), (News{i != j, i != j})) << i << ' ' << j;
        }
    }
}

TEST(NocKnowledge, AJoinedSetHasWhatEitherHad) {
    std::mt19937 random(9);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    for (unsigned run = 0; run < 300; ++run) {
        RequestSet one, other;
        std::set<std::uint32_t> of_one, of_other;
        const std::uint32_t most = 1 + below(20);
        for (unsigned i = below(8); i; --i) one.add(*of_one.insert(1 + below(most)).first);
        for (unsigned i = below(8); i; --i) other.add(*of_other.insert(1 + below(most)).first);
        const News expected{!std::ranges::includes(of_other, of_one), !std::ranges::includes(of_one, of_other)};
        EXPECT_EQ(one.news(other), expected) << run;
        one.join(other);
        of_one.merge(of_other);
        for (std::uint32_t n = 1; n <= most + 1; ++n) ASSERT_EQ(one.has(n), of_one.contains(n)) << run << ' ' << n;
        EXPECT_TRUE(one.news(one) == News{} && !other.news(one).here) << run;
    }
}

// What is missing for more than 256 numbers counts as there.
TEST(NocKnowledge, A257thMissingNumberIsForgotten) {
    RequestSet set;
    set.add(300);
    EXPECT_TRUE(set.has(43));
    EXPECT_FALSE(set.has(44));
    set.add(600);
    EXPECT_TRUE(set.has(44));
    EXPECT_TRUE(set.has(343));
    EXPECT_FALSE(set.has(344));
    EXPECT_FALSE(set.has(599));
    EXPECT_TRUE(set.has(600));
}

}  // namespace
}  // namespace tessera::hazards

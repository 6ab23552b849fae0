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
    for (const std::uint16_t tile : {there, here, elsewhere, std::uint16_t{0}}) known.add({tile, 1, 1});
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
        made.set_clock(tile, clock);
        return made;
    };
    NocKnowledge known;
    NocKnowledge requests;
    requests.add({there, 0, 3});
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

TEST(NocKnowledge, AJoinedSetHasWhatEitherHad) {
    std::mt19937 random(9);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    for (unsigned run = 0; run < 300; ++run) {
        RequestSet one, other;
        std::set<std::uint32_t> of_one, of_other;
        const std::uint32_t most = 1 + below(20);
        for (unsigned i = below(8); i; --i) one.add(*of_one.insert(1 + below(most)).first);
        for (unsigned i = below(8); i; --i) other.add(*of_other.insert(1 + below(most)).first);
        const bool is_news = !std::ranges::includes(of_one, of_other);
        EXPECT_EQ(one.join(other), is_news) << run;
        of_one.merge(of_other);
        for (std::uint32_t n = 1; n <= most + 1; ++n) ASSERT_EQ(one.has(n), of_one.contains(n)) << run << ' ' << n;
        EXPECT_FALSE(one.join(one)) << run;
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

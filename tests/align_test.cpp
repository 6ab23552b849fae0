// SPDX-License-Identifier: Apache-2.0
// Alignment of sequences: compared with the longest common subsequence by definition; long sequences in bounded time.
#include "diff/align.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

namespace tessera::diff {
namespace {

Key key(std::uint64_t exact, std::uint32_t kind = 0, std::uint32_t family = 0) { return {exact, kind, family}; }

std::size_t longest_common(const std::vector<Key>& a, const std::vector<Key>& b) {
    std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t k = 1; k <= b.size(); ++k)
            best[i][k] = a[i - 1].exact == b[k - 1].exact ? best[i - 1][k - 1] + 1
                                                          : std::max(best[i - 1][k], best[i][k - 1]);
    return best[a.size()][b.size()];
}

/// Both sequences are in it, whole and in their order, and only equal elements are the same. Gives how many are.
std::size_t expect_whole(const std::vector<Key>& a, const std::vector<Key>& b, const std::vector<Step>& steps) {
    std::size_t next_a = 0, next_b = 0, same = 0;
    for (const Step& step : steps) {
        if (step.a) {
            EXPECT_EQ(*step.a, next_a++);
        }
        if (step.b) {
            EXPECT_EQ(*step.b, next_b++);
        }
        EXPECT_TRUE(step.a || step.b);
        if (step.a && step.b) {
            EXPECT_EQ(step.same, a[*step.a].exact == b[*step.b].exact);
            EXPECT_EQ(a[*step.a].family, b[*step.b].family);
        }
        same += step.same;
    }
    EXPECT_EQ(next_a, a.size());
    EXPECT_EQ(next_b, b.size());
    return same;
}

TEST(Align, AsManyAreTheSameAsCanBe) {
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        const unsigned letters = 1 + random() % 6;
        const auto make = [&] {
            std::vector<Key> keys;
            for (unsigned n = random() % 30; n > 0; --n) {
                const std::uint32_t letter = random() % letters;
                keys.push_back(key(letter, letter / 2, letter / 4));
            }
            return keys;
        };
        const auto a = make(), b = make();
        EXPECT_EQ(expect_whole(a, b, align(a, b)), longest_common(a, b));
    }
}

TEST(Align, AChangeIsOneStepAndAnInsertionAnother) {
    const std::vector<Key> a = {key(1, 1), key(2, 2), key(3, 3)}, b = {key(9, 9), key(1, 1), key(22, 2), key(3, 3)};
    const auto steps = align(a, b);
    ASSERT_EQ(steps.size(), 4u);
    EXPECT_FALSE(steps[0].a);
    EXPECT_EQ(steps[0].b, 0u);
    EXPECT_TRUE(steps[1].same);
    EXPECT_EQ(steps[2].a, 1u);
    EXPECT_EQ(steps[2].b, 2u);
    EXPECT_FALSE(steps[2].same);
    EXPECT_TRUE(steps[3].same);
}

TEST(Align, AnotherKindStandsBesideOnlyWhereNothingElseCan) {
    // One for one, of one family: a change. Of two families, or one for two: each alone.
    EXPECT_EQ(align(std::vector{key(1, 1, 5)}, std::vector{key(2, 2, 5)}).size(), 1u);
    EXPECT_EQ(align(std::vector{key(1, 1, 5)}, std::vector{key(2, 2, 6)}).size(), 2u);
    EXPECT_EQ(align(std::vector{key(1, 1, 5)}, std::vector{key(2, 2, 5), key(3, 3, 5)}).size(), 3u);
}

// Edits everywhere, a block moved to the end, nothing in common, and one letter only: no case is quadratic.
TEST(Align, LongSequencesTakeNoTime) {
    constexpr std::size_t length = 200'000;
    std::mt19937 random(11);
    std::vector<Key> a, edited, other, one(length, key(1)), ones(length + length / 2, key(1));
    for (std::size_t i = 0; i < length; ++i) {
        const std::uint32_t letter = random() % 40;
        a.push_back(key(letter, letter));
        if (random() % 10) edited.push_back(a.back());
        if (random() % 10 == 0) edited.push_back(key(1000 + i, letter));
        other.push_back(key(1'000'000 + i, 50 + letter));
    }
    std::vector<Key> moved(a.begin() + length / 3, a.end());
    moved.insert(moved.end(), a.begin(), a.begin() + length / 3);
    for (const auto* b : {&a, &edited, &moved, &other, &one, &ones}) {
        const auto begin = std::chrono::steady_clock::now();
        const auto steps = align(a, *b);
        expect_whole(a, *b, steps);
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    }
    // One inserted element costs nothing around it.
    std::vector<Key> inserted = a;
    inserted.insert(inserted.begin(), key(99));
    EXPECT_EQ(expect_whole(a, inserted, align(a, inserted)), length);
}

}  // namespace
}  // namespace tessera::diff

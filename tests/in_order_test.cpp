// SPDX-License-Identifier: Apache-2.0
#include "util/in_order.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace tessera {
namespace {

class InOrder : public testing::TestWithParam<unsigned> {};

TEST_P(InOrder, TakesEveryPieceOnceInItsOrder) {
    std::vector<std::size_t> taken;
    std::atomic<int> made = 0;
    util::in_order(
        1000, GetParam(),
        [&](std::size_t i) {
            ++made;
            return i * i;
        },
        [&](std::size_t i, std::size_t result) {
            EXPECT_EQ(result, i * i);
            taken.push_back(i);
            return true;
        });
    ASSERT_EQ(taken.size(), 1000u);
    for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i], i);
    EXPECT_EQ(made, 1000);
}

TEST_P(InOrder, StopsWhenNothingMoreIsWanted) {
    std::atomic<std::size_t> made = 0;
    std::size_t taken = 0;
    util::in_order(
        100000, GetParam(),
        [&](std::size_t i) {
            ++made;
            return i;
        },
        [&](std::size_t i, std::size_t) {
            ++taken;
            return i < 4;
        });
    EXPECT_EQ(taken, 5u);
    EXPECT_LT(made, 1000u);
}

TEST_P(InOrder, ThrowsWhatAPieceThrew) {
    std::size_t taken = 0;
    const auto run = [&] {
        util::in_order(
            100, GetParam(),
            [](std::size_t i) {
                if (i == 7) throw std::runtime_error("seven");
                return i;
            },
            [&](std::size_t, std::size_t) {
                ++taken;
                return true;
            });
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_EQ(taken, 7u);
}

TEST_P(InOrder, NothingToDo) {
    util::in_order(
        0, GetParam(),
        [](std::size_t i) {
            ADD_FAILURE() << "made " << i;
            return i;
        },
        [](std::size_t i, std::size_t) {
            ADD_FAILURE() << "taken " << i;
            return true;
        });
}

INSTANTIATE_TEST_SUITE_P(Threads, InOrder, testing::Values(0u, 1u, 2u, 5u));

}  // namespace
}  // namespace tessera

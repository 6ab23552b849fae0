// SPDX-License-Identifier: Apache-2.0
// Mutexes beside other instructions of the sync unit, and the order that each of them gives. SyncUnit, Throughput: up to three ATGETM and
// ATRELM per cycle, if their mutexes differ; of SEMPOST and its like one per cycle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "support/timeline.hpp"

namespace tessera::test {
namespace {

constexpr unsigned count = 20;

class MutexTurns : public testing::TestWithParam<Arch> {
protected:
    static std::string times(unsigned number, const std::string& text) {
        std::string all;
        while (number--) all += text;
        return all;
    }
    static std::string pairs(unsigned mutex) {
        return times(count, fmt::format("ATGETM mutex_index={0}\nATRELM mutex_index={0}\n", mutex));
    }
    static std::uint64_t last_release(const Timeline& timeline, int thread, int since) {
        return timeline.at(thread, "atrelm", count - 1).start - timeline.at(since, "atgetm", 0).start;
    }

    const std::string posts = times(4 * count, "SEMPOST sem_sel=sem1\n");
    const std::array<unsigned, 4> mutexes{0, 2, 3, 4};
};

TEST_P(MutexTurns, AMutexIsFreeHoweverManyThreadsPost) {
    for (const Timing timing : {Timing::documented, Timing::silicon})
        for (const unsigned mutex : mutexes) {
            SCOPED_TRACE(mutex);
            EXPECT_EQ(last_release(run(GetParam(), {pairs(mutex), posts, posts}, {.timing = timing}), 0, 0), 2 * (count - 1) + 1);
            EXPECT_EQ(last_release(run(GetParam(), {posts, posts, pairs(mutex)}, {.timing = timing}), 2, 2), 2 * (count - 1) + 1);
        }
}

// Two threads take a mutex in turn, two instructions each; a third one posts in each of these cycles.
TEST_P(MutexTurns, APostDelaysNobodyWhoWaitsForAMutex) {
    for (const Timing timing : {Timing::documented, Timing::silicon})
        for (const unsigned mutex : mutexes) {
            SCOPED_TRACE(mutex);
            const Timeline timeline = run(GetParam(), {posts, pairs(mutex), pairs(mutex)}, {.timing = timing});
            EXPECT_EQ(last_release(timeline, 2, 1), 4 * count - 1);
        }
}

// Both threads configure and use the same word: a mutex, whichever it is, keeps them apart.
TEST_P(MutexTurns, EachMutexOrdersWhatItHolds) {
    const std::string read = "RDCFG GprAddress=5 CfgReg=1\n";
    const auto told = [&](const std::string& text) { return run(GetParam(), {text, text, ""}).has_finding("config.rdcfg-together"); };
    EXPECT_EQ(told(read), GetParam() == Arch::wormhole);
    for (const unsigned mutex : mutexes)
        EXPECT_FALSE(told(fmt::format("ATGETM mutex_index={0}\n{1}ATRELM mutex_index={0}\n", mutex, read))) << mutex;
}

INSTANTIATE_TEST_SUITE_P(Archs, MutexTurns, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test

// SPDX-License-Identifier: Apache-2.0
// Sync unit by hand from its pages: several semaphores at once, their limits, mutexes and their order of owners.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/stepper.hpp"
#include "support/timeline.hpp"

namespace tessera {
namespace {

using testing::Contains;
using testing::IsEmpty;

class Sync : public testing::TestWithParam<Arch> {
protected:
    unsigned value(unsigned i) const { return step.state[state::cells::semaphore_value(i)]; }
    unsigned max(unsigned i) const { return step.state[state::cells::semaphore_max(i)]; }
    unsigned holder(unsigned i) const { return step.state[state::cells::mutex(i)]; }

    test::Stepper step{GetParam()};
};

TEST_P(Sync, InstructionsNameSeveralSemaphores) {
    step("SEMINIT max_value=7 init_value=3 sem_sel=0xA5");
    for (unsigned i = 0; i < 8; ++i) {
        EXPECT_EQ(value(i), 0xA5 >> i & 1 ? 3u : 0u);
        EXPECT_EQ(max(i), 0xA5 >> i & 1 ? 7u : 0u);
    }
    step("SEMPOST sem_sel=0x81\nSEMGET sem_sel=0x24");
    EXPECT_EQ(value(0), 4u);
    EXPECT_EQ(value(2), 2u);
    EXPECT_EQ(value(5), 2u);
    EXPECT_EQ(value(7), 4u);
    EXPECT_THAT(step.findings, IsEmpty());
}

// Max has no effect on SEMPOST; a value stays between 0 and 15.
TEST_P(Sync, SemaphoresSaturate) {
    step("SEMINIT max_value=1 init_value=15 sem_sel=1\nSEMPOST sem_sel=1");
    EXPECT_EQ(value(0), 15u);
    EXPECT_THAT(step.findings, Contains("sync.post-at-15"));
    step("SEMGET sem_sel=2");
    EXPECT_EQ(value(1), 0u);
    EXPECT_THAT(step.findings, Contains("sync.get-at-0"));
}

// A SEMWAIT of several semaphores and both conditions waits until none of them holds it back.
TEST_P(Sync, AWaitForSeveralSemaphores) {
    const std::string wait =
        "SEMINIT max_value=2 init_value=0 sem_sel=6\nSEMPOST sem_sel=2\n"
        "SEMWAIT stall_res=0x1FF sem_sel=6 wait_sem_cond=3\nDMANOP\n";
    const std::string post = ".repeat 20\nNOP\n.end\nSEMPOST sem_sel=4\n";
    const auto done = test::run(GetParam(), {wait, post, ""});
    ASSERT_FALSE(done.run.fault) << done.run.describe_blocked();
    EXPECT_GT(done.at(0, "dmanop").issue, done.at(1, "sempost").issue);
    // Semaphore 1 at its maximum keeps it waiting.
    EXPECT_TRUE(test::run(GetParam(), {wait, post + "SEMPOST sem_sel=2\n", ""}).run.good());
    const auto stuck = test::run(GetParam(), {"SEMPOST sem_sel=2\n" + wait, "", ""});
    ASSERT_TRUE(stuck.run.fault);
    EXPECT_EQ(stuck.run.fault->code, "deadlock");
}

TEST_P(Sync, EveryMutexThatThereIs) {
    const unsigned mutexes = GetParam() == Arch::blackhole ? 5 : 8;
    for (unsigned i = 0; i < mutexes; ++i) {
        if (i == 1) continue;
        step(fmt::format("ATGETM mutex_index={}", i), 2);
        EXPECT_EQ(holder(i), 3u);
        step(fmt::format("ATRELM mutex_index={}", i), 1);  // not its own
        EXPECT_EQ(holder(i), 3u);
        EXPECT_THAT(step.findings, Contains("sync.mutex-not-held"));
        step(fmt::format("ATRELM mutex_index={}", i), 2);
        EXPECT_EQ(holder(i), 0u);
    }
    for (const unsigned i : {1u, mutexes, 65535u})
        for (const char* name : {"ATGETM", "ATRELM"}) {
            EXPECT_THROW(step(fmt::format("{} mutex_index={}", name, i)), std::runtime_error);
            EXPECT_EQ(step.fault, "sync.mutex-index");
        }
}

// ATRELM: if both other threads wait for the mutex that thread i releases, thread (i + 1) % 3 gets it.
TEST_P(Sync, AReleasedMutexGoesRound) {
    const std::string get = "ATGETM mutex_index=2\n", release = "ATRELM mutex_index=2\n";
    const auto nops = [](int n) { return fmt::format(".repeat {}\nNOP\n.end\n", n); };
    for (int first = 0; first < 3; ++first) {
        test::Texts texts;
        std::string* const of_thread[] = {&texts.unpack, &texts.math, &texts.pack};
        for (int t = 0; t < 3; ++t)
            *of_thread[t] = t == first ? get + nops(30) + release : nops(5) + get + nops(5) + release;
        const auto line = test::run(GetParam(), texts);
        ASSERT_FALSE(line.run.fault) << line.run.describe_blocked();
        const auto taken = [&](int t) { return line.at(t % 3, "atgetm").issue; };
        EXPECT_GT(taken(first + 1), line.at(first, "atrelm").issue);
        EXPECT_LT(taken(first + 1), taken(first + 2)) << "released by T" << first;
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, Sync, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// Runs that end at the limit of cycles or by an interrupt: the cycle of the end, and the list of the blocked.
#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>
#include <thread>

#include "support/blocked_runs.hpp"

namespace tessera {
namespace {

using test::expect_blocked;
using test::Names;
using test::program;
using test::run;
using test::unfinished;

TEST(NoProgress, TheLimitOfCyclesEndsARun) {
    const tessera::Run result = run(".repeat 1000\nNOP\n.end\n.thread math\nNOP\n", {.max_cycles = 100});
    expect_blocked(result, "no-progress");
    EXPECT_EQ(result.cycles, 100u);
    EXPECT_LT(result.instructions[0], 101u);
    EXPECT_EQ(unfinished(result), (Names{"T0 core", "T0 front end"}));
    ASSERT_EQ(result.fault->values.size(), 1u);
    EXPECT_EQ(result.fault->values[0].value, 100u);
    EXPECT_FALSE(run(".repeat 1000\nNOP\n.end\n", {.max_cycles = 10'000}).fault);
}

// Of SFPMAD, which takes two cycles, the end is the last thing to happen: its thread has ended before.
TEST(NoProgress, ARunMayEndInTheLastCycleOfTheLimit) {
    for (const char* text : {".repeat 10\nNOP\n.end\n",
                             ".thread math\nSFPMAD lreg_src_a=9 lreg_src_b=9 lreg_src_c=9 lreg_dest=0\n"}) {
        const std::uint64_t cycles = run(text).cycles;
        EXPECT_FALSE(run(text, {.max_cycles = cycles}).fault) << text;
        const tessera::Run limited = run(text, {.max_cycles = cycles - 1});
        ASSERT_TRUE(limited.fault) << text;
        EXPECT_EQ(limited.fault->code, "no-progress");
    }
}

TEST(NoProgress, IsNoticedInTheCycleInWhichTheRunEnds) {
    const tessera::Run stuck = run(".repeat 30\nNOP\n.end\n.sem_wait 3, nonzero\nNOP\n");
    ASSERT_TRUE(stuck.fault);
    EXPECT_GT(stuck.cycles, 30u);
    EXPECT_EQ(stuck.fault->where.cycle, stuck.cycles);
    const tessera::Run limited = run(".repeat 1000\nNOP\n.end\n", {.max_cycles = 100});
    ASSERT_TRUE(limited.fault);
    EXPECT_EQ(limited.fault->where.cycle, 100u);
}

TEST(Interrupt, EndsALongRunPromptly) {
    const Program kernel = program(".repeat 1000000\nNOP\n.end\n");
    std::atomic<bool> stop{false};
    std::binary_semaphore begun{0}, set{0};
    std::thread other([&] {
        begun.acquire();
        stop = true;
        set.release();
    });
    std::uint64_t events = 0;
    RunOptions options;
    options.stop = &stop;
    options.on_event = [&](const Event&) {
        if (++events != 1000) return;
        begun.release();
        set.acquire();
    };
    const tessera::Run result = run(kernel, options);
    if (events < 1000) begun.release();
    other.join();
    expect_blocked(result, "interrupted");
    EXPECT_GE(events, 1000u);
    EXPECT_LT(events, 2000u);  // of a million
    EXPECT_FALSE(result.blocked[0].finished);
    EXPECT_TRUE(result.blocked[1].finished);
}

// Also while a front end goes on alone, and in the run's own thread.
TEST(Interrupt, IsAskedForNowAndThen) {
    const Program kernel = program(".repeat 100000\nNOP\n.end\n");
    unsigned asked = 0;
    std::thread::id asked_in;
    RunOptions options;
    options.interrupt = [&] {
        asked_in = std::this_thread::get_id();
        return ++asked == 10;
    };
    const tessera::Run result = run(kernel, options);
    expect_blocked(result, "interrupted");
    EXPECT_EQ(asked, 10u);
    EXPECT_EQ(asked_in, std::this_thread::get_id());
    EXPECT_GT(result.instructions[0], 1000u);
    EXPECT_LT(result.instructions[0], 10'000u);
}

}  // namespace
}  // namespace tessera

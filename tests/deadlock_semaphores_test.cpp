// SPDX-License-Identifier: Apache-2.0
// Waits for semaphores and mutexes that never end: who touched them last, and the instruction that would end the wait.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/blocked_runs.hpp"

namespace tessera {
namespace {

using test::blocked;
using test::expect_blocked;
using test::Names;
using test::run;
using test::unfinished;

// The wait is for another semaphore than the one that is posted: both are named, with the wait itself.
TEST(Deadlock, AWaitForTheWrongSemaphore) {
    const auto hang = [](std::string_view pack) {
        const tessera::Run result = run("SEMINIT sem_sel=0xF max_value=2\n.drain\n.sem_post 3\n.thread math\n.sem_wait 3, nonzero\n"
                                        "NOP\nSEMPOST sem_sel=3\n.thread pack\n.sem_wait 3, nonzero\n" + std::string(pack));
        EXPECT_EQ(result.fault ? result.fault->code : "", "deadlock");
        return result;
    };
    const tessera::Run wrong = hang("SEMWAIT stall_res=0x1FF sem_sel=1<<2 wait_sem_cond=1\nSEMGET sem_sel=1<<1\n");
    const Blocked& waits = blocked(wrong, "T2 front end");
    EXPECT_TRUE(waits.waits_for.starts_with("latched wait: semaphore 2 is 0, of SEMWAIT ")) << waits.waits_for;
    EXPECT_TRUE(waits.waits_for.ends_with("(kernel.tts:10)")) << waits.waits_for;
    EXPECT_THAT(
        waits.last_touched,
        testing::MatchesRegex(
            R"(.*\(kernel.tts:1\) \(semaphore 2\); ends with a SEMPOST of it; it was never posted)"
            R"(; semaphore 0, for whose posts no actor waits, was posted by T1 op 2, cycle [0-9]+ \(kernel.tts:7\))"
            R"(; semaphore 1, for whose posts no actor waits, was posted by T1 op 2, cycle [0-9]+ \(kernel.tts:7\))"));

    const tessera::Run by_core = hang(".sem_wait 2, nonzero\n");
    EXPECT_NE(blocked(by_core, "T2 core").last_touched.find("semaphore 1, for whose posts no actor waits"),
              std::string::npos);

    // The waiting thread waited for the others, too; or 2 was posted too seldom; or no other semaphore was posted.
    for (const std::string pack :
         {"SEMWAIT stall_res=0x1FF sem_sel=3 wait_sem_cond=1\nSEMGET sem_sel=3\nSEMWAIT stall_res=0x1FF sem_sel=1<<2 wait_sem_cond=1\nNOP\n",
          "SEMPOST sem_sel=1<<2\nSEMGET sem_sel=1<<2\nSEMWAIT stall_res=0x1FF sem_sel=1<<2 wait_sem_cond=1\nNOP\n"})
        EXPECT_EQ(blocked(hang(pack), "T2 front end").last_touched.find("no actor waits"), std::string::npos) << pack;
}

// Of a wait for several banks or semaphores, only those are named that still hold it.
TEST(Deadlock, ALatchedWaitNamesEachBankAndSemaphoreThatHoldsIt) {
    const auto last = [](const std::string& text) {
        const tessera::Run result = run(text + "NOP\n");
        expect_blocked(result, "deadlock");
        return blocked(result, "T0 front end").last_touched;
    };
    const std::string both_valid = "STALLWAIT stall_res=0x1FF wait_res=srca_vld|srcb_vld\n";
    EXPECT_EQ(last("SETDVALID setvalid=1\n" + both_valid), "nobody yet (SrcB bank 0)");
    EXPECT_EQ(last(both_valid), "nobody yet (SrcA bank 0); and by nobody yet (SrcB bank 0)");

    using testing::MatchesRegex;
    const std::string two = "SEMINIT sem_sel=sem1|sem3 max_value=2 init_value=0\nSEMPOST sem_sel=sem1\n";
    const std::string non_zero = "SEMWAIT stall_res=0x1FF sem_sel=sem1|sem3 wait_sem_cond=1\n";
    EXPECT_THAT(last(two + non_zero),
                MatchesRegex(R"(T0 op 0, cycle [0-9]+ \(kernel.tts:1\) \(semaphore 3\); ends with a SEMPOST of it; it was never posted)"));
    EXPECT_THAT(last("SEMINIT sem_sel=sem1 max_value=2 init_value=2\n"
                     "SEMWAIT stall_res=0x1FF sem_sel=sem1|sem5 wait_sem_cond=2\n"),
                MatchesRegex(R"(T0 op 0, cycle [0-9]+ \(kernel.tts:1\) \(semaphore 1\); ends with a SEMGET of it; )"
                             R"(and by nobody yet \(semaphore 5\); ends with a SEMINIT of it that gives it a maximum)"));
}

// A full semaphore ends a wait for a post, an empty one a wait for room: only the other one is named.
TEST(Deadlock, ASemaphoreThatAllowsTheWaitToEndIsNotNamed) {
    const auto last = [](const char* condition) {
        const std::string init = "SEMINIT sem_sel=sem1 max_value=1 init_value=1\nSEMINIT sem_sel=sem3 max_value=1 init_value=0\n";
        const tessera::Run result = run(init + "SEMWAIT stall_res=0x1FF sem_sel=sem1|sem3 wait_sem_cond=" + condition + "\nNOP\n");
        expect_blocked(result, "deadlock");
        return blocked(result, "T0 front end").last_touched;
    };
    using testing::MatchesRegex;
    EXPECT_THAT(last("1"), MatchesRegex(R"(T0 op 1, cycle [0-9]+ \(kernel.tts:2\) \(semaphore 3\); ends with a SEMPOST of it; )"
                                        R"(it was never posted)"));
    EXPECT_THAT(last("2"), MatchesRegex(R"(T0 op 0, cycle [0-9]+ \(kernel.tts:1\) \(semaphore 1\); ends with a SEMGET of it)"));
}

// What ends the wait depends on what it waits for, and on the semaphore's value.
TEST(Deadlock, AWaitForASemaphoreNamesWhatWouldEndIt) {
    const auto last = [](const std::string& wait, const char* who) {
        const tessera::Run result = run("SEMINIT sem_sel=1<<4 max_value=3 init_value=3\n.drain\n" + wait);
        expect_blocked(result, "deadlock");
        return blocked(result, who).last_touched;
    };
    using testing::MatchesRegex;
    EXPECT_THAT(last(".sem_wait 4, below_max\n", "T0 core"), MatchesRegex(R"(T0 op 0, cycle [0-9]+ \(kernel.tts:1\); ends with a SEMGET of it)"));
    for (const char* conditions : {"2", "3"})
        EXPECT_THAT(last(std::string("SEMWAIT stall_res=0x1FF sem_sel=1<<4 wait_sem_cond=") + conditions + "\nNOP\n", "T0 front end"),
                    MatchesRegex(R"(T0 op 0, cycle [0-9]+ \(kernel.tts:1\) \(semaphore 4\); ends with a SEMGET of it)"));
    EXPECT_THAT(last("SEMWAIT stall_res=0x1FF sem_sel=1<<5 wait_sem_cond=3\nNOP\n", "T0 front end"),
                testing::StartsWith("nobody yet (semaphore 5); ends with a SEMPOST of it; it was never posted"));
}

TEST(Deadlock, ASemaphoreThatNobodyPosts) {
    const tessera::Run result = run("SEMWAIT stall_res=1<<1 sem_sel=1<<4 wait_sem_cond=1\nSEMGET sem_sel=1<<4\nNOP\n");
    expect_blocked(result, "deadlock");
    EXPECT_EQ(unfinished(result), Names{"T0 front end"});
    const Blocked& b = blocked(result, "T0 front end");
    EXPECT_NE(b.waits_for.find("semaphore 4 is 0"), std::string::npos) << b.waits_for;
    EXPECT_NE(b.last_touched.find("nobody"), std::string::npos) << b.last_touched;
    EXPECT_EQ(b.instruction, "SEMGET sem_sel=sem4");
    EXPECT_EQ(b.place, "kernel.tts:2");
    EXPECT_GT(b.since, 0u);
}

TEST(Deadlock, TheLastToTouchASemaphoreIsNamed) {
    const tessera::Run result =
        run("SEMINIT sem_sel=1<<4 max_value=1 init_value=0\nSEMPOST sem_sel=1<<4\n"
            "SEMWAIT stall_res=1<<1 sem_sel=1<<4 wait_sem_cond=2\nSEMPOST sem_sel=1<<4\n");
    expect_blocked(result, "deadlock");
    const Blocked& b = blocked(result, "T0 front end");
    EXPECT_NE(b.waits_for.find("semaphore 4 is at its maximum of 1"), std::string::npos) << b.waits_for;
    EXPECT_TRUE(b.last_touched.starts_with("T0 op 1, cycle ")) << b.last_touched;
}

TEST(Deadlock, WithoutAMaximumOnlySeminitEndsAWaitForRoom) {
    const tessera::Run latched = run("SEMWAIT stall_res=1<<1 sem_sel=1<<2 wait_sem_cond=2\nSEMPOST sem_sel=1<<2\n");
    EXPECT_EQ(blocked(latched, "T0 front end").last_touched, "nobody yet (semaphore 2); ends with a SEMINIT of it that gives it a maximum");
    const tessera::Run polled = run(".sem_wait 2, below_max\nNOP\n");
    EXPECT_EQ(blocked(polled, "T0 core").last_touched, "nobody yet; ends with a SEMINIT of it that gives it a maximum");
}

// It waits for a value between 0 and the maximum.
TEST(Deadlock, NoSemaphoreHasAValueBelowAMaximumOf1) {
    for (const unsigned max : {1u, 2u})
        for (const unsigned value : {0u, max}) {
            const tessera::Run stuck =
                run(fmt::format("SEMINIT sem_sel=1<<2 max_value={} init_value={}\n", max, value) +
                    "SEMWAIT stall_res=1<<1 sem_sel=1<<2 wait_sem_cond=3\nSEMGET sem_sel=1<<2\n");
            const std::string end = max == 1 ? "SEMINIT of it that gives it a maximum above 1"
                                    : value  ? "SEMGET of it"
                                             : "SEMPOST of it";
            EXPECT_THAT(blocked(stuck, "T0 front end").last_touched, testing::HasSubstr("; ends with a " + end))
                << max << value;
        }
}

// SEMPOST at the end of the range, SEMGET at 0, and ATRELM of another thread's mutex.
TEST(Deadlock, WhatChangesNothingIsNoChange) {
    const std::string wait = "SEMWAIT stall_res=1<<1 sem_sel=1<<2 wait_sem_cond=1\nSEMGET sem_sel=1<<2\n";
    EXPECT_THAT(blocked(run("SEMGET sem_sel=1<<2\n" + wait), "T0 front end").last_touched,
                testing::StartsWith("nobody yet "));
    const std::string full = "SEMINIT sem_sel=1<<2 max_value=15 init_value=15\nSEMPOST sem_sel=1<<2\n";
    const tessera::Run above = run(full + "SEMWAIT stall_res=1<<1 sem_sel=1<<2 wait_sem_cond=2\nSEMGET sem_sel=1<<2\n");
    EXPECT_THAT(blocked(above, "T0 front end").last_touched, testing::StartsWith("T0 op 0, "));
    const std::string other = ".thread math\n.repeat 4\nNOP\n.end\nATRELM mutex_index=2\nATGETM mutex_index=2\n";
    EXPECT_THAT(blocked(run("ATGETM mutex_index=2\n" + other), "T1 front end").last_touched,
                testing::StartsWith("T0 op 0, "));
}

// Each of two threads waits for what the other one would do next.
TEST(Deadlock, TheActorThatComesToThePostOrGetIsNamed) {
    const auto held_by = [](const std::string& text, const char* who, Timing timing = Timing::silicon) {
        return blocked(run(text, {.timing = timing}), who).holder;
    };
    const std::string posts =
        "SEMWAIT stall_res=0x1FF sem_sel=1<<1 wait_sem_cond=1\nSEMPOST sem_sel=1<<2\n.thread math\n"
        "SEMWAIT stall_res=0x1FF sem_sel=1<<2 wait_sem_cond=1\nNOP\nSEMPOST sem_sel=1<<1\n";
    for (const Timing timing : {Timing::silicon, Timing::instant, Timing::functional}) {
        EXPECT_EQ(held_by(posts, "T0 front end", timing), "T1 front end, before SEMPOST at T1 op 2 (kernel.tts:6)")
            << name(timing);
        EXPECT_EQ(held_by(posts, "T1 front end", timing), "T0 front end, before SEMPOST at T0 op 1 (kernel.tts:2)")
            << name(timing);
    }
    const std::string by_cores =
        ".sem_wait 1, nonzero\n.sem_post 2\n.thread math\n.sem_wait 2, nonzero\nSEMPOST sem_sel=1<<1\n";
    for (const Timing timing : {Timing::silicon, Timing::functional}) {
        EXPECT_EQ(held_by(by_cores, "T0 core", timing), "T1 core, before SEMPOST at T1 op 1 (kernel.tts:5)")
            << name(timing);
        EXPECT_EQ(held_by(by_cores, "T1 core", timing), "T0 core, before .sem_post at T0 op 1 (kernel.tts:2)")
            << name(timing);
    }
    const std::string full =
        "SEMINIT sem_sel=1<<1 max_value=1 init_value=1\nSEMWAIT stall_res=0x1FF sem_sel=1<<1 wait_sem_cond=2\nNOP\n"
        ".thread pack\nSEMWAIT stall_res=0x1FF sem_sel=1<<2 wait_sem_cond=1\nSEMGET sem_sel=3\n";
    EXPECT_EQ(held_by(full, "T0 front end"), "T2 front end, before SEMGET at T2 op 1 (kernel.tts:6)");
    EXPECT_EQ(held_by(full, "T2 front end"), "");
}

// A thread's own post comes too late. Another thread's is behind it.
TEST(Deadlock, AThreadThatWaitsForItsOwnPostIsNamed) {
    const std::string own = "SEMWAIT stall_res=0x1FF sem_sel=1<<1 wait_sem_cond=1\nNOP\nSEMPOST sem_sel=1<<1\n";
    EXPECT_EQ(blocked(run(own), "T0 front end").holder, "T0 front end, before SEMPOST at T0 op 2 (kernel.tts:3)");
    const tessera::Run taken =
        run("SEMPOST sem_sel=1<<1\nSEMGET sem_sel=1<<1\nSEMWAIT stall_res=0x1FF sem_sel=1<<1 wait_sem_cond=1\nNOP\n");
    EXPECT_EQ(blocked(taken, "T0 front end").holder, "") << "no post is left";
}

TEST(Deadlock, APostThatSeminitUndoesIsTold) {
    const std::string end = "SEMWAIT stall_res=1<<1 sem_sel=1<<2 wait_sem_cond=1\nSEMGET sem_sel=1<<2\n";
    const tessera::Run undone = run("SEMPOST sem_sel=1<<2\nSEMINIT sem_sel=1<<2 max_value=1 init_value=0\n" + end);
    const std::string& text = blocked(undone, "T0 front end").last_touched;
    EXPECT_NE(text.find("; its last post came before that SEMINIT, by T0 op 0, cycle "), std::string::npos) << text;
    const tessera::Run taken = run("SEMPOST sem_sel=1<<2\n" + end + end);
    EXPECT_EQ(blocked(taken, "T0 front end").last_touched.find("SEMINIT"), std::string::npos);
}

TEST(Deadlock, AMutexWhoseHolderHasEnded) {
    const tessera::Run result =
        run("ATGETM mutex_index=2\nSEMPOST sem_sel=1\n.thread math\n"
            "SEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1\nATGETM mutex_index=2\nATRELM mutex_index=2\n");
    expect_blocked(result, "deadlock");
    EXPECT_EQ(unfinished(result), Names{"T1 front end"});
    const Blocked& b = blocked(result, "T1 front end");
    EXPECT_EQ(b.waits_for, "mutex 2");
    EXPECT_EQ(b.holder, "T0");
    EXPECT_TRUE(b.last_touched.starts_with("T0 op 0, cycle ")) << b.last_touched;
    EXPECT_EQ(b.instruction, "ATGETM mutex_index=2");
    EXPECT_EQ(b.place, "kernel.tts:5");
}

// The front end has waited before, for instructions or a latched wait. These waits are over.
TEST(Deadlock, AMutexThatDoesNotExist) {
    for (const std::string before : {"", "STALLWAIT stall_res=sync wait_res=math\n"})
        for (const std::string instruction : {"ATGETM", "ATRELM"})
            for (const Timing timing : {Timing::silicon, Timing::instant, Timing::functional}) {
                SCOPED_TRACE(before + instruction + " " + std::string(name(timing)));
                const tessera::Run result = run(before + instruction + " mutex_index=9\n", {.timing = timing});
                expect_blocked(result, "sync.mutex-index");
                const Blocked& b = blocked(result, "T0 front end");
                EXPECT_EQ(b.waits_for, "mutex 9 (which does not exist)");
                EXPECT_EQ(b.since, result.fault->where.cycle);
                EXPECT_EQ(b.holder, "");
                EXPECT_EQ(b.last_touched, "");
                EXPECT_EQ(b.instruction, instruction + " mutex_index=9");
                EXPECT_EQ(b.place, before.empty() ? "kernel.tts:1" : "kernel.tts:2");
            }
}

TEST(Deadlock, AReleasedMutexIsNone) {
    const tessera::Run result =
        run("ATGETM mutex_index=2\nSEMPOST sem_sel=1\nATRELM mutex_index=2\n.thread math\n"
            "SEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1\nATGETM mutex_index=2\nATRELM mutex_index=2\n");
    EXPECT_FALSE(result.fault);
    EXPECT_TRUE(result.blocked.empty());
}

}  // namespace
}  // namespace tessera

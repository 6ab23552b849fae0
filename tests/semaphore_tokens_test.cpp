// SPDX-License-Identifier: Apache-2.0
// What a SEMWAIT proves: the oldest post that nobody has taken, or the oldest free place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>

#include "hazards/semaphore_tokens.hpp"
#include "support/timeline.hpp"

namespace tessera::hazards {
namespace {

using plan::CellOp;

VectorClock clock_of(std::uint32_t number) {
    VectorClock clock;
    clock.issued()[0] = number;
    return clock;
}
std::uint32_t number_of(const VectorClock* clock) { return clock ? clock->issued()[0] : 0; }

// Each change knows its own number and, in a cumulative clock, those before it of its kind.
TEST(SemaphoreTokens, HeldAgainstAQueueOfPostsAndOneOfPlaces) {
    std::mt19937 random(11);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    unsigned told = 0;
    for (unsigned run = 0; run < 200; ++run) {
        SemaphoreTokens tokens;
        std::deque<std::uint32_t> posts, places;
        std::uint32_t value = 0, max = 0;
        for (std::uint32_t number = 1; number < 60; ++number) {
            const std::uint32_t kind = number == 1 ? 0 : 1 + below(20);
            if (kind <= 1) {
                max = 1 + below(15);
                value = below(max + 1);
                posts.assign(value, number);
                places.assign(max - value, number);
                tokens.changed({CellOp::set, value, max}, clock_of(number));
            } else if (kind % 2) {
                if (value < 15) {
                    ++value;
                    posts.push_back(number);
                    if (!places.empty()) places.pop_front();
                }
                tokens.changed({CellOp::post, value, max}, clock_of(number));
            } else {
                if (value > 0) {
                    --value;
                    posts.pop_front();
                    if (value < max) places.push_back(number);
                }
                tokens.changed({CellOp::get, value, max}, clock_of(number));
            }
            EXPECT_EQ(number_of(tokens.post({true, false, value, max})), posts.empty() ? 0 : posts.front());
            EXPECT_EQ(number_of(tokens.place({false, true, value, max})), places.empty() ? 0 : places.front());
            EXPECT_EQ(tokens.post({false, true, value, max}), nullptr);
            EXPECT_EQ(tokens.place({true, false, value, max}), nullptr);
            EXPECT_EQ(tokens.post({true, false, value + 1, max}), nullptr) << "somebody else has changed it";
            told += !posts.empty() + !places.empty();
        }
    }
    EXPECT_GT(told, 10000u);
}

}  // namespace
}  // namespace tessera::hazards

namespace tessera::test {
namespace {

class SemaphoreCounts : public testing::TestWithParam<Arch> {
protected:
    Arch arch = GetParam();
    const char* const place = arch == Arch::blackhole ? "where" : "dst";  // of ZEROACC
    bool has_hazard(const std::string& math, const std::string& pack) const {
        const Timeline ended = run(arch, {"", math, pack});
        EXPECT_FALSE(ended.run.fault) << ended.run.fault->describe();
        return ended.has_finding("hazard.dst");
    }
};

constexpr const char* taken = "SEMWAIT stall_res=0x1FF sem_sel=1<<3 wait_sem_cond=1\n";

// T1 stores two tiles by the vector unit and posts each. T2 clears both, after one wait or two, soon or late.
TEST_P(SemaphoreCounts, EachTileNeedsAWaitOfItsOwn) {
    std::string math = "SEMINIT sem_sel=1<<3 max_value=15\nSEMPOST sem_sel=1<<4\n";
    for (const unsigned row : {0u, 64u})
        math += fmt::format(
            "SFPSTORE lreg_ind=0 dest_reg_addr={}\nSTALLWAIT block=sync wait=sfpu\nSEMPOST sem_sel=1<<3\n", row);
    const auto clears = [&](unsigned row) {
        return fmt::format("ZEROACC clear_mode=0 {}={}\nSEMGET sem_sel=1<<3\n", place, row);
    };
    for (const unsigned late : {1u, 10u, 200u}) {
        const std::string begins =
            "SEMWAIT stall_res=0x1FF sem_sel=1<<4 wait_sem_cond=1\n" + fmt::format(".repeat {}\nNOP\n.end\n", late);
        EXPECT_FALSE(has_hazard(math, begins + taken + clears(0) + taken + clears(64))) << late;
        EXPECT_FALSE(has_hazard(math, begins + taken + clears(0) + taken + clears(0))) << late;
        EXPECT_TRUE(has_hazard(math, begins + taken + clears(0) + clears(64))) << late;
    }
}

// There are two places for three tiles. T2 is fast, so that each place is free in time.
TEST_P(SemaphoreCounts, AMaximumAboveTheNumberOfPlacesIsTooLarge) {
    const auto told = [&](unsigned max) {
        std::string math = fmt::format("SEMINIT sem_sel=1<<3 max_value={}\nSEMPOST sem_sel=1<<4\n", max), pack;
        pack = "SEMWAIT stall_res=0x1FF sem_sel=1<<4 wait_sem_cond=1\n";
        for (const unsigned row : {0u, 64u, 0u}) {
            math += fmt::format(
                "SEMWAIT stall_res=0x1FF sem_sel=1<<3 wait_sem_cond=2\nSFPSTORE lreg_ind=0 dest_reg_addr={}\n"
                "STALLWAIT block=sync wait=sfpu\nSEMPOST sem_sel=1<<3\n.repeat 40\nNOP\n.end\n",
                row);
            pack +=
                taken + fmt::format("ZEROACC clear_mode=0 {}={}\nSTALLWAIT block=sync wait=math\nSEMGET sem_sel=1<<3\n",
                                    place, row);
        }
        return has_hazard(math, pack);
    };
    EXPECT_FALSE(told(1));
    EXPECT_FALSE(told(2));
    EXPECT_TRUE(told(3));
}

// T2's core stores a word of configuration behind the push of a SEMPOST, and the post comes later by luck.
TEST_P(SemaphoreCounts, APostTellsNothingOfStoresBehindIt) {
    const auto told = [&](bool behind) {
        const std::string store = ".cfg 75 = 2062\n", post = wait_for_stores(arch) + "SEMPOST sem_sel=sem0\n";
        const std::string gives = ".cfg 74 = 1\n" + (behind ? post + store : store + post);
        return run(arch, {"", ".sem_wait 0, nonzero\n.cfg 75 = 11049\n", gives}).has_finding("hazard.config-write");
    };
    EXPECT_TRUE(told(true));
    EXPECT_FALSE(told(false));
}

INSTANTIATE_TEST_SUITE_P(Archs, SemaphoreCounts, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test

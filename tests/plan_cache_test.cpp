// SPDX-License-Identifier: Apache-2.0
// The plan cache and programs that it has no room for.
#include <gtest/gtest.h>

#include <string>

#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera {
namespace {

constexpr unsigned room = 4096;  // plans

// So many words, all different.
Program different_words(unsigned count, unsigned first = 0) {
    std::string text;
    for (unsigned i = first; i < first + count; ++i)
        text += "SETDMAREG Payload_SigSel=" + std::to_string(i % 8192) + " RegIndex16b=" + std::to_string(16 + i / 8192) + "\n";
    auto program = assemble(text, Arch::blackhole);
    EXPECT_TRUE(program) << program.error().describe();
    return program ? *program : Program{};
}

class APlanCache : public testing::TestWithParam<Timing> {
protected:
    /// Plans that the run makes, beside those that it finds.
    std::uint64_t made(const Program& program) {
        RunOptions options;
        options.recorded = false;
        options.timing = GetParam();
        const PlanCounts before = core_.plan_counts();
        const auto run = core_.run(program, options);
        EXPECT_TRUE(run && run->good());
        const PlanCounts after = core_.plan_counts();
        EXPECT_EQ(after.found + after.made - before.found - before.made, program.threads[0].size());
        return after.made - before.made;
    }
    /// Runs until one of them finds all plans; at most so many.
    unsigned runs_until_known(const Program& program, unsigned most) {
        for (unsigned run = 1; run <= most; ++run)
            if (made(program) == 0) return run;
        ADD_FAILURE() << "still made after " << most << " runs";
        return most;
    }

    /// How often a word is met before its plan is kept.
    static unsigned meetings() { return GetParam() == Timing::functional ? 2 : 1; }

    Core core_{Arch::blackhole};
};

TEST_P(APlanCache, KeepsOnlyWordsThatComeAgain) {
    EXPECT_EQ(runs_until_known(different_words(500), 10), meetings() + 2) << "one run keeps them, the next finds them";
}

TEST_P(APlanCache, KeepsWhatItHasOfAProgramThatIsTooLarge) {
    const unsigned count = room + room / 2;
    const Program program = different_words(count);
    EXPECT_EQ(made(program), count) << "met for the first time";
    for (unsigned met = 1; met < meetings(); ++met) EXPECT_GE(made(program), count * 8 / 10) << "not often enough";
    EXPECT_GE(made(program), count * 8 / 10) << "now it is kept";
    for (unsigned run = 0; run < 5; ++run) EXPECT_LE(made(program), room / 2 + room / 8) << run;
}

// Most of the time it is in vain to look for plans of such a program.
TEST_P(APlanCache, MakesRoomForAnotherProgram) {
    const Program large = different_words(4 * room), other = different_words(500, 4 * room);
    for (unsigned run = 0; run < 3; ++run) made(large);
    runs_until_known(other, 40);
}

// A program that finds most of its words goes on making others for some time only.
TEST_P(APlanCache, MakesRoomForTheRestOfAProgram) {
    const Program large = different_words(room);
    for (unsigned run = 0; run < 3; ++run) made(large);
    Program mixed = different_words(1000);
    const Program rest = different_words(600, room + 1000);
    mixed.threads[0].insert(mixed.threads[0].end(), rest.threads[0].begin(), rest.threads[0].end());
    EXPECT_GT(runs_until_known(mixed, 100), 4 * room / 600) << "not at once";
}

INSTANTIATE_TEST_SUITE_P(Timings, APlanCache, testing::Values(Timing::documented, Timing::functional), [](const auto& timing) {
    return timing.param == Timing::functional ? "functional" : "documented";
});

}  // namespace
}  // namespace tessera

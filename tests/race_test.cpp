// SPDX-License-Identifier: Apache-2.0
// find_races() and `tessera race`: schedules with different ends, the first difference, and the unordered accesses.
#include "tessera/race.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/run_cli.hpp"
#include "tessera/chip_diff.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string folder = TESSERA_SOURCE_DIR "/examples/mistakes/";

RaceReport races(const std::string& job, const RaceOptions& options = {}) {
    return find_races(load_job(folder + job).value(), options).value();
}

TEST(Race, SchedulesThatEndDifferentlyAreTold) {
    const RaceReport report = races("unpacked_not_awaited/wrong.toml");
    EXPECT_EQ(report.schedules, 21u);
    ASSERT_EQ(report.outcomes.size(), 2u);
    EXPECT_TRUE(report.outcomes[0].without_delays);
    EXPECT_FALSE(report.outcomes[0].state);
    EXPECT_FALSE(report.outcomes[1].without_delays);
    std::size_t schedules = 1;
    for (const auto& outcome : report.outcomes) schedules += outcome.seeds.size();
    EXPECT_EQ(schedules, report.schedules);

    // The difference is the value loaded by SFPLOAD.
    ASSERT_TRUE(report.outcomes[1].state);
    EXPECT_THAT(report.outcomes[1].state->name, HasSubstr("lregs"));
    ASSERT_TRUE(report.outcomes[1].instruction && report.outcomes[1].instruction->a);
    EXPECT_THAT(report.outcomes[1].instruction->a->text, HasSubstr("SFPLOAD"));
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].code, "hazard.dst");
    EXPECT_THAT(report.findings[0].message, HasSubstr("threads.tts:15"));
    EXPECT_THAT(report.findings[0].cure, HasSubstr("STALLWAIT block=sync wait=unpack0"));
    EXPECT_THAT(report.describe(), HasSubstr("2 outcomes"));
}

// The distances of the store differ from schedule to schedule; the pair of places does not.
TEST(Race, APairOfPlacesIsOneFinding) {
    const RaceReport report = races("stores_not_awaited/wrong.toml", {.runs = 20});
    ASSERT_EQ(report.findings.size(), 1u) << report.describe();
    EXPECT_EQ(report.findings[0].code, "hazard.config-store");
    const Job job = load_job(folder + "stores_not_awaited/wrong.toml").value();
    std::uint64_t count = 0;
    for (std::uint64_t seed = 0; seed <= 20; ++seed) {
        RunOptions options = job.options;
        if (seed) options.seed = seed;
        Core core = prepare(job).value();
        const tessera::Run run = run_job(job, core, options).value();
        for (const Finding& finding : run.findings)
            if (finding.code == report.findings[0].code) count += finding.count;
    }
    EXPECT_EQ(report.findings[0].count, count);
}

// The packer came second in this run, and should come first: UNPACR read what nobody had written.
TEST(Race, TheCureHasBothOrders) {
    const RaceReport report = races("packed_not_awaited/wrong.toml", {.runs = 1, .seed = 1});
    ASSERT_FALSE(report.findings.empty());
    EXPECT_THAT(report.findings[0].cure,
                testing::StartsWith("that instruction read what nobody had written: in T2 put "));
    EXPECT_THAT(report.findings[0].cure,
                HasSubstr("in T2 put STALLWAIT block=sync wait=pack0 and SEMPOST after this instruction; in T0 put "
                          "SEMWAIT block=unpack on that "
                          "semaphore before that instruction. If the other order is meant: in T0 put "));
    EXPECT_THAT(report.findings[0].cure,
                testing::EndsWith("in T2 put SEMWAIT block=pack on that semaphore before this instruction"));
}

TEST(Race, TheSameSeedsGiveTheSameReport) {
    const auto text = [] { return races("stored_after_push/wrong.toml").describe(); };
    EXPECT_EQ(text(), text());
    const RaceReport one = races("stored_after_push/wrong.toml", {.runs = 1, .seed = 1});
    EXPECT_EQ(one.schedules, 2u);
}

TEST(Race, TooManySchedulesAreRefused) {
    const auto refused = [](const auto& job) {
        const auto report = find_races(job, {.runs = RaceOptions::most_runs + 1});
        return report ? "" : report.error().code;
    };
    EXPECT_EQ(refused(Job{}), "race.runs");
    EXPECT_EQ(refused(ChipJob{}), "race.runs");
}

TEST(Race, OutcomesBeyondTheMostAreCounted) {
    const RaceReport report = races("unpacked_not_awaited/wrong.toml", {.runs = 20, .seed = 1, .most = 1});
    EXPECT_EQ(report.outcomes.size(), 1u);
    EXPECT_EQ(report.outcomes[0].seeds.size() + 1 + report.others, report.schedules);
    EXPECT_GT(report.others, 0u);
    EXPECT_FALSE(report.same());
}

TEST(Race, TheFirstOutcomeIsAlwaysDescribed) {
    const RaceReport report = races("unpacked_not_awaited/right.toml", {.runs = 2, .most = 0});
    EXPECT_EQ(report.outcomes.size(), 1u);
    EXPECT_TRUE(report.same());
}

TEST(Race, WhatIsRightEndsTheSame) {
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (!entry.is_directory()) continue;
        const std::string name = entry.path().filename().string();
        const RaceReport report = races(name + "/right.toml", {.runs = 10});
        EXPECT_TRUE(report.same()) << name << ": " << report.describe();
        EXPECT_TRUE(report.findings.empty()) << name << ": " << report.describe();
    }
}

TEST(Race, TheCommandSaysSoByItsExitStatus) {
    const auto wrong = test::run_cli({"race", folder + "unpacked_not_awaited/wrong.toml", "--runs", "20"});
    EXPECT_EQ(wrong.status, 1);
    EXPECT_THAT(wrong.out, HasSubstr("21 schedules, 2 outcomes"));
    const auto right = test::run_cli({"race", folder + "unpacked_not_awaited/right.toml", "--runs", "3"});
    EXPECT_EQ(right.status, 0);
    EXPECT_THAT(right.out, HasSubstr("4 schedules, 1 outcome: same state in all\n"));
    EXPECT_EQ(test::run_cli({"race", folder + "unpacked_not_awaited/right.toml", "--runs", "0"}).status, 2);
}

}  // namespace
}  // namespace tessera

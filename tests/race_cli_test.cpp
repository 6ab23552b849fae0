// SPDX-License-Identifier: Apache-2.0
// tessera race: what it refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "race/hazard_key.hpp"
#include "support/kernel_file.hpp"
#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

constexpr const char* runs = TESSERA_SOURCE_DIR "/examples/deadlock/runs/job.toml";

TEST(RaceCli, ThreadsOfTheHostAreBounded) {
    for (const char* threads : {"1025", "-1", "4294967295"})
        test::expect_refused(test::run_cli({"race", runs, "-j", threads}), {threads, "is not between 0 and 1024", "[cli.usage]"});
    EXPECT_EQ(test::run_cli({"race", runs, "--runs", "2", "-j", "1024"}).status, 0);
}

TEST(RaceCli, AComputerThatStartsFewThreadsDoesTheSame) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers take more addresses than the limit has";
#endif
    // Threads have stacks of 1 GB, and the process 3 GB.
    const std::string command =
        fmt::format("ulimit -s 1000000; ulimit -v 3000000; exec {} race {} --runs 8 -j 8 > /dev/null", TESSERA_CLI, runs);
    EXPECT_EQ(std::system(command.c_str()), 0);
}

// As a finding at level error does, which stops the run.
TEST(RaceCli, AnOutcomeNamesWhatEndsIt) {
    constexpr const char* wrong = TESSERA_SOURCE_DIR "/examples/mistakes/vector_too_early/wrong.toml";
    const auto stopped = test::run_cli({"race", wrong, "--runs", "3", "--finding", "hazard.dst=error"});
    EXPECT_EQ(stopped.status, 1);
    EXPECT_TRUE(stopped.out.starts_with("4 schedules, 1 outcome: same ")) << stopped.out;
    EXPECT_NE(stopped.out.find(" in all, each ends with hazard.dst\n"), std::string::npos) << stopped.out;
    const auto well = test::run_cli({"race", wrong, "--runs", "3"});
    EXPECT_EQ(well.out.find("ends with"), std::string::npos) << well.out;
}

// Its exit status counts the findings that the page lists.
TEST(RaceCli, ThePageListsFindingsAboutOrder) {
    const std::string page = test::contents(TESSERA_SOURCE_DIR "/docs/races.md");
    const std::size_t first = page.find("## What is looked at"), end = page.find("## What orders");
    ASSERT_TRUE(first < end && end != page.npos);
    const std::string table = page.substr(first, end - first);
    const std::regex code("`([a-z]+\\.[a-z0-9-]+)`");
    unsigned codes = 0;
    for (std::sregex_iterator one(table.begin(), table.end(), code), none; one != none; ++one, ++codes) {
        Finding finding;
        finding.code = (*one)[1];
        finding.level = Level::warning;
        EXPECT_TRUE(race::is_about_order(finding)) << finding.code;
    }
    EXPECT_GT(codes, 20u);
}

// Nobody has given a seed.
TEST(RaceCli, ATimingWithoutClockHasNoSchedules) {
    const test::TemporaryDirectory directory;
    constexpr std::uint32_t halt = 0x0000006F;
    directory.write("brisc.elf", test::KernelFile{.segments = {{0x6000, test::words({halt})}}}.bytes());
    const std::string grid = directory.write("grid.toml", "arch = \"blackhole\"\nchip.grid = [2, 1]\n"
                                                          "[[tile]]\ncolumns = 0\nrows = 0\ncores.brisc = \"brisc.elf\"\n");
    for (const std::string& job : {std::string(runs), grid}) {
        const auto outcome = test::run_cli({"race", job, "--timing", "functional"});
        test::expect_refused(outcome, {job, "no schedules to compare", "[run.functional]"});
        EXPECT_EQ(outcome.err.find("seed"), std::string::npos);
    }
}

}  // namespace
}  // namespace tessera

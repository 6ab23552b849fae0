// SPDX-License-Identifier: Apache-2.0
// tessera reduce under limits of time and memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using testing::HasSubstr;

// The job's own run ends before it looks at the limits; each smaller one looks before it begins.
TEST(ReduceCli, ALimitEndsWithTheBestSoFar) {
    const test::TemporaryDirectory directory;
    const std::string hangs = TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml", small = directory / "small.toml";
    for (const auto& [option, value] : {std::pair{"--timeout", "0.0001"}, std::pair{"--max-memory", "1"}}) {
        const auto outcome = test::run_cli({"reduce", hangs, option, value, "-o", small});
        EXPECT_EQ(outcome.status, 1);
        EXPECT_THAT(outcome.err, HasSubstr(option));
        EXPECT_THAT(outcome.err, HasSubstr("this is the best so far"));
        EXPECT_THAT(outcome.out, HasSubstr("after 0 runs; more could perhaps be left out"));
        EXPECT_THAT(test::run_cli({"run", small}).out, HasSubstr("fault deadlock"));
    }
    // The user has chosen the number of runs.
    const auto limited = test::run_cli({"reduce", hangs, "--limit", "1", "-o", small});
    EXPECT_EQ(limited.status, 0);
    EXPECT_EQ(limited.err, "");
}

// Its limit of cycles is one of instructions.
TEST(ReduceCli, AJobWithoutAClockIsReducedToOneThatFailsInTheSameWay) {
    const test::TemporaryDirectory directory;
    const std::string job = directory.write("job.toml", R"(arch = "blackhole"
timing = "functional"
[threads]
math = [".repeat 12000", "NOP", ".end", "SEMWAIT stall_res=math sem_sel=sem2 wait_sem_cond=zero", "MOVA2D"]
)");
    const std::string small = directory / "small.toml";
    EXPECT_EQ(test::run_cli({"reduce", job, "--limit", "20", "-o", small}).status, 0);
    EXPECT_THAT(test::run_cli({"run", small}).out, HasSubstr("fault deadlock"));
}

TEST(ReduceCli, AnOrderingThatWasDisregardedIsNamed) {
    const test::TemporaryDirectory directory;
    const std::string job = TESSERA_SOURCE_DIR "/examples/mistakes/packed_not_awaited/right.toml",
                      small = directory / "small.toml";
    test::run_cli({"reduce", job, "--disregard", "store-wait", "--keep", "hazard.config-store", "-o", small});
    std::ifstream file(small);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_THAT(text, HasSubstr("# Run it with --disregard store-wait.\n"));
}

TEST(ReduceCli, AJobThatCannotBeWrittenIsShownAsAsked) {
    const test::TemporaryDirectory directory;
    const std::string full = directory / "full.toml";
    std::filesystem::create_symlink("/dev/full", full);
    const auto outcome =
        test::run_cli({"reduce", TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml", "--json", "-o", full});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.out, testing::StartsWith("{"));
}

}  // namespace
}  // namespace tessera

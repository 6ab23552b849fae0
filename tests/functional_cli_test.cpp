// SPDX-License-Identifier: Apache-2.0
// --timing functional on the command line: its report, and rejection of options that need a clock.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_cli.hpp"

namespace tessera::test {
namespace {

const std::string seeds = std::string(TESSERA_SOURCE_DIR) + "/examples/seeds/11.2-tile-loop.toml";

TEST(FunctionalCli, ReportsNoCycles) {
    const CliOutcome reported = run_cli({"run", seeds, "--timing", "functional"});
    EXPECT_EQ(reported.status, 0) << reported.err;
    EXPECT_NE(reported.out.find("cycles        none (functional)\ninstructions  T0 "), std::string::npos)
        << reported.out;
    EXPECT_EQ(reported.out.find("overlap"), std::string::npos) << reported.out;

    const auto json = nlohmann::json::parse(run_cli({"run", seeds, "--timing", "functional", "--json"}).out);
    EXPECT_EQ(json.at("timing"), "functional");
    EXPECT_TRUE(json.at("cycles").is_null());
    EXPECT_TRUE(json.at("overlapped").is_null());
    EXPECT_GT(json.at("instructions").at(0), 0);
}

TEST(FunctionalCli, ADeadlockHasNoCycles) {
    const std::string hangs = std::string(TESSERA_SOURCE_DIR) + "/examples/deadlock/hangs/job.toml";
    const auto json = nlohmann::json::parse(run_cli({"run", hangs, "--timing", "functional", "--json"}).out);
    EXPECT_EQ(json.at("fault").at("code"), "deadlock");
    EXPECT_TRUE(json.at("fault").at("cycle").is_null());
    ASSERT_FALSE(json.at("blocked").empty());
    for (const auto& one : json.at("blocked")) EXPECT_TRUE(one.at("since").is_null() || one.at("finished")) << one;
}

TEST(FunctionalCli, WhatNeedsAClockIsRefused) {
    using Arguments = std::vector<std::string>;
    for (const Arguments& command :
         {Arguments{"trace", seeds, "--report"}, Arguments{"run", seeds, "--seed", "3"},
          Arguments{"run", seeds, "--window", "MVMUL"}, Arguments{"run", seeds, "--disregard", "bank"},
          Arguments{"explain", seeds}, Arguments{"race", seeds}}) {
        Arguments all = command;
        all.insert(all.end(), {"--timing", "functional"});
        const CliOutcome refused = run_cli(all);
        EXPECT_EQ(refused.status, 2) << command[0];
        EXPECT_EQ(refused.out, "") << command[0];
        EXPECT_NE(refused.err.find("[run.functional]"), std::string::npos) << command[0] << ": " << refused.err;
    }
    expect_refused(run_cli({"run", seeds, "--reference", "--timing", "functional"}), {"--reference", "[cli.timing]"});
    expect_refused(run_cli({"check", seeds, "--timing", "fast"}), {"'fast'", "functional", "[cli.timing]"});
}

}  // namespace
}  // namespace tessera::test

// SPDX-License-Identifier: Apache-2.0
// Transfers over the NoC and with DRAM against published measurements (docs/silicon-transfers.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "support/run_cli.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;

Json rows(const std::string& filter, const char* timing = "silicon") {
    return Json::parse(test::run_cli({"bench", "--silicon", "--json", "--timing", timing, "--filter", filter}).out)
        .at("rows");
}

double deviation(const Json& row) { return std::abs(row.at("deviation").get<double>()); }

double median_deviation(const Json& all, bool held_out) {
    std::vector<double> deviations;
    for (const Json& row : all)
        if (row.at("held_out") == held_out) deviations.push_back(deviation(row));
    std::sort(deviations.begin(), deviations.end());
    return deviations.empty() ? 1 : deviations[deviations.size() / 2];
}

// docs/silicon-transfers.md says why of each of these.
const std::set<std::string> wrong = {"N5", "N7", "N28", "N30", "N43", "D4", "D5", "D7", "D8"};

TEST(SiliconTransfers, AreCloseToThoseOfChips) {
    const Json all = rows("^[ND][0-9]");
    ASSERT_GT(all.size(), 180u);
    EXPECT_LT(median_deviation(all, false), 0.02);
    EXPECT_LT(median_deviation(all, true), 0.02);
    for (const Json& row : all) {
        EXPECT_EQ(row.at("error"), "") << row;
        if (wrong.contains(row.at("row"))) continue;
        EXPECT_LE(deviation(row), 0.1) << row;
    }
}

TEST(SiliconTransfers, WritersThatShareALinkHaveHalfOfItEach) {
    for (const Json& row : rows("^N3[01] .*one link in common, (2|8|16) KiB")) EXPECT_LE(deviation(row), 0.02) << row;
    for (const Json& row : rows("^N33 ")) EXPECT_LE(deviation(row), 0.02) << row;
}

TEST(SiliconTransfers, AChannelOfDramGivesNoMoreToSeveralTiles) {
    for (const Json& row : rows("^D[5-8] .* one channel")) EXPECT_LE(deviation(row), 0.08) << row;
}

// A read of 64 KiB in packets: those of NoC 1 pause on Wormhole.
TEST(SiliconTransfers, PausesOfDataAreMeasured) {
    const Json all = rows("^N(5|7|10) .*64 KiB");
    ASSERT_EQ(all.size(), 3u);
    for (const Json& row : all) EXPECT_LE(deviation(row), 0.01) << row;
}

// NOC_CMD_PATH_RESERVE: for requests that are the first of a transaction.
TEST(SiliconTransfers, OnlyTheFirstOfLinkedMulticastsReservesItsWay) {
    for (const Json& row : rows("^N43 .*all tiles$")) EXPECT_LE(deviation(row), 0.05) << row;
    for (const Json& row : rows("^N43 .*linked")) EXPECT_LE(deviation(row), 0.2) << row;
}

TEST(SiliconTransfers, RefuseNothingUnderOtherTimings) {
    for (const Json& row : rows("^(N1|D1|N43) ", "documented")) EXPECT_EQ(row.at("error"), "") << row;
}

}  // namespace
}  // namespace tessera

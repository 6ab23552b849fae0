// SPDX-License-Identifier: Apache-2.0
// Two runs of a grid: what differs, and where.
#include "tessera/chip_diff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/grid_job.hpp"
#include "support/run_cli.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

class ChipDiff : public testing::TestWithParam<Arch> {
protected:
    /// The job with a change to its JSON.
    template <class F>
    ChipJob changed(const test::GridJob& grid, F&& change, const std::string& name) const {
        Json job = Json::parse(test::contents(grid.write()));
        change(job);
        return load_chip_job(grid.directory().write(name, job.dump())).value();
    }
    static std::vector<std::string> places(const std::vector<PlaceDifference>& all) {
        std::vector<std::string> names;
        for (const auto& one : all) names.push_back(one.place);
        return names;
    }
    test::GridJob grid_{GetParam(), 3};
};

TEST_P(ChipDiff, ARunIsTheSameAsItselfUnderAnySchedule) {
    ChipJob a = grid_.load(), b = a;
    b.options.seed = 4;
    const auto difference = diff_runs(a, b, 2).value();
    EXPECT_TRUE(difference.same()) << difference.describe();
    EXPECT_NE(difference.a.cycles, difference.b.cycles);
    EXPECT_THAT(difference.describe(), HasSubstr("the end states are equal\n"));
}

TEST_P(ChipDiff, OtherBytesAreFoundInEachPlaceThatTheyCameTo) {
    const auto difference = diff_runs(grid_.load(11), grid_.load(0x1210)).value();
    EXPECT_FALSE(difference.same());
    EXPECT_FALSE(difference.request);
    EXPECT_TRUE(difference.same_end);
    EXPECT_EQ(places(difference.before), std::vector<std::string>{"tile (0, 0)"});
    EXPECT_THAT(places(difference.state), testing::ElementsAre("tile (0, 0)", "tile (1, 0)", "DRAM channel 0"));
    const PlaceDifference &tile = difference.state[1], &dram = difference.state[2];
    EXPECT_EQ(tile.first.name, "l1 byte 0x20000");
    EXPECT_EQ(dram.first.name, "byte 0x40");
    EXPECT_EQ(dram.first.a_text, "0x0B");
    EXPECT_EQ(dram.first.b_text, "0x10");
    EXPECT_EQ(dram.first.b, 0x10u);
    EXPECT_EQ(dram.count, 2u);
}

TEST_P(ChipDiff, TheFirstOtherRequestIsNamed) {
    const auto to = [](std::uint32_t address) {
        return [address](Json& job) { job["tile"][0]["arguments"]["brisc"]["dram"][1] = address; };
    };
    const auto difference = diff_runs(changed(grid_, to(64), "a.json"), changed(grid_, to(128), "b.json")).value();
    ASSERT_TRUE(difference.request && difference.request->a && difference.request->b);
    EXPECT_EQ(difference.request->a->request, 2u);
    EXPECT_EQ(difference.request->a->kind, "write");
    EXPECT_EQ(difference.request->a->address, 64u);
    EXPECT_EQ(difference.request->b->address, 128u);
    EXPECT_THAT(difference.describe(), HasSubstr("is another one: number 2 of the tile at ("));
    EXPECT_FALSE(difference.same());
}

TEST_P(ChipDiff, EndsAndRequestsThatOnlyOneHas) {
    const auto silent = [](Json& job) { job["tile"][0].erase("cores"), job["tile"][0].erase("arguments"), job["tile"][0].erase("done"); };
    const auto difference = diff_runs(changed(grid_, silent, "a.json"), grid_.load()).value();
    EXPECT_FALSE(difference.same_end);
    ASSERT_TRUE(difference.request);
    EXPECT_FALSE(difference.request->a);
    EXPECT_EQ(difference.request->b->request, 1u);
    EXPECT_THAT(difference.describe(), HasSubstr("A: fault deadlock: "));
}

TEST_P(ChipDiff, OtherChipsAreRefused) {
    const test::GridJob wide(GetParam(), 4);
    const test::GridJob other(GetParam() == Arch::blackhole ? Arch::wormhole : Arch::blackhole, 3);
    EXPECT_EQ(diff_runs(grid_.load(), wide.load()).error().code, "diff.grid");
    EXPECT_EQ(diff_runs(grid_.load(), other.load()).error().code, "diff.arch");
}

TEST_P(ChipDiff, TheCommandComparesGrids) {
    const std::string a = grid_.write(11, "a.json"), b = grid_.write(12, "b.json");
    EXPECT_EQ(test::run_cli({"diff", a, a, "--b-seed", "3"}).status, 0);
    const auto outcome = test::run_cli({"diff", a, b});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.out, HasSubstr("  DRAM channel 0: 1 different, the first is byte 0x40\n    A: 0x0B\n    B: 0x0C\n"));
    const Json json = Json::parse(test::run_cli({"diff", a, b, "--json"}).out);
    EXPECT_EQ(json["same"], false);
    EXPECT_EQ(json["state"][2]["place"], "DRAM channel 0");
    EXPECT_EQ(json["a"]["good"], true);
    const std::string one = TESSERA_SOURCE_DIR "/examples/deadlock/runs/job.toml";
    test::expect_refused(test::run_cli({"diff", a, one}), {"[job.chip]"});
    test::expect_refused(test::run_cli({"diff", one, a}), {"[job.chip]"});
    test::expect_refused(test::run_cli({"diff", a, a, "--expected"}), {"[job.chip]"});
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipDiff, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// A grid under many schedules: outcomes, findings, and what a seed delays.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "chip/node.hpp"
#include "support/grid_job.hpp"
#include "support/run_cli.hpp"
#include "tessera/chip_diff.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

class ChipRaces : public testing::TestWithParam<Arch> {
protected:
    /// Tiles 0 and 1 send to the same bytes of tile 2: who comes last depends on delays. `dram`: where tile 1 writes; tile 0 at 64.
    ChipJob two_senders(unsigned dram = 256) const {
        Json job = Json::parse(test::contents(grid_.write()));
        Json& tiles = job["tile"];
        tiles[0]["arguments"]["brisc"]["to"] = "tile 2 0";
        const Json receiver = tiles[1];
        tiles[1] = tiles[0];
        tiles[1]["columns"] = 1;
        tiles[1]["l1"][0]["words"] = {33, 44, 44, 44, 0};
        tiles[1]["arguments"]["brisc"]["dram"] = {"dram 0", dram};
        tiles[2] = receiver;
        tiles[2]["columns"] = 2;
        job["output"][0]["tile"] = {2, 0};
        return load_chip_job(grid_.directory().write("race.json", job.dump())).value();
    }
    test::GridJob grid_{GetParam(), 3};
};

TEST_P(ChipRaces, ARaceBetweenTilesHasSeveralOutcomes) {
    const ChipJob job = two_senders();
    const ChipRaceReport report = find_races(job, {.runs = 16, .threads = 2}).value();
    EXPECT_EQ(report.schedules, 17u);
    EXPECT_EQ(report.compared, "outputs");
    ASSERT_EQ(report.outcomes.size(), 2u) << report.describe();
    EXPECT_TRUE(report.outcomes[0].without_delays);
    ASSERT_TRUE(report.outcomes[1].state);
    EXPECT_EQ(report.outcomes[1].state->place, "tile (2, 0)");
    EXPECT_EQ(report.outcomes[1].state->first.name, "l1 byte 0x20000");
    EXPECT_THAT(report.outcomes[1].output, HasSubstr("tile.bin"));
    EXPECT_EQ(report.outcomes[0].seeds.size() + report.outcomes[1].seeds.size(), 16u);
    EXPECT_EQ(find_races(job, {.runs = 16, .threads = 1}).value().describe(), report.describe());
    // A seed is that of a run.
    ChipJob alone = job;
    alone.options.seed = report.outcomes[1].seeds.front();
    Chip chip = prepare(alone).value();
    ASSERT_TRUE(chip.run({.tile = alone.options}));
    const std::byte first = chip.tile(2, 0).value()->read_l1(test::GridKernel::message, 1).value()[0];
    EXPECT_EQ(static_cast<std::uint64_t>(first), report.outcomes[1].state->first.b);
}

TEST_P(ChipRaces, WithoutARaceThereIsOneOutcome) {
    ChipJob job = grid_.load();
    EXPECT_TRUE(find_races(job, {.runs = 4}).value().same());
    job.outputs.clear();
    const auto report = find_races(job, {.runs = 4, .threads = 1}).value();
    EXPECT_TRUE(report.same()) << report.describe();
    EXPECT_EQ(report.compared, "memory");
    const auto outcome = test::run_cli({"race", grid_.write(), "--runs", "3"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "4 schedules, 1 outcome: same outputs in all\n");
    const Json json = Json::parse(test::run_cli({"race", grid_.write(), "--runs", "3", "--json"}).out);
    EXPECT_EQ(json["schedules"], 4);
    EXPECT_EQ(json["outcomes"].size(), 1u);
}

// Tiles of a chip are delayed each in its own way, at one speed of the chip.
TEST_P(ChipRaces, ASeedDelaysEachTileInItsOwnWay) {
    const ChipJob job = grid_.load();
    Chip chip = prepare(job).value();
    std::vector<std::uint64_t> seeds;
    ChipRunOptions options;
    options.tile = job.options;
    options.tile.seed = 7;
    options.for_tile = [&](unsigned, unsigned, RunOptions& own) { seeds.push_back(own.seed.value()); };
    ASSERT_TRUE(chip.run(options));
    std::sort(seeds.begin(), seeds.end());
    EXPECT_EQ(std::unique(seeds.begin(), seeds.end()), seeds.end());
    EXPECT_EQ(seeds.size(), 3u);
    EXPECT_THAT(seeds, testing::Contains(7u));
    for (const std::uint64_t seed : seeds) EXPECT_EQ(seed % 2, 1u);
}

TEST_P(ChipRaces, FindingsOfAllSchedulesNameTheirTile) {
    // Requests of 16 bytes or less are taken for flags.
    grid_.directory().write("sender.elf", test::GridKernel::sender(GetParam(), 64));
    const ChipRaceReport report = find_races(two_senders(64), {.runs = 8}).value();
    ASSERT_FALSE(report.findings.empty()) << report.describe();
    for (const TileFinding& one : report.findings) {
        EXPECT_LT(one.column, 2u);
        EXPECT_EQ(one.finding.code, "hazard.noc-dram");
        EXPECT_THAT(report.describe(), HasSubstr(fmt::format("tile ({}, 0): hazard.noc-dram: ", one.column)));
    }
    // Nine schedules have it, in this tile or the other one.
    std::uint64_t count = 0;
    for (const TileFinding& one : report.findings) count += one.finding.count;
    EXPECT_EQ(count, 9u);
    const auto outcome = test::run_cli({"race", grid_.directory() / "race.json", "--runs", "8", "--json"});
    EXPECT_EQ(outcome.status, 1);
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json["findings"].size(), report.findings.size());
    EXPECT_EQ(json["findings"][0]["tile"], Json({report.findings[0].column, 0}));
}

TEST_P(ChipRaces, MoreOutcomesThanWantedAreCounted) {
    const ChipRaceReport report = find_races(two_senders(), {.runs = 16, .most = 1}).value();
    EXPECT_EQ(report.outcomes.size(), 1u);
    EXPECT_GT(report.others, 0u);
    EXPECT_FALSE(report.same());
    EXPECT_THAT(report.describe(), HasSubstr("more than 1 outcomes"));
}

TEST_P(ChipRaces, StopAndErrors) {
    const std::atomic<bool> stop = true;
    ChipJob job = grid_.load();
    job.options.stop = &stop;
    const ChipRaceReport report = find_races(job, {.runs = 4}).value();
    EXPECT_TRUE(report.interrupted);
    EXPECT_LT(report.schedules, 5u);  // short runs may end before they look
    job.options.stop = nullptr;
    job.options.timing = Timing::instant;
    EXPECT_EQ(find_races(job, {.runs = 4}).error().code, "chip.timing");
    test::expect_refused(test::run_cli({"race", grid_.write(), "--host", "at=1"}), {"--host", "[job.chip]"});
    test::expect_refused(test::run_cli({"race", grid_.write(), "--reference"}), {"[chip.timing]"});
}

TEST_P(ChipRaces, HostThreadsChangeNothingUnderASeed) {
    const auto packets = [&](unsigned threads, std::uint64_t seed) {
        const ChipJob job = two_senders();
        Chip chip = prepare(job).value();
        std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>> all;
        ChipRunOptions options;
        options.tile = job.options;
        options.tile.seed = seed;
        options.threads = threads;
        options.on_packet = [&](const PacketEvent& packet) { all.emplace_back(packet.request, packet.sent, packet.arrived); };
        const ChipRun run = chip.run(options).value();
        all.emplace_back(0, run.cycles, run.packets);
        return all;
    };
    for (std::uint64_t seed = 1; seed < 5; ++seed) EXPECT_EQ(packets(1, seed), packets(3, seed)) << seed;
    EXPECT_NE(packets(1, 1), packets(1, 2));
}

/// A node that only sends.
class Sender final : public chip::Node {
public:
    using Node::Node;
    std::span<const chip::Place> places() const override { return {}; }
    chip::Cycle next_time() const override { return chip::never; }
    void arrive(chip::Place, noc::Arrival) override {}
    void begin_until(chip::Cycle) override {}
    bool advance() override { return false; }
    void run_until(chip::Cycle) override {}
    bool done() const override { return true; }
    chip::Cycle now() const override { return 0; }
    /// A write of `flits` flits of data.
    void write(unsigned noc, chip::Place from, chip::Place to, unsigned flits, unsigned flit_bytes, chip::Cycle at) {
        noc::Packet packet;
        packet.kind = noc::Packet::Kind::write;
        packet.noc = static_cast<std::uint8_t>(noc);
        packet.source = from;
        packet.to = to;
        packet.length = flits * flit_bytes;
        fabric().send(std::move(packet), at);
    }

private:
    void limit(chip::Cycle) override {}
};

// One NIU's packets stay in the order in which it made them, none begins before the one before it has left, and none is early.
TEST_P(ChipRaces, ASeedDelaysPacketsInTheirOrder) {
    const auto grid = chip::Grid::make(GetParam(), {}).value();
    const noc::Costs& costs = noc::costs(GetParam(), default_timing);
    const chip::Distances distances(grid.layout(), costs);
    const chip::Surroundings around{grid, costs, distances};
    const chip::Place from = grid.place(0, 0), to = grid.place(1, 0);
    const auto times = [&](std::optional<std::uint64_t> seed) {
        Sender sender(around);
        if (seed) sender.delay_packets(*seed);
        std::vector<chip::Cycle> at[2];
        for (unsigned i = 0; i < 400; ++i) sender.write(i % 2, from, to, i % 7, grid.layout().flit_bytes, 10 * i);
        for (const auto& sent : sender.take_sent()) at[sent.packet.noc].push_back(sent.at);
        return std::pair(at[0], at[1]);
    };
    const auto without = times({});
    for (unsigned i = 0; i < 200; ++i) EXPECT_EQ(without.first[i], 20 * i);
    EXPECT_EQ(times(3), times(3));
    EXPECT_NE(times(3), times(4));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto with = times(seed).first;
        unsigned later = 0;
        for (unsigned i = 0; i < 200; ++i) {
            EXPECT_GE(with[i], without.first[i]);
            later += with[i] > without.first[i];
            EXPECT_GE(with[i], i ? with[i - 1] + 1 + (2 * (i - 1)) % 7 : 0);
        }
        EXPECT_GT(later, 20u);
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipRaces, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera

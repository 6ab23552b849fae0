// SPDX-License-Identifier: Apache-2.0
// The page of a grid: packets and tiles are those of the run, with any number of host threads.
#include "tessera/chip_viewer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "support/grid_job.hpp"
#include "support/run_cli.hpp"
#include "support/viewer_page.hpp"

namespace tessera {
namespace {

using test::column;
using test::Json;
using test::page_data;

Json unpacked_json(const Json& packed) { return Json::parse(test::unpacked(packed)); }

class ChipViewer : public testing::TestWithParam<Arch> {
protected:
    test::GridJob grid_{GetParam(), 4};
};

TEST_P(ChipViewer, IsTheSameWithAnyNumberOfHostThreads) {
    EXPECT_EQ(view(grid_.load()).value().html, view(grid_.load(), 3).value().html);
}

TEST_P(ChipViewer, HasEachPacket) {
    const ChipJob job = grid_.load();
    const ChipViewerPage page = view(job).value();
    const Json data = page_data(page.html);
    EXPECT_EQ(data["format"], "tessera-chip-viewer-1");
    EXPECT_EQ(data["grid"], Json({4, 1}));
    EXPECT_EQ(data["cycles"], page.run.cycles);
    std::vector<std::tuple<std::string, std::string, double, double, double>> expected, is;
    Chip chip = prepare(job).value();
    const auto name_of = [&](NocPlace at) {
        for (unsigned i = 0; i < 4; ++i)
            if (chip.place(i, 0).value() == at)
                return "tile (" + std::to_string(i) + ", 0) at (" + std::to_string(at.x) + ", " + std::to_string(at.y) + ")";
        return std::string("DRAM channel 0");
    };
    ChipRunOptions options;
    options.tile = job.options;
    options.on_packet = [&](const PacketEvent& packet) {
        expected.emplace_back(name_of(packet.from), name_of(packet.to), packet.sent, packet.arrived, packet.address);
    };
    ASSERT_TRUE(chip.run(options));
    const Json& packets = data["packets"];
    std::map<std::string, std::vector<double>> columns;
    for (const char* name : {"from", "to", "sent", "arrived", "address", "kind", "core"}) columns[name] = column(packets[name]);
    const Json texts = unpacked_json(packets["texts"]);
    for (std::size_t i = 0; i < packets["count"]; ++i) {
        const auto place = [&](const char* name) { return data["places"][static_cast<std::size_t>(columns[name][i])].get<std::string>(); };
        is.emplace_back(place("from"), place("to"), columns["sent"][i], columns["arrived"][i], columns["address"][i]);
        EXPECT_EQ(texts[static_cast<std::size_t>(columns["core"][i])], "brisc");
    }
    EXPECT_THAT(is, testing::UnorderedElementsAreArray(expected));
    EXPECT_TRUE(std::is_sorted(columns["sent"].begin(), columns["sent"].end()));
}

TEST_P(ChipViewer, TilesHaveTheirWaitsAndReports) {
    const ChipViewerPage page = view(grid_.load(0)).value();
    EXPECT_FALSE(page.run.good());
    const Json data = page_data(page.html);
    EXPECT_EQ(data["fault"]["code"], "deadlock");
    ASSERT_EQ(data["tiles"].size(), page.run.tiles.size());
    for (std::size_t i = 0; i < page.run.tiles.size(); ++i) {
        const Json& tile = data["tiles"][i];
        EXPECT_EQ(tile["column"], i);
        EXPECT_EQ(tile["run"]["cycles"], page.run.tiles[i].run.cycles);
        EXPECT_EQ(tile["run"]["blocked"].size(), page.run.tiles[i].run.blocked.size());
        const Json texts = unpacked_json(tile["texts"]);
        EXPECT_GT(tile["waits"]["count"], 0);
        for (const double lane : column(tile["waits"]["lane"])) EXPECT_LT(lane, static_cast<double>(texts.size()));
    }
}

// Numbers of a browser have 53 bits.
TEST_P(ChipViewer, TheSeedIsAText) {
    ChipJob job = grid_.load();
    EXPECT_EQ(page_data(view(job).value().html)["seed"], nullptr);
    job.options.seed = 18446744073709551615u;
    EXPECT_EQ(page_data(view(job).value().html)["seed"], "18446744073709551615");
}

TEST_P(ChipViewer, ThePageNeedsNothingElse) {
    const std::string html = view(grid_.load()).value().html;
    for (const char* other : {"<script src", "<link rel=\"stylesheet\"", "@import", "http://", "https://"})
        EXPECT_EQ(html.find(other), std::string::npos) << other;
}

TEST_P(ChipViewer, TheCommandWritesAPage) {
    const std::string page = grid_.directory() / "page.html";
    const auto outcome = test::run_cli({"trace", grid_.write(), "--html", page, "--threads", "2"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out + outcome.err, "");
    EXPECT_EQ(page_data(test::contents(page))["packet_count"], 4);
    const auto stuck = test::run_cli({"trace", grid_.write(0), "--html", page});
    EXPECT_EQ(stuck.status, 1);
    EXPECT_THAT(stuck.err, testing::HasSubstr("deadlock"));
    const auto nowhere = test::run_cli({"trace", grid_.write(), "--html", grid_.directory() / "none/page.html"});
    EXPECT_EQ(nowhere.status, 2);
    EXPECT_THAT(nowhere.err, testing::HasSubstr("[cli.write]"));
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipViewer, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera

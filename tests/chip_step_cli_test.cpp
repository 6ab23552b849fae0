// SPDX-License-Identifier: Apache-2.0
// tessera step with a grid of tiles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/grid_kernels.hpp"
#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using test::GridKernel;
using testing::ContainsRegex;
using testing::HasSubstr;
using Json = nlohmann::json;

class ChipStepCli : public testing::TestWithParam<Arch> {
protected:
    ChipStepCli() {
        directory_.write("sender.elf", GridKernel::sender(GetParam()));
        directory_.write("receiver.elf", GridKernel::receiver(GetParam()));
    }
    /// Tile 1 of three sends to tile 2. Tile 0 has no kernels.
    std::string job(bool with_sender = true) const {
        const Json done = {{{"addr", GridKernel::flag}, {"value", 1}}};
        const Json receiver = {{"columns", 2}, {"done", done}, {"cores", {{"brisc", "receiver.elf"}}},
                               {"l1", {{{"addr", GridKernel::message}, {"words", {0, 0, 0, 0, 0}}}}}};
        const Json sender = {{"columns", 1}, {"done", done}, {"cores", {{"brisc", "sender.elf"}}},
                             {"arguments", {{"brisc", {{"own", {"x", "y"}}, {"to", "tile 2 0"}, {"dram", {"dram 0", 64}}}}}},
                             {"l1", {{{"addr", GridKernel::message}, {"words", {11, 22, 33, 44, 0}}}}}};
        Json text = {{"arch", name(GetParam())}, {"chip", {{"grid", {3, 1}}}}, {"tile", {receiver}}, {"max_cycles", 100000}};
        if (with_sender) text["tile"].push_back(sender);
        return directory_.write("job.json", text.dump());
    }
    test::CliOutcome step(const std::vector<std::string>& lines, const std::vector<std::string>& options = {}, bool with_sender = true) const {
        std::vector<std::string> arguments{"step", job(with_sender)};
        arguments.insert(arguments.end(), options.begin(), options.end());
        for (const auto& line : lines) arguments.insert(arguments.end(), {"-c", line});
        return test::run_cli(arguments);
    }
    std::string reported(const std::vector<std::string>& lines, const std::vector<std::string>& options = {}) const {
        const auto outcome = step(lines, options);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        return outcome.out;
    }

    test::TemporaryDirectory directory_;
};

TEST_P(ChipStepCli, ItEndsAsARunDoes) {
    const std::string ran = test::run_cli({"run", job(), "--no-output"}).out;
    const std::string cycles = ran.substr(0, ran.find('\n'));
    const std::string end = reported({"c"});
    EXPECT_EQ(end, "cycle " + cycles.substr(cycles.find_last_of(' ') + 1) + "  the end\n");
    EXPECT_EQ(reported({"packet 99"}).substr(reported({"packet 99"}).rfind("cycle ")), end);
    EXPECT_EQ(reported({"cycle 7", "tile 2 0", "packet", "tile 1 0", "c"}).substr(reported({"cycle 7", "tile 2 0", "packet", "tile 1 0"}).size()), end);
}

TEST_P(ChipStepCli, TellsPackets) {
    const std::string sends = reported({"packet 4"});
    EXPECT_THAT(sends, ContainsRegex("^cycle [0-9]+: write leaves for tile \\(2, 0\\), 0x20000, 16 bytes, NoC 0\n"
                                     "  asked for by brisc of tile \\(1, 0\\)"));
    EXPECT_THAT(sends, ContainsRegex("cycle [0-9]+: write ack has come from tile \\(2, 0\\), 0x"));
    EXPECT_THAT(sends, ContainsRegex("cycle [0-9]+: write leaves for DRAM 0, 0x40, 16 bytes"));
    EXPECT_THAT(sends, HasSubstr("write ack has come from DRAM 0"));
    EXPECT_EQ(reported({"packet", "", "", ""}), sends) << "an empty line repeats";
    EXPECT_THAT(reported({"packet", "print l1 0x20000 16"}, {"--tile", "2,0"}),
                ContainsRegex("write has come from tile \\(1, 0\\), 0x20000, 16 bytes(.|\n)*0x20000  0b  00  00  00  16 "));
}

TEST_P(ChipStepCli, AWatchNamesThePacketThatWrote) {
    EXPECT_THAT(reported({"watch l1 0x20004", "c", "tile"}, {"--tile", "2,0"}),
                ContainsRegex("cycle [0-9]+: write has come from tile \\(1, 0\\), 0x20000, 16 bytes, NoC 0\n"
                              "  asked for by brisc of tile \\(1, 0\\)(.|\n)*  wrote l1 0x20004 = 0x16\n(.|\n)*"
                              "  \\(1, 0\\) +cycle +[0-9]+  .*\n\\* \\(2, 0\\) "));
}

TEST_P(ChipStepCli, ListsTilesAndTheirWaits) {
    const std::string tiles = reported({"cycle 100", "tile"}, {"--tile", "2,0"});
    EXPECT_THAT(tiles, HasSubstr("* (2, 0)"));
    EXPECT_THAT(tiles, ContainsRegex("\\(2, 0\\) +cycle +[0-9]+  runs\n")) << "whether it only polls is not known so early";
    EXPECT_THAT(step({"c", "tile"}, {}, false).out, ContainsRegex("\\(2, 0\\).*brisc waits for .*0x20000, which it polls, to change from 0x0"));
    EXPECT_THAT(reported({"tile 2 0"}), testing::StartsWith("* (2, 0)"));
    // The first one that has kernels.
    EXPECT_THAT(reported({"tile"}), ContainsRegex("\\* \\(1, 0\\)(.|\n)*  \\(2, 0\\)"));
}

TEST_P(ChipStepCli, GoesBackToTheBeginning) {
    const std::string there = reported({"cycle 100", "tile"}), back = reported({"packet 2", "back", "cycle 100", "tile"});
    EXPECT_TRUE(back.ends_with(there)) << back;
}

TEST_P(ChipStepCli, AHangEndsWithTheTilesThatWait) {
    const auto outcome = step({"c"}, {}, false);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.out, HasSubstr("  the end: a fault\n"));
    EXPECT_THAT(outcome.out, HasSubstr("deadlock"));
    EXPECT_THAT(outcome.out, HasSubstr("(2, 0)"));
}

TEST_P(ChipStepCli, RefusesTilesThatAreNotThere) {
    const auto refuses = [&](const std::vector<std::string>& lines, const std::vector<std::string>& options, std::string_view why) {
        const auto outcome = step(lines, options);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err, HasSubstr(std::string(why)));
    };
    refuses({"c"}, {"--tile", "7,0"}, "there is no tile in column 7, row 0");
    refuses({"c"}, {"--tile", "0,0"}, "tile (0, 0) has no kernels, and nothing has come to it yet");
    refuses({"c"}, {"--tile", "1"}, "--tile takes COLUMN,ROW, not '1'");
    refuses({"c"}, {"--tile", "1,0,0"}, "--tile takes COLUMN,ROW, not '1,0,0'");
    refuses({"c"}, {"--timing", "instant"}, "packets need time to travel");
    refuses({"tile 7 0"}, {}, "there is no tile in column 7, row 0");
    refuses({"tile 1"}, {}, "tile takes COLUMN ROW");
    refuses({"packet 0"}, {}, "packet takes [N]");
    const auto of_one = test::run_cli({"step", TESSERA_SOURCE_DIR "/examples/seeds/5.2-tilize.toml", "--tile", "0,0", "-c", "c"});
    EXPECT_EQ(of_one.status, 2);
    EXPECT_THAT(of_one.err, HasSubstr("--tile is for jobs with a grid of tiles"));
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipStepCli, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera

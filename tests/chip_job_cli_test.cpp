// SPDX-License-Identifier: Apache-2.0
// tessera run with a grid of tiles, and what other commands say of such a job.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/cli_process.hpp"
#include "support/grid_kernels.hpp"

namespace tessera {
namespace {

using test::GridKernel;
using test::run_cli;
using Json = nlohmann::json;

class ChipJobCli : public testing::TestWithParam<Arch> {
protected:
    ChipJobCli() {
        directory_.write("sender.elf", GridKernel::sender(GetParam()));
        directory_.write("receiver.elf", GridKernel::receiver(GetParam()));
    }

    std::string text(bool with_sender = true) const {
        Json receiver = {{"columns", 1},
                         {"done", {{{"addr", GridKernel::flag}, {"value", 1}}}},
                         {"cores", {{"brisc", "receiver.elf"}}},
                         {"l1", {{{"addr", GridKernel::message}, {"words", {0, 0, 0, 0, 0}}}}}};
        Json sender = {{"columns", 0},
                       {"done", receiver["done"]},
                       {"cores", {{"brisc", "sender.elf"}}},
                       {"arguments", {{"brisc", {{"own", {"x", "y"}}, {"to", "tile 1 0"}, {"dram", {"dram 0", 64}}}}}},
                       {"l1", {{{"addr", GridKernel::message}, {"words", {11, 22, 33, 44, 0}}}}}};
        Json job = {{"arch", name(GetParam())},
                    {"chip", {{"grid", {2, 1}}}},
                    {"tile", {receiver}},
                    {"max_cycles", 100000},
                    {"output",
                     {{{"tile", {1, 0}}, {"addr", GridKernel::message}, {"size", 16}, {"file", "tile.bin"}},
                      {{"channel", 0}, {"addr", 64}, {"size", 16}, {"file", "dram.bin"}}}}};
        if (with_sender) job["tile"].push_back(sender);
        return job.dump();
    }
    std::string job(bool with_sender = true) const { return directory_.write("job.json", text(with_sender)); }

    test::TemporaryDirectory directory_;
};

TEST_P(ChipJobCli, RunReportsEachTileAndWritesOutputs) {
    const auto outcome = run_cli({"run", job(), "--threads", "2"});
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    for (const std::string part : {"cycles  ", "packets       4\n", "grid          2 columns, 1 rows", "(0, 0)",
                                   "(1, 0)", "tile.bin\n", "dram.bin\n"})
        EXPECT_NE(outcome.out.find(part), std::string::npos) << part << outcome.out;
    const std::string sent = test::words({11, 22, 33, 44});
    EXPECT_EQ(test::contents(directory_ / "tile.bin"), sent);
    EXPECT_EQ(test::contents(directory_ / "dram.bin"), sent);
}

TEST_P(ChipJobCli, RunAsJsonIsTheSameWithAnyThreads) {
    const auto one = run_cli({"run", job(), "--json", "--no-output", "--seed", "3"});
    const auto two = run_cli({"run", job(), "--json", "--no-output", "--seed", "3", "--threads", "2"});
    EXPECT_EQ(one.out, two.out);
    const Json report = Json::parse(one.out);
    EXPECT_EQ(report["good"], true);
    EXPECT_EQ(report["seed"], 3);
    EXPECT_EQ(report["packets"], 4);
    EXPECT_EQ(report["grid"], Json({2, 1}));
    ASSERT_EQ(report["tiles"].size(), 2u);
    EXPECT_EQ(report["tiles"][1]["tile"], Json({1, 0}));
    EXPECT_EQ(report["tiles"][1]["place"][0], 2);
    EXPECT_EQ(report["tiles"][1]["instructions"], Json({0, 0, 0}));
    EXPECT_EQ(report["outputs"], Json::array());
    EXPECT_FALSE(std::filesystem::exists(directory_ / "tile.bin"));
}

TEST_P(ChipJobCli, ARunThatDoesNotEndNamesTheTile) {
    const auto outcome = run_cli({"run", job(false)});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.out.find("fault "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("deadlock: "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("\ntile (1, 0)\n  trisc0 "), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("wrote"), std::string::npos) << outcome.out;
    EXPECT_FALSE(std::filesystem::exists(directory_ / "tile.bin"));
}

TEST_P(ChipJobCli, ARunIsReportedThoughAnOutputCannotBeWritten) {
    const std::vector<std::vector<std::string>> commands = {{"run", job(), "--set", "output.0.file=/dev/full"},
                                                            {"trace", job(), "-o", "/dev/full"},
                                                            {"trace", job(), "--perfetto", "/dev/full"},
                                                            {"trace", job(), "--html", "/dev/full"},
                                                            {"record", job(), "-o", "/dev/full"}};
    for (const auto& command : commands) {
        const auto outcome = run_cli(command);
        SCOPED_TRACE(command[0] + " " + command[2]);
        EXPECT_EQ(outcome.status, 1);
        EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.out.find("grid  ") != std::string::npos, command[0] == "run") << outcome.out;
    }
    EXPECT_FALSE(std::filesystem::exists(directory_ / "dram.bin"));
}

TEST_P(ChipJobCli, TilesThatWaitAtOnePlaceAreToldOnce) {
    const auto outcome = run_cli({"run", job(false), "--set", "chip.grid=[4, 2]", "--set", "tile.0.columns=[0, 3]"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.out.find("\ntiles (0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1) and 2 more\n  trisc0 "),
              std::string::npos)
        << outcome.out;
    EXPECT_EQ(outcome.out.find("\ntile "), std::string::npos) << outcome.out;
}

TEST_P(ChipJobCli, RunTakesAJobFromStandardInput) {
    test::CliSurroundings in_folder{.input = text(), .folder = directory_ / "", .file_size_limit = {}};
    const auto outcome =
        test::run_cli_in(in_folder, {"run", "-", "--timing", "documented", "--set", "output.1.file=other.bin"});
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(directory_ / "other.bin"));
}

TEST_P(ChipJobCli, CommandsOfOneTileRefuseIt) {
    const std::string path = job();
    for (const std::vector<std::string>& command : {std::vector<std::string>{"reduce"},
                                                    {"explain"},
                                                    {"regs", "--job"}}) {
        std::vector<std::string> arguments = command;
        arguments.push_back(path);
        SCOPED_TRACE(command[0]);
        test::expect_refused(run_cli(arguments), {"job.json", "[job.chip]"});
    }
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{"--window", "MVMUL"}, {"--sarif", directory_ / "x.sarif"}, {"--host", "at=1"}}) {
        std::vector<std::string> arguments = {"run", path};
        arguments.insert(arguments.end(), options.begin(), options.end());
        test::expect_refused(run_cli(arguments), {options[0], "[job.chip]"});
    }
    test::expect_refused(run_cli({"run", path, "--symbol", "A=1"}), {"[job.value]"});
    test::expect_refused(run_cli({"run", path, "--timing", "functional"}), {"[chip.timing]"});
    test::expect_refused(run_cli({"run", path, "--timing", "instant"}), {"[chip.timing]"});
    test::expect_refused(run_cli({"run", path, "--reference"}), {"(--reference)", "[chip.timing]"});
    test::expect_refused(run_cli({"run", directory_.write("one.toml", "arch = \"blackhole\"\n"), "--threads", "2"}),
                         {"--threads", "[cli.usage]"});
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipJobCli, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// tessera bench: its lines and its errors. No test depends on a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using test::run_cli;
using testing::HasSubstr;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

std::string quick(Arguments arguments) {
    arguments.insert(arguments.begin(), {"bench", "--quick"});
    const auto outcome = run_cli(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
}

/// The only line of that name.
Json line_of(const Json& report, const std::string& name) {
    Json found;
    for (const Json& line : report.at("lines")) {
        if (line.at("name") != name) continue;
        EXPECT_TRUE(found.is_null()) << name << " is there twice";
        found = line;
    }
    EXPECT_FALSE(found.is_null()) << "no line " << name;
    return found;
}

void refuses(const Arguments& arguments, const std::string& code) {
    test::expect_refused(run_cli(arguments), {code});
}

TEST(BenchCli, LinesHaveTheirSpreadAndWhatTheyAreHeldAgainst) {
    const Json report = Json::parse(quick({"--json", "--filter", "^UNPACR tile BF16$"}));
    ASSERT_EQ(report.at("lines").size(), 1u);
    const Json line = line_of(report, "UNPACR tile BF16");
    EXPECT_EQ(line.at("error"), "");
    EXPECT_EQ(line.at("repetitions"), 3);
    EXPECT_EQ(line.at("bytes"), 4096);
    EXPECT_GT(line.at("least"), 0);
    EXPECT_LE(line.at("least"), line.at("ns"));
    EXPECT_LE(line.at("ns"), line.at("most"));
    EXPECT_GT(line.at("copy"), 0);
    EXPECT_GT(line.at("reference"), 0);
    EXPECT_TRUE(line.at("without").is_null());
    EXPECT_TRUE(line.at("kept").is_null());
    const double ns = line.at("ns"), peer = line.at("peer_ns"), goal = line.at("goal");
    EXPECT_NEAR(line.at("times"), peer / ns, 1e-6);
    EXPECT_NEAR(line.at("reached"), peer / ns / goal, 1e-6);
}

TEST(BenchCli, EngineLinesTellHowManyPlansHadBeenKept) {
    const Json report = Json::parse(quick({"--json", "--filter", "^(block 32x32x32, LoFi|engine: NOP in line, one)"}));
    ASSERT_EQ(report.at("lines").size(), 3u);
    const double made_anew = line_of(report, "block 32x32x32, LoFi, three threads").at("kept"),
                 again = line_of(report, "block 32x32x32, LoFi, core that has run it").at("kept");
    EXPECT_GT(made_anew, 0);
    EXPECT_GT(again, made_anew);
    EXPECT_LE(again, 1);
    const Json nop = line_of(report, "engine: NOP in line, one thread");
    EXPECT_EQ(nop.at("kept"), 1) << "every NOP has the plan of the first";
    EXPECT_EQ(nop.at("goal_is_ns"), true);
    const double ns = nop.at("ns"), goal = nop.at("goal");
    EXPECT_NEAR(nop.at("reached"), goal / ns, 1e-6);
}

TEST(BenchCli, APeersFiguresStandInPlaceOfPublishedOnes) {
    const test::TemporaryDirectory directory;
    const auto peer = directory.write("peer.json", R"({"peer": "another one", "ns": {"SFPMAD": 1000, "no line": 1}})");
    const Json report = Json::parse(quick({"--json", "--filter", "^SFPM(AD|UL)$", "--peer", peer}));
    EXPECT_EQ(report.at("peer"), "another one");
    const Json line = line_of(report, "SFPMAD");
    const double ns = line.at("ns");
    EXPECT_EQ(line.at("peer_ns"), 1000);
    EXPECT_NEAR(line.at("times"), 1000 / ns, 1e-6);
    EXPECT_TRUE(line_of(report, "SFPMUL").at("peer_ns").is_null());
}

TEST(BenchCli, VectorsAreNoBetterThanAskedFor) {
    const Json least = Json::parse(quick({"--json", "--filter", "^SFPMAD$", "--vectors", "SSE4"}));
    EXPECT_EQ(least.at("machine").at("vectors"), "SSE4");
    EXPECT_EQ(line_of(least, "SFPMAD").at("goal"), 5) << "the goal of the narrower set";
}

TEST(BenchCli, PrintsTables) {
    EXPECT_THAT(quick({"--filter", "^SFPMAD$"}),
                testing::AllOf(HasSubstr("Vector instructions: "), HasSubstr("\n  SFPMAD  ")));
    EXPECT_THAT(quick({"--filter", "^SFPMAD$", "--markdown"}),
                testing::AllOf(HasSubstr("\n| line with a goal | ns | spread |"), HasSubstr("\n| SFPMAD | ")));
}

// Kernels need a compiler for the RISC-V cores: without one, each line says what is missing.
TEST(BenchCli, KernelsThatAreNotCompiledAreLinesWithAWord) {
    const test::TemporaryDirectory directory;
    const auto outcome = run_cli({"bench", "--kernels", directory / "nothing", "--json", "--filter", "^(datacopy|matmul_lofi)(, again)?$"});
    EXPECT_EQ(outcome.status, 1);
    const Json report = Json::parse(outcome.out);
    EXPECT_EQ(report.at("tiles"), 8192);
    std::vector<std::string> names;
    for (const Json& line : report.at("kernels")) {
        names.push_back(line.at("name"));
        EXPECT_THAT(line.at("error").get<std::string>(), HasSubstr("brisc.elf"));
        EXPECT_TRUE(line.at("peer_ns").is_null());
    }
    EXPECT_EQ(names, (std::vector<std::string>{"datacopy", "datacopy, again", "matmul_lofi", "matmul_lofi, again"}));
}

// It is an error of the line if the same program gives another result without time, or when RISC-V cores push it.
TEST(BenchCli, ProgramsThatNobodyHasMet) {
    const Json report = Json::parse(quick({"--json", "--programs", "--filter", "^(random, 100 ops a thread|matmul, LoFi|tilize)$"}));
    std::vector<std::string> names;
    for (const Json& line : report.at("programs")) {
        names.push_back(line.at("name"));
        EXPECT_EQ(line.at("error"), "");
        EXPECT_GT(line.at("instructions"), 200);
        EXPECT_GT(line.at("ns"), 0);
        EXPECT_GT(line.at("functional_ns"), 0);
        EXPECT_TRUE(line.at("peer_ns").is_null());
        EXPECT_TRUE(line.at("times").is_null());
    }
    EXPECT_EQ(names, (std::vector<std::string>{"random, 100 ops a thread", "matmul, LoFi", "tilize"}));
    EXPECT_THAT(quick({"--programs", "--filter", "^tilize$"}), HasSubstr("met for the first time"));
}

TEST(BenchCli, AMissingSimulatorIsAnErrorOfEachProgram) {
    const test::TemporaryDirectory directory;
    const auto outcome =
        run_cli({"bench", "--quick", "--json", "--programs", "--filter", "^reduce$", "--peer", directory / "nothing.so"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(Json::parse(outcome.out).at("programs").at(0).at("error").get<std::string>(), HasSubstr("[bench.peer]"));
}

TEST(BenchCli, RefusesProgramsBesideOtherTables) {
    refuses({"bench", "--programs", "--scaling"}, "[cli.usage]");
    refuses({"bench", "--programs", "--kernels", "nothing"}, "[cli.usage]");
    refuses({"bench", "--programs", "--long-runs"}, "[cli.usage]");
    refuses({"bench", "--long-runs", "--scaling"}, "[cli.usage]");
    refuses({"bench", "--programs", "--filter", "no such line"}, "[bench.filter]");
}

TEST(BenchCli, RefusesTilesAndKernels) {
    for (const char* tiles : {"0", "65", "x", "-64", "1048640"})
        refuses({"bench", "--kernels", "nothing", "--tiles", tiles}, "[cli.usage]");
    refuses({"bench", "--kernels", "nothing", "--scaling"}, "[cli.usage]");
    refuses({"bench", "--kernels", "nothing", "--filter", "no such line"}, "[bench.filter]");
    refuses({"bench", "--kernels", "nothing", "--filter", "("}, "[bench.filter]");
}

TEST(BenchCli, Refuses) {
    const test::TemporaryDirectory directory;
    refuses({"bench", "--filter", "no such line"}, "[bench.filter]");
    refuses({"bench", "--filter", "("}, "[bench.filter]");
    refuses({"bench", "--vectors", "AVX9"}, "[bench.vectors]");
    refuses({"bench", "--peer", directory / "nothing.json"}, "[bench.peer]");
    for (const char* text : {"", "[]", R"({"peer": "x"})", R"({"peer": 1, "ns": {}})",
                             R"({"peer": "x", "ns": {"SFPMAD": 0}})", R"({"peer": "x", "ns": {"SFPMAD": "1"}})"})
        refuses({"bench", "--peer", directory.write("peer.json", text)}, "[bench.peer]");
    refuses({"bench", "--json", "--markdown"}, "[cli.usage]");
    refuses({"bench", "--repetitions", "0"}, "[cli.usage]");
}

}  // namespace
}  // namespace tessera

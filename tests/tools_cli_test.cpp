// SPDX-License-Identifier: Apache-2.0
// tessera record, reduce and diff: exit statuses, error output, and files left on disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_cli.hpp"
#include "support/shown_page.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using test::run_cli;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

class ToolsCli : public testing::Test {
protected:
    std::string job(const std::string& name, std::string_view math, std::string_view more = {}) const {
        std::string text = "arch = \"blackhole\"\n";
        text += more;
        return directory_.write(name, text + "\n[threads]\nmath = [\"\"\"" + std::string(math) + "\"\"\"]\n");
    }
    void refuses(const Arguments& arguments, std::string_view reported) {
        const auto files = directory_.files();
        test::expect_refused(run_cli(arguments), {std::string(reported)});
        EXPECT_EQ(directory_.files(), files);
    }
    std::string ends(const Arguments& arguments, int status) {
        const auto outcome = run_cli(arguments);
        EXPECT_EQ(outcome.status, status) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        return outcome.out;
    }

    test::TemporaryDirectory directory_;
};

TEST_F(ToolsCli, RecordWritesACaseThatPasses) {
    const auto path = job("job.toml", "INCRWC rwc_d=5\n.gpr 3 = N\n", "[symbols]\nN = 7\n");
    const auto case_path = directory_ / "case.json";
    EXPECT_EQ(ends({"record", path, "-o", case_path, "--symbol", "N=9", "--dump", "0x20:4", "--dump", "64:2", "--name",
                    "some", "--note", "why"},
                   0),
              "");
    const Json recorded = Json::parse(test::contents(case_path));
    EXPECT_EQ(recorded.at("name"), "some");
    EXPECT_EQ(recorded.at("note"), "why");
    EXPECT_EQ(recorded.at("reset"), "silicon");
    EXPECT_EQ(recorded.at("timing"), "silicon");
    EXPECT_EQ(recorded.at("dump"), Json::parse(R"([{"addr": 32, "len": 4}, {"addr": 64, "len": 2}])"));
    EXPECT_EQ(recorded.at("expect").at("l1").at(1).at("hex"), "0000");
    EXPECT_EQ(recorded.at("expect").at("gpr"), Json::parse(R"({"1": {"3": 9}})"));
    EXPECT_THAT(ends({"check", case_path}, 0), HasSubstr("1 passed"));
    EXPECT_EQ(ends({"record", case_path}, 0), test::contents(case_path));
}

TEST_F(ToolsCli, RecordLeavesNothingOfWhatGoesWrong) {
    const auto bad = job("bad.toml", ".ttinsn 0xFF000000\n"), good = job("good.toml", "NOP\n"),
               out = directory_ / "case.json";
    const auto outcome = run_cli({"record", bad, "-o", out});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("fault "));
    EXPECT_EQ(directory_.files(), 2u);
    for (const char* dump : {"32", "32:", ":4", "x:4", "0x20:0", "-1:4", "0x20:4:5"})
        refuses({"record", good, "-o", out, "--dump", dump}, "[cli.dump]");
    refuses({"record", good, "-o", out, "--dump", "0x180000:1"}, "[l1.range]");
    refuses({"record", good, "-o", out, "--reference"}, "[record.reference]");
    refuses({"record", good, "-o", directory_ / "none/case.json"}, "[cli.write]");
    refuses({"record", directory_ / "none.toml", "-o", out}, "[job.open]");
    refuses({"record", directory_.write("broken.json", "{\"format\": 1}")}, "[case.");
}

TEST_F(ToolsCli, ReduceWritesTheSmallerJob) {
    const auto path = job("hangs.toml", ".repeat 30\nNOP\n.end\nSEMWAIT wait_sem_cond=1 sem_sel=4\nSETRWC\nINCRWC\n");
    const auto small = directory_ / "small.toml";
    const auto reported = ends({"reduce", path, "-o", small}, 0);
    EXPECT_THAT(reported, testing::StartsWith("2 of 33 ops and 0 of 0 bytes of L1 are left after "));
    EXPECT_THAT(reported, HasSubstr("\nkept: deadlock: "));
    const auto again = run_cli({"run", small});
    EXPECT_EQ(again.status, 1);
    EXPECT_THAT(again.out, HasSubstr("fault deadlock"));
    EXPECT_EQ(ends({"reduce", path}, 0), test::contents(small));
    const Json json = Json::parse(ends({"reduce", path, "--json"}, 0));
    EXPECT_EQ(json.at("ops"), 2);
    EXPECT_EQ(json.at("ops_before"), 33);
    EXPECT_EQ(json.at("complete"), true);
    EXPECT_EQ(json.at("job"), test::contents(small));
    EXPECT_FALSE(Json::parse(ends({"reduce", path, "--json", "-o", small}, 0)).contains("job"));
    EXPECT_EQ(Json::parse(ends({"reduce", path, "--json", "--limit", "1"}, 0)).at("runs"), 1);

    const auto out = directory_ / "out.toml";
    refuses({"reduce", path, "-o", directory_ / "small.json"}, "[reduce.name]");
    refuses({"reduce", path, "-o", directory_ / "small.txt"}, "[reduce.name]");
    refuses({"reduce", path, "-o", out, "--keep", "no.such"}, "[reduce.keep]");
    refuses({"reduce", path, "-o", out, "--keep", "hazard.dst"}, "[reduce.good]");
    refuses({"reduce", path, "--limit", "0"}, "[cli.usage]");
    const auto good = job("good.toml", "NOP\n");
    refuses({"reduce", good, "-o", out}, "[reduce.good]");
    refuses({"reduce", good, "-o", out, "--reference"}, "[reduce.good]");
}

// As `run` says it of a front end that waits for nothing.
TEST_F(ToolsCli, ReduceSaysWhatRuns) {
    const auto path = job("long.toml", ".repeat 100\nNOP\n.end\n", "max_cycles = 50\n");
    EXPECT_THAT(ends({"reduce", path, "--limit", "1"}, 0), AllOf(HasSubstr("no-progress: "), HasSubstr("; T1 front end runs\n")));
}

// Without a clock, writes are not reported.
TEST_F(ToolsCli, FunctionalTimingIsRefusedWhereWritesAreNeeded) {
    const auto path = job("job.toml", ".gpr 3 = 9\n"), good = directory_ / "good.json";
    const Arguments functional = {"--timing", "functional"};
    const auto with = [](Arguments command, const Arguments& more) {
        command.insert(command.end(), more.begin(), more.end());
        return command;
    };
    test::expect_refused(run_cli(with({"record", path}, functional)), {path, "bytes of L1", "--dump", "[run.functional]"});
    ends(with({"record", path, "-o", good, "--dump", "0x20:4"}, functional), 0);
    for (const char* side : {"--a-timing", "--b-timing"})
        test::expect_refused(run_cli({"diff", path, path, side, "functional"}), {path, "what each instruction writes", "[run.functional]"});
    Json wrong = Json::parse(test::contents(good));
    wrong["expect"]["gpr"]["1"]["3"] = 10;
    const auto broken = directory_.write("wrong.json", wrong.dump());
    test::expect_refused(run_cli({"reduce", broken}), {broken, "the instruction that wrote it", "[run.functional]"});
}

TEST_F(ToolsCli, DiffOfTwoRuns) {
    const auto a = job("a.toml", "NOP\nINCRWC rwc_d=5\n"), b = job("b.toml", "NOP\nINCRWC rwc_d=6\n");
    EXPECT_THAT(ends({"diff", a, a}, 0), HasSubstr("the end states are the same"));
    EXPECT_THAT(ends({"diff", a, a, "--b-reference"}, 0), HasSubstr("the end states are the same"));
    const auto reported = ends({"diff", a, b}, 1);
    for (const char* part : {"the first instruction that is another one:", "A: T1 op 1, cycle ", ": INCRWC rwc_d=5 (",
                             "B: T1 op 1, cycle ", ": INCRWC rwc_d=6 (", "rwc thread 1 dst", "A: 0x5", "B: 0x6"})
        EXPECT_THAT(reported, HasSubstr(part));
    const Json json = Json::parse(ends({"diff", a, b, "--json"}, 1));
    EXPECT_EQ(json.at("same"), false);
    EXPECT_EQ(json.at("state").at("a"), 5);
    EXPECT_EQ(json.at("state").at("b_writer").at("text"), "INCRWC rwc_d=6");
    EXPECT_EQ(json.at("instruction").at("a").at("index"), 1);
    EXPECT_EQ(json.at("before"), nullptr);

    refuses({"diff", a}, "[cli.usage]");
    refuses({"diff", a, directory_ / "none.toml"}, "[job.open]");
    refuses({"diff", a, b, "--b-timing", "late"}, "[cli.timing]");
    refuses({"diff", a, b, "--b-timing", "documented", "--b-reference"}, "[cli.timing]");
    refuses({"diff", a, b, "--a-seed", "-1"}, "[cli.usage]");
    refuses({"diff", a, b, "--expected"}, "[diff.expect]");
    refuses({"diff", a, directory_.write("w.toml", "arch = \"wormhole\"\n")}, "[diff.arch]");
}

// Beside the second implementation a run has its timing, unless it is asked for another one.
TEST_F(ToolsCli, DiffSetsTheOptionsOfEachSide) {
    const auto a = job("a.toml", "NOP\n.repeat 20\nSTALLWAIT stall_res=511 wait_res=16\nSETRWC\n.end\n");
    auto cycles = [&](const Arguments& more) {
        Arguments arguments = {"diff", a, a, "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Json json = Json::parse(ends(arguments, 0));
        return std::pair<int, int>(json.at("a").at("cycles"), json.at("b").at("cycles"));
    };
    const auto [documented, also] = cycles({});
    EXPECT_EQ(documented, also);
    const auto [instant, reference] = cycles({"--b-reference"});
    EXPECT_EQ(instant, reference);
    EXPECT_EQ(cycles({"--a-timing", "documented", "--b-reference"}).first, documented);
    EXPECT_EQ(cycles({"--b-timing", "instant"}), std::pair(documented, instant));
    EXPECT_NE(cycles({"--b-seed", "2"}).second, documented);
}

TEST_F(ToolsCli, DiffChangesBothJobs) {
    const auto a = job("a.toml", ".cfg ADDR_MOD_DST_SEC0_DestIncr = 8\n.gpr 3 = N\n", "[symbols]\nN = 7\n"),
               b = job("b.toml", ".cfg ADDR_MOD_DST_SEC0_DestIncr = 4\n.gpr 3 = N\n", "[symbols]\nN = 9\n");
    const Arguments with_register = {"diff", a, b, "--register", "ADDR_MOD_DST_SEC0_DestIncr=2"};
    EXPECT_THAT(ends(with_register, 1), AllOf(HasSubstr("gpr"), Not(HasSubstr("ADDR_MOD_DST_SEC0_DestIncr"))));
    for (const Arguments& more : {Arguments{"--symbol", "N=5"}, {"--set", "symbols.N=5"}}) {
        Arguments same = with_register;
        same.insert(same.end(), more.begin(), more.end());
        EXPECT_THAT(ends(same, 0), HasSubstr("the end states are the same"));
    }
    refuses({"diff", a, b, "--register", "ADDR_MOD_DST_SEC0_DestIncr=x"}, "[cli.register]");
}

TEST_F(ToolsCli, DiffOfStatesAndTraces) {
    const auto a = job("a.toml", "INCRWC rwc_d=5\n"), b = job("b.toml", "INCRWC rwc_d=6\n");
    for (const char* name : {"a", "b"}) {
        ends({"record", directory_ / (std::string(name) + ".toml"), "-o", directory_ / (std::string(name) + ".json")},
             0);
        ends({"trace", directory_ / (std::string(name) + ".toml"), "-o", directory_ / (std::string(name) + ".jsonl")},
             0);
    }
    const auto states = ends({"diff", directory_ / "a.json", directory_ / "b.json", "--expected"}, 1);
    EXPECT_THAT(states, HasSubstr(", 1 different\nfirst:\n  rwc thread 1 dst\n    A: 0x5\n    B: 0x6\n"));
    EXPECT_THAT(ends({"diff", directory_ / "a.json", directory_ / "a.json", "--expected"}, 0),
                HasSubstr(", 0 different"));
    EXPECT_THAT(ends({"diff", directory_ / "a.json", b}, 1), HasSubstr("the first instruction that is another one"));
    const auto traces = ends({"diff", directory_ / "a.jsonl", directory_ / "b.jsonl"}, 1);
    EXPECT_THAT(traces, HasSubstr("B: T1 op 0: ttincrwc 0,6,0,0 in matrix"));
    EXPECT_EQ(ends({"diff", directory_ / "a.jsonl", directory_ / "a.jsonl"}, 0),
              "the same 1 instruction\nin the same cycles\n");
    EXPECT_EQ(Json::parse(ends({"diff", directory_ / "a.jsonl", directory_ / "b.jsonl", "--json"}, 1)).at("time"),
              nullptr);
    // The file that is no trace is named, whichever it is.
    for (const std::string& other : {b, directory_ / "a.json", directory_.write("empty.jsonl", "")})
        for (const Arguments& both : {Arguments{"diff", directory_ / "a.jsonl", other}, {"diff", other, directory_ / "a.jsonl"}})
            test::expect_refused(run_cli(both), {other + ":", "not a trace", "[trace.format]"});
    test::expect_refused(run_cli({"diff", directory_ / "a.jsonl", directory_ / "none.jsonl"}), {"none.jsonl: ", "[trace.open]"});
    refuses({"diff", directory_ / "a.jsonl", "-"}, "[cli.usage]");
}

TEST_F(ToolsCli, DiffRefusesOptionsWithoutEffect) {
    const auto a = job("a.toml", "NOP\n"), state = directory_ / "a.json", trace = directory_ / "a.jsonl";
    ends({"record", a, "-o", state}, 0);
    ends({"trace", a, "-o", trace}, 0);
    refuses({"diff", trace, trace, "--expected"}, "[cli.usage]");
    for (const Arguments& option : std::vector<Arguments>{{"--a-seed", "1"},
                                                          {"--b-timing", "instant"},
                                                          {"--b-reference"},
                                                          {"--max-cycles", "9"},
                                                          {"--timeout", "9"},
                                                          {"--max-memory", "9G"},
                                                          {"--finding", "hazard.dst=off"},
                                                          {"--symbol", "A=1"},
                                                          {"--register", "A=1"},
                                                          {"--set", "seed=1"}})
        for (Arguments command : std::vector<Arguments>{{"diff", trace, trace}, {"diff", state, state, "--expected"}}) {
            command.insert(command.end(), option.begin(), option.end());
            test::expect_refused(run_cli(command), {option[0] + " is for runs", "[cli.usage]"});
        }
}

TEST_F(ToolsCli, ThePageShowsWhatTheCommandsPrint) { EXPECT_EQ(test::check_page("record-reduce-diff.md"), 10u); }

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// Limits of this computer: --timeout and --max-memory of commands, bounds of files, and what a process that is killed leaves behind.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "support/cli_process.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using test::run_cli;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

std::string job_text(std::string_view ops, std::string_view output) {
    return fmt::format("arch = \"blackhole\"\nthreads.math = [{}]\n"
                       "[[output]]\naddr = 0\nshape = [512, 512]\nformat = \"Float32\"\nnpy = \"{}\"\n",
                       ops, output);
}

class Limits : public testing::Test {
protected:
    Limits() {
        // A MOP of 127 x 127 instructions, again and again: minutes to run, quick to load.
        std::string lines = "\".mop 0 = 127\", \".mop 1 = 127\", ";
        for (int i = 2; i < 9; ++i) lines += fmt::format("\".mop {} = ttnop\", ", i);
        lines += "\".repeat 1000000\", \"MOP mop_type=1\", \".end\"";
        long_ = directory_.write("long.toml", job_text(lines, "c.npy"));
        quick_ = directory_.write("quick.toml", job_text("\".repeat 3000\", \"NOP\", \".end\"", "c.npy"));
    }

    test::TemporaryDirectory directory_;
    std::string long_, quick_;
};

TEST_F(Limits, EachCommandEndsInTimeAndSaysWhy) {
    const std::vector<std::pair<Arguments, std::string>> commands = {
        {{"run", long_}, "fault limit.time: "},
        {{"run", long_, "--timing", "functional"}, "fault limit.time: "},
        {{"trace", long_, "--report"}, "fault limit.time: "},
        {{"race", long_}, "interrupted after 0 schedules"},
        {{"race", quick_, "--runs", "100000"}, "interrupted after "},
        {{"diff", long_, quick_}, "[diff.interrupted]"},
        {{"record", long_, "-o", directory_ / "case.json"}, "limit.time"},
        {{"reduce", long_, "-o", directory_ / "small.toml"}, "[reduce.interrupted]"}};
    for (auto [command, reason] : commands) {
        command.insert(command.end(), {"--timeout", "0.3"});
        SCOPED_TRACE(fmt::format("{}", fmt::join(command, " ")));
        const auto began = std::chrono::steady_clock::now();
        const auto outcome = run_cli(command);
        EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
        EXPECT_THAT(outcome.out + outcome.err, HasSubstr(reason));
        EXPECT_TRUE(outcome.status == 1 || outcome.status == 2) << outcome.status;
    }
    for (const char* const name : {"c.npy", "case.json", "small.toml"}) EXPECT_FALSE(fs::exists(directory_ / name)) << name;
}

TEST_F(Limits, CheckCountsOnlyCasesThatEndedInTime) {
    const std::string quick = directory_ / "quick.json";
    ASSERT_EQ(run_cli({"record", quick_, "-o", quick}).status, 0);
    Arguments command = {"check"};
    command.insert(command.end(), 20'000, quick);
    command.insert(command.end(), {"--timeout", "0.2", "-j", "1"});
    const auto outcome = run_cli(command);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.out, HasSubstr("of 20000 cases have ended\n"));
    EXPECT_THAT(outcome.out, HasSubstr("0 failed\n"));
}

TEST_F(Limits, ARunWithTimeAndMemoryIsTheSame) {
    EXPECT_EQ(run_cli({"run", quick_, "--timeout", "500", "--max-memory", "60G"}).out, run_cli({"run", quick_}).out);
}

TEST_F(Limits, MemoryHasALimit) {
    for (const char* const timing : {"documented", "functional"}) {
        const auto outcome = run_cli({"run", long_, "--timing", timing, "--max-memory", "1M"});
        EXPECT_EQ(outcome.status, 1);
        EXPECT_THAT(outcome.out + outcome.err, HasSubstr("fault limit.memory: "));
    }
    EXPECT_FALSE(fs::exists(directory_ / "c.npy"));
}

TEST_F(Limits, WrongLimitsAreRefused) {
    for (const std::string text : {"0", "-1", "x", "", "1e3", "1s", "nan", "inf", "2000000000"})
        test::expect_refused(run_cli({"run", quick_, "--timeout=" + text}), {"--timeout", "[cli.usage]"});
    for (const std::string text : {"0", "-1", "x", "G", "1T", "1.5G", "99999999999G", "1 M"})
        test::expect_refused(run_cli({"run", quick_, "--max-memory=" + text}), {"--max-memory", "[cli.usage]"});
}

TEST_F(Limits, FilesThatAreTooLargeAreRefusedUnread) {
    const auto sparse = [&](const std::string& name, std::uintmax_t size) {
        const std::string path = directory_.write(name, "");
        fs::resize_file(path, size);
        return path;
    };
    const std::string text = sparse("huge.toml", (64u << 20) + 1), array = sparse("huge.npy", (std::uintmax_t{4} << 30) + 1);
    test::expect_refused(run_cli({"run", text}), {"it has 67108865 bytes, and at most 67108864 are read"});
    test::expect_refused(run_cli({"asm", sparse("huge.tts", (64u << 20) + 1)}), {"at most 67108864 are read"});
    test::expect_refused(run_cli({"tile", array, directory_ / "out.bin", "--format", "Float32"}), {"at most 4294967296 are read"});
    for (const std::string& dump : {std::string("/dev/zero"), sparse("huge.txt", (64u << 20) + 1)})
        test::expect_refused(run_cli({"regs", "--arch", "blackhole", "--dump", dump}), {"67108864", "[regs.open]"});
}

TEST_F(Limits, StandardInputHasABound) {
    const auto outcome = test::run_cli_in({.input = std::string((64u << 20) + 1, ' '), .folder = {}, .file_size_limit = {}}, {"run", "-"});
    test::expect_refused(outcome, {"67108864", "[cli.read]"});
}

// Whatever is written: the old contents or the new ones, and no other file.
TEST_F(Limits, AKilledProcessLeavesNoPartialFile) {
    const fs::path folder = directory_ / "out";
    const std::string out = folder / "file.json";
    const std::string job = directory_.write("out.toml", job_text("\"NOP\"", out));
    const std::vector<Arguments> ways = {{"run", job},
                                         {"trace", quick_, "-o", out},
                                         {"trace", quick_, "--perfetto", out},
                                         {"trace", quick_, "--html", out},
                                         {"record", quick_, "-o", out}};
    std::mt19937 random(5);
    unsigned killed = 0, whole = 0;
    for (const auto& way : ways) {
        SCOPED_TRACE(fmt::format("{}", fmt::join(way, " ")));
        fs::create_directory(folder);
        const auto began = std::chrono::steady_clock::now();
        ASSERT_EQ(run_cli(way).status, 0);
        const auto took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began);
        const std::string expected = test::contents(out);
        ASSERT_GT(expected.size(), 1000u);
        for (unsigned i = 0; i < 24; ++i) {
            fs::remove_all(folder);
            fs::create_directory(folder);
            if (i % 2) std::ofstream(out) << "precious";
            test::CliProcess process(way);
            process.kill_after(std::chrono::microseconds(random() % (took.count() + 1)));
            killed += process.wait().status == -1;
            for (const auto& entry : fs::directory_iterator(folder)) {
                const std::string now = test::contents(entry.path());
                EXPECT_TRUE(now == expected || (entry.path() == out && i % 2 && now == "precious")) << entry.path() << ": " << now.size();
                whole += now == expected;
            }
            EXPECT_TRUE(i % 2 == 0 || fs::exists(out));
        }
    }
    EXPECT_GT(killed, 20u);
    EXPECT_GT(whole, 0u);
}

}  // namespace
}  // namespace tessera

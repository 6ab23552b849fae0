// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM during commands: they report it, compare no partial results, and leave no partial output.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/cli_process.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using Arguments = std::vector<std::string>;

class Interrupts : public testing::Test {
protected:
    Interrupts() {
        // A MOP of 127 x 127 instructions, again and again: long to run, quick to load.
        std::string lines = "\".mop 0 = 127\", \".mop 1 = 127\", ";
        for (int i = 2; i < 9; ++i) lines += fmt::format("\".mop {} = ttnop\", ", i);
        lines += "\".repeat 20000\", \"MOP mop_type=1\", \".end\"";
        job_ =
            directory_.write("long.toml", fmt::format("arch = \"blackhole\"\nthreads.math = [{}]\n{}", lines, output));
        quick_ =
            directory_.write("quick.toml", fmt::format("arch = \"blackhole\"\nthreads.math = [\"NOP\"]\n{}", output));
        hangs_ = directory_.write("hangs.toml", "arch = \"blackhole\"\nthreads.math = [" + lines +
                                                    ", \"SEMWAIT stall_res=1 sem_sel=1 wait_sem_cond=1\", \"NOP\"]\n");
    }

    test::CliOutcome interrupted(const Arguments& arguments, int signal = SIGINT) const {
        test::CliProcess process(arguments);
        process.interrupt(signal);
        return process.wait();
    }

    static constexpr std::string_view output =
        "[[output]]\naddr = 0\nshape = [32, 32]\nformat = \"Float32\"\nnpy = \"c.npy\"\n";
    test::TemporaryDirectory directory_;
    std::string job_, quick_, hangs_;
};

TEST_F(Interrupts, EachCommandEndsWithTheSignalsStatus) {
    const std::vector<Arguments> commands = {{"run", job_},
                                             {"diff", job_, job_},
                                             {"diff", quick_, job_},
                                             {"race", job_},
                                             {"race", quick_, "--runs", "100000"},
                                             {"reduce", hangs_},
                                             {"record", job_}};
    for (const auto& command : commands)
        for (const auto& [signal, status] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
            SCOPED_TRACE(fmt::format("{} {}", fmt::join(command, " "), signal));
            const auto outcome = interrupted(command, signal);
            EXPECT_EQ(outcome.status, status);
            EXPECT_THAT(outcome.out + outcome.err, HasSubstr("interrupted"));
        }
    EXPECT_FALSE(fs::exists(directory_ / "c.npy"));
}

TEST_F(Interrupts, DiffComparesNothing) {
    const auto outcome = interrupted({"diff", job_, quick_});
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("[diff.interrupted]"));
}

TEST_F(Interrupts, RaceComparesOnlySchedulesThatEnded) {
    const auto none = interrupted({"race", job_});
    EXPECT_EQ(none.out, "interrupted after 0 schedules\n");
    const auto some = interrupted({"race", quick_, "--runs", "100000", "--json"});
    const auto json = nlohmann::json::parse(some.out);
    EXPECT_EQ(json["interrupted"], true);
    EXPECT_EQ(json["same"], true) << some.out;  // a schedule that was cut off would be another outcome
    EXPECT_LT(json["schedules"], 100001);
}

TEST_F(Interrupts, CheckCountsOnlyCasesThatEnded) {
    const std::string quick = directory_ / "quick.json", list = directory_ / "list.txt";
    ASSERT_EQ(test::run_cli({"record", quick_, "-o", quick}).status, 0);
    auto slow = nlohmann::json::parse(test::contents(quick));
    slow["timing"] = "documented";
    nlohmann::json ops = {{{"mop", {0, 127}}}, {{"mop", {1, 127}}}};
    for (int i = 2; i < 9; ++i) ops.push_back({{"mop", {i, 0x02000000}}});
    for (int i = 0; i < 20'000; ++i) ops.push_back({{"ins", 0x01800000}});
    slow["threads"][1] = ops;
    slow["note"] = "";
    const std::string late = directory_.write("slow.json", slow.dump());
    for (const char* threads : {"1", "2"}) {
        const auto outcome = interrupted({"check", quick, late, quick, "-j", threads, "--write-not-yet", list});
        EXPECT_EQ(outcome.status, 130);
        EXPECT_THAT(outcome.out, HasSubstr("interrupted: 1 of 3 cases have ended\n"));
        EXPECT_THAT(outcome.out, HasSubstr("1 passed, 0 not implemented, 0 failed\n"));
        EXPECT_FALSE(fs::exists(list));
    }
}

// No op can be left out: the address is beyond L1 only after all of them have counted. To find this takes thousands of runs.
TEST_F(Interrupts, ReduceKeepsTheBestSoFar) {
    constexpr unsigned increments = 3000, low = 0x8000 - increments;  // L1 ends at 0x18000 lines of 16 bytes
    std::string lines = fmt::format(
        "\"SETDMAREG Payload_SigSelSize={} Payload_SigSel={} RegIndex16b=8\", \"SETDMAREG Payload_SigSel=1 "
        "RegIndex16b=9\", ",
        low >> 14, low & 0x3FFF);
    for (unsigned i = 0; i < increments; ++i)
        lines += "\"ADDDMAREG OpBisConst=1 ResultRegIndex=4 OpBRegIndex=1 OpARegIndex=4\", ";
    lines += "\"STOREIND MemHierSel=1 RegSizeSel=1 DataRegIndex=8 AddrRegIndex=4 OffsetIndex=20\"";
    const std::string job = directory_.write("fails.toml", "arch = \"blackhole\"\nthreads.math = [" + lines + "]\n");
    const std::string small = directory_ / "small.toml";
    const auto outcome = interrupted({"reduce", job, "-o", small});
    EXPECT_EQ(outcome.status, 130);
    EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
    if (fs::exists(small)) {
        EXPECT_THAT(test::run_cli({"run", small}).out, HasSubstr("fault scalar.l1-address"));
    }
}

}  // namespace
}  // namespace tessera

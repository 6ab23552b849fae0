// SPDX-License-Identifier: Apache-2.0
// tessera regs: output, exit statuses, and error output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using test::run_cli;
using test::TemporaryDirectory;
using testing::AllOf;
using testing::HasSubstr;
using Json = nlohmann::json;

class RegsCli : public testing::Test {
protected:
    static std::string out(std::vector<std::string> arguments, int status = 0) {
        arguments.insert(arguments.begin(), "regs");
        const auto outcome = run_cli(arguments);
        EXPECT_EQ(outcome.status, status) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        return outcome.out;
    }
    static Json json(std::vector<std::string> arguments, int status = 0) {
        arguments.push_back("--json");
        return Json::parse(out(std::move(arguments), status));
    }
    static void refuses(std::vector<std::string> arguments, std::string_view reported) {
        arguments.insert(arguments.begin(), "regs");
        test::expect_refused(run_cli(arguments), {std::string(reported)});
    }
    static std::string text_of(const Json& list, std::string_view name, std::string_view where = "") {
        for (const auto& one : list)
            if (one["name"] == name && (where.empty() || one["where"] == where)) return one["text"];
        return "(none)";
    }

    TemporaryDirectory directory_;
    std::string job_ = directory_.write("job.toml", R"(arch = "blackhole"
[threads]
unpack = [".gpr 3 = 7", "SETC16 setc16_reg=28 setc16_value=0x8", { drain = true }, "NOP",
          "SETC16 setc16_reg=28 setc16_value=0x800", { drain = true }, "NOP", { cfg = [72, 5] }]
)");
};

TEST_F(RegsCli, LooksUpAName) {
    EXPECT_THAT(out({"THCON_SEC0_REG2_Out_data_format", "--value", "5"}),
                AllOf(HasSubstr("ADDR32   72\n"), HasSubstr("bits     3:0\n"), HasSubstr("5: Float16_b\n")));
    const Json wormhole = json({"THCON_SEC0_REG2_Out_data_format", "--arch", "wormhole"});
    EXPECT_EQ(wormhole["fields"][0]["addr32"], 60);
    EXPECT_FALSE(wormhole["fields"][0].contains("value"));
}

TEST_F(RegsCli, DecodesAWord) {
    const Json word = json({"1", "--value", "0x0a000000"});
    EXPECT_EQ(text_of(word["fields"], "ALU_FORMAT_SPEC_REG2_Dstacc"), "Float16_b");
    const Json thread = json({"12", "--thread", "--value", "32"});
    EXPECT_EQ(text_of(thread["fields"], "ADDR_MOD_AB_SEC0_SrcAIncr"), "32");
    EXPECT_THAT(out({"9"}), HasSubstr("no field"));
}

TEST_F(RegsCli, ListsFields) {
    EXPECT_EQ(json({"--list"})["fields"].size(), 850u);
    EXPECT_EQ(json({"--list", "--arch", "wormhole"})["fields"].size(), 821u);
    EXPECT_EQ(json({"--list", "stacc_relu"})["fields"].size(), 2u);
    refuses({"--list", "no-such-thing"}, "[cli.pattern]");
}

TEST_F(RegsCli, ListsWhatAJobHasSet) {
    const Json end = json({"--job", job_});
    EXPECT_EQ(text_of(end["registers"], "ADDR_MOD 0", "T0"), "Dst cleared");
    EXPECT_EQ(text_of(end["registers"], "THCON_SEC0_REG2_Out_data_format", "bank 0"), "Float16_b");
    EXPECT_EQ(text_of(end["registers"], "register 3", "T0"), "0x7");
    EXPECT_EQ(text_of(end["registers"], "ADDR_MOD 0", "T1"), "(none)");
    EXPECT_THAT(out({"--job", job_}), AllOf(HasSubstr("\naddr-mod\n"), HasSubstr("\ngpr\n")));
}

TEST_F(RegsCli, AJobTakesValuesFromOutside) {
    const auto job = directory_.write("outside.toml", R"(arch = "blackhole"
[symbols]
N = 7
[threads]
unpack = [".gpr 3 = N", ".cfg THCON_SEC0_REG2_Out_data_format = 5"]
)");
    const Json changed = json({"--job", job, "--symbol", "N=9", "--register", "THCON_SEC0_REG2_Out_data_format=Bfp8_b"});
    EXPECT_EQ(text_of(changed["registers"], "register 3", "T0"), "0x9");
    EXPECT_EQ(text_of(changed["registers"], "THCON_SEC0_REG2_Out_data_format", "bank 0"), "Bfp8_b");
    EXPECT_EQ(text_of(json({"--job", job, "--set", "symbols.N=10"})["registers"], "register 3", "T0"), "0xA");
    refuses({"--job", job, "--set", "N"}, "[cli.set]");
}

TEST_F(RegsCli, ComparesTwoMoments) {
    // Ops 3 and 6 are the NOPs; a drain stands before each.
    const Json before = json({"--job", job_, "--at", "T0:3"});
    EXPECT_EQ(text_of(before["registers"], "ADDR_MOD 0", "T0"), "Dst + 8");
    const Json first = json({"--job", job_, "--at", "T0:1"});
    EXPECT_EQ(text_of(first["registers"], "ADDR_MOD 0", "T0"), "(none)");
    const Json changes = json({"--job", job_, "--at", "T0:3", "--and", "T0:6"})["changes"];
    ASSERT_EQ(changes.size(), 1u) << changes;
    EXPECT_EQ(changes[0]["name"], "ADDR_MOD 0");
    EXPECT_EQ(changes[0]["before"]["text"], "Dst + 8");
    EXPECT_EQ(changes[0]["text"], "Dst cleared");
    EXPECT_THAT(out({"--job", job_, "--at", "T0:3", "--and", "T0:3"}), HasSubstr("nothing differs"));
    // The earlier moment comes first, whatever the order of the options.
    const Json turned = json({"--job", job_, "--at", "T0:6", "--and", "T0:3"});
    EXPECT_EQ(turned["changes"], changes);
    EXPECT_EQ(turned["moments"], Json({"T0:3", "T0:6"}));
}

// A line is as good as a number: the first issue from it counts.
TEST_F(RegsCli, TakesLines) {
    directory_.write("math.tts", "SETC16 setc16_reg=28 setc16_value=0x8\n.drain\n.repeat 2\nNOP\n.end\n");
    const auto job = directory_.write("lines.toml", "arch = \"blackhole\"\n[threads]\nmath = \"math.tts\"\n");
    EXPECT_EQ(text_of(json({"--job", job, "--at", "math.tts:1"})["registers"], "ADDR_MOD 0", "T1"), "(none)");
    for (const char* place : {"math.tts:4", ":4", "T1:2"})
        EXPECT_EQ(text_of(json({"--job", job, "--at", place})["registers"], "ADDR_MOD 0", "T1"), "Dst + 8") << place;
    refuses({"--job", job, "--at", "math.tts:9"}, "math.tts:9: no op comes from math.tts:9 [cli.moment]");
    refuses({"--job", job, "--at", ":2"}, ":2: no instruction stands there");
}

TEST_F(RegsCli, RefusesMomentsThatDoNotExist) {
    for (const char* moment : {"T3:0", "5", "T0:", "T0:x", "T0:-1", "T0:8", "T1:0", "T0:0", "T0:99999999999999999999"})
        refuses({"--job", job_, "--at", moment}, "[cli.moment]");
    refuses({"--job", job_, "--at", "PACR"},
            "'PACR' is not the place of an op: T0:5 (op 5 of thread 0), FILE:LINE or :LINE; 'tessera explain JOB "
            "--instruction PACR' lists the ops of an instruction");
    refuses({"--job", job_, "--and", "T0:3"}, "[cli.usage]");
}

TEST_F(RegsCli, AJobThatGoesWrongStillTells) {
    const auto wrong = directory_.write("wrong.toml", R"(arch = "blackhole"
[threads]
math = ["SETC16 setc16_reg=28 setc16_value=0x800", { drain = true }, "ATGETM mutex_index=1"]
)");
    EXPECT_THAT(out({"--job", wrong}, 1), AllOf(HasSubstr("Dst cleared"), HasSubstr("sync.mutex-index")));
}

TEST_F(RegsCli, ReadsADump) {
    const auto dump = directory_.write("card.txt", "72 5\nthread 1\n28 0x800\n");
    const Json card = json({"--dump", dump, "--arch", "blackhole"});
    EXPECT_EQ(text_of(card["registers"], "THCON_SEC0_REG2_Out_data_format", "bank 0"), "Float16_b");
    EXPECT_EQ(text_of(card["registers"], "ADDR_MOD 0", "T1"), "Dst cleared");
    const auto bad = directory_.write("bad.txt", "72 5\n224 1\n");
    refuses({"--dump", bad}, bad + ":2:1: ");
    refuses({"--dump", directory_ / "absent"}, "[regs.open]");
    refuses({"--dump", directory_ / ""}, "[regs.open]");
}

TEST_F(RegsCli, RefusesBadUsage) {
    refuses({}, "[cli.usage]");
    refuses({"STACC_RELU_ApplyRelu", "--job", job_}, "[cli.usage]");
    refuses({"NO_SUCH_FIELD_AT_ALL"}, "[regs.unknown-field]");
    refuses({"STACC_RELU_ApplyRelu", "--value", "16"}, "[regs.value]");
    refuses({"STACC_RELU_ApplyRelu", "--value", "x"}, "[cli.number]");
    refuses({"3", "--thread", "--value", "70000"}, "[regs.value]");
    refuses({"STACC_RELU_ApplyRelu", "--thread"}, "[cli.usage]");
    refuses({"224"}, "[regs.address]");
    refuses({"68", "--thread"}, "[regs.address]");
    refuses({"0x"}, "[cli.number]");
    refuses({"1", "--arch", "grayskull"}, "[cli.arch]");
    refuses({"--job", directory_ / "absent.toml"}, "[job.open]");
}

}  // namespace
}  // namespace tessera

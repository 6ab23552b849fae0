// SPDX-License-Identifier: Apache-2.0
// Jobs with a grid recorded as cases, and then checked.
#include "tessera/chip_case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/grid_job.hpp"
#include "support/cli_process.hpp"
#include "support/run_cli.hpp"
#include "tessera/case.hpp"
#include "tessera/check.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;
using test::GridKernel;
using testing::HasSubstr;

class ChipCases : public testing::TestWithParam<Arch> {
protected:
    ChipCase job(unsigned first = 11) const {
        ChipCase what;
        what.name = "grid";
        what.job = grid_.load(first);
        return what;
    }
    ChipCase recorded(std::span<const ChipRange> dump = {}) const { return record(job(), dump).value().recorded.value(); }
    std::string write(const std::string& text) const { return grid_.directory().write("case.json", text); }
    CheckResult check(const std::string& text) const { return check_case(write(text)).value(); }
    /// The code of a case with a change to its JSON.
    template <class F>
    std::string refused(F&& change) const {
        Json json = Json::parse(format_chip_case(recorded()));
        change(json);
        const auto result = check_case(write(json.dump()));
        return result ? "none" : result.error().code;
    }
    const std::byte* expected(const ChipCase& what, const ChipRange& place) const {
        for (const auto& [where, bytes] : what.expect)
            if (where.channel == place.channel && where.column == place.column && where.address <= place.address &&
                place.address < where.address + where.length)
                return &bytes[place.address - where.address];
        return nullptr;
    }
    test::GridJob grid_{GetParam(), 3};
};

TEST_P(ChipCases, AreNoJobs) {
    const std::string path = write(format_chip_case(recorded()));
    for (const auto& error : {load_any_job(path).error(), load_chip_job(path).error()}) {
        EXPECT_EQ(error.code, "job.unknown-key");
        EXPECT_THAT(error.message, HasSubstr("is a case, not a job: use 'tessera check'"));
    }
}

TEST_P(ChipCases, ARecordedJobPasses) {
    const ChipCase what = recorded();
    EXPECT_TRUE(what.job.outputs.empty());
    const CheckResult result = check(format_chip_case(what));
    EXPECT_EQ(result.verdict, Verdict::passed) << result.difference;
    EXPECT_EQ(result.name, "grid");
    EXPECT_EQ(result.arch, GetParam());
    EXPECT_GT(result.run.cycles, 0u);
    Chip chip = prepare(what.job).value();
    EXPECT_EQ(result.run.cycles, chip.run({.tile = what.job.options}).value().cycles);
}

// What is sent, the tiles' flags, and all of both outputs; nothing that stayed.
TEST_P(ChipCases, OutputsAndWhatChangedAreExpected) {
    const ChipCase what = recorded();
    const auto is = [&](const ChipRange& place, int value) {
        const std::byte* const byte = expected(what, place);
        ASSERT_TRUE(byte);
        EXPECT_EQ(std::to_integer<int>(*byte), value);
    };
    is({{}, 1, 0, GridKernel::message, 1}, 11);
    is({{}, 1, 0, GridKernel::message + 4, 1}, 22);
    is({0, 0, 0, 64, 1}, 11);
    for (unsigned column = 0; column < 3; ++column) is({{}, column, 0, GridKernel::flag, 1}, 1);
    EXPECT_FALSE(expected(what, {{}, 0, 0, 0x6000, 1}));
    EXPECT_FALSE(expected(what, {0, 0, 0, 80, 1}));
}

TEST_P(ChipCases, AnOutputThatDidNotChangeIsExpectedToo) {
    ChipCase zeros = job();
    zeros.job.outputs[1].what.address = 0x1000;
    const ChipCase what = record(zeros).value().recorded.value();
    const std::byte* const byte = expected(what, {0, 0, 0, 0x1000, 1});
    ASSERT_TRUE(byte);
    EXPECT_EQ(*byte, std::byte{0});
}

TEST_P(ChipCases, TheTextComesBackAsItIs) {
    const std::string text = format_chip_case(recorded());
    EXPECT_EQ(format_chip_case(load_chip_case(write(text)).value()), text);
    ChipCase other = job();
    other.note = "a note";
    other.job.options.seed = 5;
    other.job.chip.harvested = {GetParam() == Arch::blackhole ? 16u : 11u};
    other.job.chip.translation = true;
    other.job.chip.reset = Reset::vendor_sim;
    other.job.tiles[2].kernels->in_reset[0] = true;
    other.expect = {{{2u, 0, 0, 96, 2}, {std::byte{1}, std::byte{0xFE}}}};
    const ChipCase back = parse_chip_job_or_case(format_chip_case(other), "text").value();
    EXPECT_EQ(format_chip_case(back), format_chip_case(other));
    EXPECT_EQ(back.note, "a note");
    EXPECT_EQ(back.job.options.seed, 5u);
    EXPECT_EQ(back.job.chip.harvested, other.job.chip.harvested);
    EXPECT_TRUE(back.job.chip.translation);
    EXPECT_EQ(back.job.chip.reset, Reset::vendor_sim);
    EXPECT_TRUE(back.job.tiles[2].kernels->in_reset[0]);
    EXPECT_EQ(back.expect[0].where, other.expect[0].where);
}

TEST_P(ChipCases, ADifferenceNamesTheByte) {
    const std::vector<ChipRange> dump = {{{}, 1, 0, GridKernel::message, 8}, {0, 0, 0, 64, 4}};
    ChipCase what = recorded(dump);
    ASSERT_EQ(what.expect.size(), 2u);
    EXPECT_EQ(what.expect[0].where, dump[0]);
    what.expect[0].bytes[4] = std::byte{0xAB};
    const CheckResult one = check(format_chip_case(what));
    EXPECT_EQ(one.verdict, Verdict::failed);
    EXPECT_EQ(one.difference, "byte 0x20004 of L1 of tile (1, 0) is 0x16, expected 0xAB");
    what.expect[0].bytes[4] = std::byte{22};
    what.expect[1].bytes = {std::byte{1}, std::byte{2}};
    EXPECT_EQ(check(format_chip_case(what)).difference,
              "byte 0x40 of DRAM channel 0 is 0x0B, expected 0x01; 2 bytes differ");
}

TEST_P(ChipCases, RecordedAgainACaseKeepsItsRanges) {
    const std::vector<ChipRange> dump = {{0, 0, 0, 64, 4}};
    ChipCase what = recorded(dump);
    what.expect[0].bytes[0] = std::byte{99};
    const ChipCase again = record(what).value().recorded.value();
    EXPECT_EQ(format_chip_case(again), format_chip_case(recorded(dump)));
}

TEST_P(ChipCases, AFaultIsNotRecordedAndFails) {
    const ChipRecording recording = record(job(0)).value();
    EXPECT_FALSE(recording.recorded);
    EXPECT_EQ(recording.run.fault->code, "deadlock");
    const CheckResult result = check(format_chip_case(job(0)));
    EXPECT_EQ(result.verdict, Verdict::failed);
    EXPECT_THAT(result.difference, HasSubstr("deadlock"));
    EXPECT_THAT(result.difference + "\n",
                testing::EndsWith("\n" + recording.run.describe_waits() + recording.run.describe_blocked()));
    EXPECT_NE(recording.run.describe_blocked(), "");
}

TEST_P(ChipCases, WrongRangesAreRefused) {
    const auto code = [&](const ChipRange& range) { return record(job(), std::array{range}).error().code; };
    EXPECT_EQ(code({{}, 3, 0, 0, 4}), "chip.tile");
    EXPECT_EQ(code({{}, 0, 0, 0x1000'0000, 4}), "l1.range");
    EXPECT_EQ(code({8, 0, 0, 0, 4}), "chip.dram");
    EXPECT_EQ(code({0, 0, 0, std::uint64_t{1} << 40, 4}), "dram.range");
}

TEST_P(ChipCases, WrongCasesAreRefused) {
    EXPECT_EQ(refused([](Json&) {}), "none");
    EXPECT_EQ(refused([](Json& json) { json["arch"] = "grayskull"; }), "case.arch");
    EXPECT_EQ(refused([](Json& json) { json["timing"] = "slow"; }), "case.timing");
    EXPECT_EQ(refused([](Json& json) { json["timing"] = "instant"; }), "chip.timing");
    EXPECT_EQ(refused([](Json& json) { json["reset"] = 1; }), "case.syntax");
    EXPECT_EQ(refused([](Json& json) { json["reset"] = "cold"; }), "case.reset");
    EXPECT_EQ(refused([](Json& json) { json.erase("tiles"); }), "case.syntax");
    for (const Json& number : {Json(-1), Json(0), Json(1.5)})
        EXPECT_EQ(refused([&](Json& json) { json["max_cycles"] = number; }), "case.value");
    // Every key is read.
    for (const char* place : {"", "/chip", "/tiles/0", "/tiles/0/cores/brisc", "/tiles/0/cores/brisc/segments/0", "/expect/0"})
        EXPECT_EQ(refused([&](Json& json) { json[Json::json_pointer(place)]["foo"] = 1; }), "case.value") << place;
    EXPECT_EQ(refused([](Json& json) { json["chip"]["grid"] = {1}; }), "case.value");
    EXPECT_EQ(refused([](Json& json) { json["chip"]["grid"] = {100, 1}; }), "chip.grid");
    EXPECT_EQ(refused([](Json& json) { json["tiles"][0]["columns"] = {1, 0}; }), "case.value");
    EXPECT_EQ(refused([](Json& json) { json["tiles"][0]["columns"] = {0, 256}; }), "case.value");
    EXPECT_EQ(refused([](Json& json) { json["tiles"][2]["columns"] = {2, 3}; }), "chip.tile");
    EXPECT_EQ(refused([](Json& json) { json["tiles"][0]["cores"]["risc"] = json["tiles"][0]["cores"]["brisc"]; }), "case.value");
    EXPECT_EQ(refused([](Json& json) { json["tiles"][0]["cores"]["brisc"]["segments"][0]["hex"] = "0g"; }), "case.hex");
    const auto argument = [](const char* symbol, const Json& words) {
        return [=](Json& json) {
            json["tiles"][0]["arguments"].push_back({{"core", "brisc"}, {"symbol", symbol}, {"words", words}});
        };
    };
    EXPECT_EQ(refused(argument("own", Json::array())), "case.value");
    EXPECT_EQ(refused(argument("none", Json::array({Json::array({1})}))), "kernel.symbol");
    EXPECT_EQ(refused([](Json& json) { json["expect"][0]["tile"] = {9, 0}; }), "chip.tile");
    EXPECT_EQ(refused([](Json& json) { json["format"] = "tessera-case-2"; }), "case.format");
    // Past the end of L1 and of every address; loading runs nothing.
    for (const std::uint64_t address : {std::uint64_t{0x1000'0000}, ~std::uint64_t{0}}) {
        Json json = Json::parse(format_chip_case(recorded()));
        const Json at_tile = {{"tile", {0, 0}}, {"addr", address}, {"hex", "0000"}}, bytes = {{"addr", address}, {"hex", "0000"}};
        Json expects = json, fills = json;
        expects["expect"].push_back(at_tile);
        fills["tiles"][0]["l1"].push_back(bytes);
        EXPECT_EQ(load_chip_case(write(expects.dump())).error().code, "l1.range");
        EXPECT_EQ(load_chip_case(write(fills.dump())).error().code, "l1.range");
    }
    const auto behind_nul = load_chip_case(write(format_chip_case(recorded()) + std::string("\0garbage", 8)));
    ASSERT_FALSE(behind_nul);
    EXPECT_EQ(behind_nul.error().code, "case.syntax");
    EXPECT_EQ(load_chip_case(grid_.directory() / "none.json").error().code, "case.open");
    EXPECT_EQ(load_chip_job_or_case(write(format_chip_case(recorded())), {.keys = {{"seed", "1"}}}).error().code, "job.value");
    const auto of_tile = load_case(write(format_chip_case(recorded())));
    ASSERT_FALSE(of_tile);
    EXPECT_EQ(of_tile.error().code, "job.chip");
}

TEST_P(ChipCases, TheCommandsRecordAndCheck) {
    const std::string path = grid_.directory() / "recorded.json";
    const auto outcome = test::run_cli({"record", grid_.write(), "-o", path, "--name", "mine", "--note", "why", "--dump", "dram 0:64:4",
                                        "--dump", "tile 1 0:0x20000:16"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json json = Json::parse(test::contents(path));
    EXPECT_EQ(json["name"], "mine");
    EXPECT_EQ(json["note"], "why");
    EXPECT_EQ(json["expect"][0], Json({{"channel", 0}, {"addr", 64}, {"hex", "0b000000"}}));
    EXPECT_EQ(json["expect"][1]["tile"], Json({1, 0}));
    // No other file is needed.
    std::filesystem::remove(grid_.directory() / "sender.elf");
    const auto checked = test::run_cli({"check", path, "--json"});
    EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
    EXPECT_EQ(Json::parse(checked.out)["passed"], 1);
    EXPECT_TRUE(checked.out.starts_with("{\n  \"good\": true")) << checked.out;
    EXPECT_EQ(test::run_cli({"check", path, "--timing", "documented"}).status, 0);
    for (const auto& [option, code] : {std::pair("--reference", "[job.chip]"), {"--timing=instant", "[chip.timing]"}}) {
        const auto broken = test::run_cli({"check", path, option});
        EXPECT_EQ(broken.status, 2);
        EXPECT_THAT(broken.err, testing::AllOf(HasSubstr("recorded.json"), HasSubstr(code)));
    }
    EXPECT_EQ(test::run_cli({"diff", path, path, "--b-seed", "2"}).status, 0);
    EXPECT_EQ(test::run_cli({"record", path}).out, test::contents(path));
    test::expect_refused(test::run_cli({"reduce", path}), {"[job.chip]"});
}

TEST_P(ChipCases, TheCommandRefuses) {
    const std::string job = grid_.write();
    for (const std::string dump : {"0:4", "tile 1:0:4", "tile 1 0 0:0:4", "tile 1 0", "tile 1 0:0:0", "dram:0:4", "dram 0:x:4",
                                   "tile -1 0:0:4"})
        test::expect_refused(test::run_cli({"record", job, "--dump", dump}), {"[cli.dump]"});
    test::expect_refused(test::run_cli({"record", job, "-o", job}), {"[output.input]"});
    test::expect_refused(test::run_cli({"record", job, "--host", "at=1"}), {"--host", "record does not take", "[cli.host]"});
    const auto deadlock = test::run_cli({"record", grid_.write(0)});
    EXPECT_EQ(deadlock.status, 1);
    EXPECT_EQ(deadlock.out, "");
    EXPECT_THAT(deadlock.err, HasSubstr("deadlock"));
    EXPECT_THAT(deadlock.err, HasSubstr("\ntile")) << "the tables of tiles that wait";
}

TEST_P(ChipCases, TheCommandReadsStandardInput) {
    const std::string text = test::contents(grid_.write());
    const test::CliSurroundings in_folder{.input = text, .folder = grid_.directory() / "", .file_size_limit = {}};
    const auto outcome = test::run_cli_in(in_folder, {"record", "-", "-o", "case.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(test::run_cli({"check", grid_.directory() / "case.json"}).status, 0);
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipCases, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera

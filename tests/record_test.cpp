// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_write, and jobs recorded as cases and then checked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "check/state_form.hpp"
#include "support/case_of_text.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/check.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;
using test::case_of_text;

std::vector<std::string> seed_jobs() {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(TESSERA_SOURCE_DIR "/examples/seeds"))
        if (entry.path().extension() == ".toml") paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    return paths;
}

class Record : public testing::Test {
protected:
    std::string write(const Case& what) {
        const std::string path = directory_ / "case.json";
        EXPECT_TRUE(write_case(what, path));
        return path;
    }
    CheckResult check(const Case& what) { return check_case(write(what)).value(); }

    test::TemporaryDirectory directory_;
};

/// Front ends, queues and caches change without an instruction of their own.
const std::set<std::string> not_by_instructions = {"latched_wait",    "mop_mask",         "mop_expansion", "replay",
                                                   "replay_recorded", "replay_expansion", "fifo",          "fifo_count",
                                                   "unit_queue",      "row_start_cache"};

TEST_F(Record, ACaseThatHangsHasItsTableOfWaitsOnLinesOfItsOwn) {
    Case what = case_of_text("SEMWAIT stall_res=0x1FF sem_sel=1<<3 wait_sem_cond=1\nNOP\n");
    what.expect = "{}";
    const CheckResult result = check(what);
    EXPECT_EQ(result.verdict, Verdict::failed);
    EXPECT_THAT(result.difference, testing::StartsWith("deadlock: "));
    EXPECT_THAT(result.difference, testing::HasSubstr("\n  T0 core "));
    EXPECT_THAT(result.difference, testing::HasSubstr("\n  T0 front end  waits for "));
    EXPECT_FALSE(result.difference.ends_with('\n'));
}

TEST(OnWrite, WhatIsToldIsAllThatChanges) {
    for (const std::string& path : seed_jobs())
        for (const bool reference : {false, true}) {
            SCOPED_TRACE(path + (reference ? " by reference" : ""));
            const Job job = load_job(path).value();
            Core core = prepare(job).value(), reported = core;
            RunOptions options = job.options;
            options.reference = reference;
            std::size_t elements = 0;
            options.on_write = [&](const Write& write) {
                elements += write.elements.size();
                for (const auto& [section, element, value] : write.elements)
                    reported.write(reported.sections()[section], element, value);
            };
            ASSERT_TRUE(core.run(job.program, options));
            EXPECT_GT(elements, 0u);
            std::uint64_t differences = 0;
            for (const Section& section : core.sections()) {
                if (not_by_instructions.contains(section.name)) continue;
                for (std::size_t i = 0; i < section.size && differences < 5; ++i)
                    if (core.read(section, i) != reported.read(section, i)) {
                        ++differences;
                        ADD_FAILURE() << section.describe(i) << " is " << core.read(section, i) << ", told "
                                      << reported.read(section, i);
                    }
            }
        }
}

TEST(OnWrite, EveryIssueIsTold) {
    Case what = case_of_text("NOP\n.gpr 3 = 7\n.thread math\nNOP\nSETRWC\n");
    Core core = prepare(what.job).value();
    std::vector<std::string> reported;
    what.job.options.on_write = [&](const Write& write) {
        reported.push_back((write.by_core ? "core " : "T") + std::to_string(write.thread) + " " +
                           std::to_string(write.index));
        if (write.by_core) {
            ASSERT_EQ(write.elements.size(), 1u);
            EXPECT_EQ(core.sections()[write.elements[0].section].name, "gpr");
            EXPECT_EQ(write.elements[0].element, 3u);
            EXPECT_EQ(write.elements[0].value, 7u);
        }
    };
    ASSERT_TRUE(core.run(what.job.program, what.job.options));
    for (const char* one : {"T0 0", "core 0 1", "T1 0", "T1 1"}) EXPECT_THAT(reported, testing::Contains(one));
}

// Write::elements. PACRs write 16 zeros over zeros; where compressed output ends is known only as a bound.
TEST(OnWrite, BytesThatKeepTheirValueAreToldUnlessOnlyABoundIsKnown) {
    std::vector<std::uint32_t> of_16_datums(32);
    std::iota(of_16_datums.begin(), of_16_datums.end(), 0x10010);  // behind the tile's header
    for (const bool compressed : {false, true})
        for (const bool reference : {false, true}) {
            SCOPED_TRACE(std::string(compressed ? "compressed" : "plain") + (reference ? " by reference" : ""));
            Case what = case_of_text(R"(
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b
.cfg THCON_SEC0_REG1_In_data_format = Float16_b
.cfg THCON_SEC0_REG1_Out_data_format = Float16_b
.cfg THCON_SEC0_REG1_Row_start_section_size = 1
.cfg THCON_SEC0_REG1_Disable_zero_compress = )" + std::string(compressed ? "0" : "1") + R"(
.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x10000 / 16
.cfg THCON_SEC0_REG9_Pack_0_2_limit_address = 0xFFFF
.cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16
SETADCXX CntSetMask=4 x_start=0 x_end2=15
STALLWAIT stall_res=0x1FF wait_res=1<<13
PACR ZeroWrite=1 Last=1
)",
                                     Arch::wormhole);
            Core core = prepare(what.job).value();
            std::vector<std::uint32_t> reported, changed;
            what.job.options.reference = reference;
            what.job.options.on_write = [&](const Write& write) {
                for (const StateElement& each : write.elements)
                    if (core.sections()[each.section].name == "l1") reported.push_back(each.element);
            };
            const auto run = core.run(what.job.program, what.job.options);
            ASSERT_TRUE(run && run->good());
            for (std::uint32_t byte = 0; byte < core.l1().size(); ++byte)
                if (core.l1()[byte] != 0) changed.push_back(byte);
            EXPECT_EQ(changed.empty(), !compressed) << "row starts and counts of zeros";
            EXPECT_EQ(reported, compressed ? changed : of_16_datums);
        }
}

TEST_F(Record, SeedJobsPassAfterwards) {
    for (const std::string& path : seed_jobs()) {
        SCOPED_TRACE(path);
        const auto recording = record(load_job_or_case(path).value());
        ASSERT_TRUE(recording) << recording.error().describe();
        ASSERT_EQ(recording->recorded.has_value(), recording->run.good());
        if (!recording->recorded) continue;
        const CheckResult result = check(*recording->recorded);
        EXPECT_EQ(result.verdict, Verdict::passed) << result.difference;
        EXPECT_EQ(result.run.cycles, recording->run.cycles);

        // Read again and recorded again it is the same text.
        const auto again = record(load_case(directory_ / "case.json").value());
        ASSERT_TRUE(again && again->recorded);
        EXPECT_EQ(format_case(*again->recorded), format_case(*recording->recorded));
    }
}

constexpr std::string_view kernel =
    ".cfg 3 = 5\n.gpr 1 = 0x1234\n.mop 2 = 7\nSETC16 setc16_reg=5 setc16_value=3\nSEMINIT max_value=4 init_value=2 "
    "sem_sel=2\n"
    "SETADCXX CntSetMask=1 x_end2=255\n.thread math\nSFPLOADI lreg_ind=3 imm16=0x3F80\n.gpr 9 = 1\n";

TEST_F(Record, EveryKeyOfTheFormIsHeldAgainstTheRun) {
    const auto recording = record(case_of_text(kernel));
    ASSERT_TRUE(recording && recording->recorded) << recording->run.fault->describe();
    ASSERT_EQ(check(*recording->recorded).verdict, Verdict::passed);
    const Json expect = Json::parse(recording->recorded->expect);
    EXPECT_EQ(expect.at("gpr"), Json::parse(R"({"0": {"1": 4660}, "1": {"9": 1}})"));
    EXPECT_EQ(expect.at("cfg").at("3"), 5);
    EXPECT_EQ(expect.at("adc").at(0).at("unpacker0"), Json::parse(R"({"ch1_x": 255, "ch1_x_cr": 255})"));
    EXPECT_EQ(expect.at("semaphores").at("value").at(1), 2);
    EXPECT_EQ(expect.at("semaphores").at("max").at(1), 4);
    EXPECT_EQ(expect.at("sections").at("mop_config"), Json::parse(R"({"2": 7})"));

    // Each statement of the form, changed, is found.
    const std::vector<std::pair<std::string, Json>> changes = {
        {"/l1", Json::parse(R"([{"addr": 32, "hex": "01"}])")},
        {"/src_a/1", Json{{"63", std::string(128, '1')}}},
        {"/src_b/0", Json{{"0", std::string(128, '1')}}},
        {"/dst", Json{{"1023", std::string(64, '1')}}},
        {"/dst_invalid_rows", Json{5}},
        {"/lregs/3", Json(std::string(256, '0'))},
        {"/rwc/2/dst", Json(1)},
        {"/adc/0/unpacker0/ch1_x", Json(254)},
        {"/gpr/1", Json::object()},
        {"/banks/src_b/valid", Json(2)},
        {"/banks/src_a/implied_format/1", Json(1)},
        {"/semaphores/max/1", Json(3)},
        {"/mutexes/0", Json(1)},
        {"/vector/cc_en", Json(0)},
        {"/vector/cc_stack", Json{1}},
        {"/cfg/3", Json(4)},
        {"/sections/config/100", Json(4)},
        {"/sections/thread_config", Json::object()},
        {"/sections/mop_config/2", Json(6)},
    };
    for (const auto& [place, value] : changes) {
        Json changed = expect;
        changed[Json::json_pointer(place)] = value;
        Case wrong = *recording->recorded;
        wrong.expect = changed.dump();
        EXPECT_EQ(check(wrong).verdict, Verdict::failed) << place;
    }
}

TEST_F(Record, ResetSeedAndLimitAreKept) {
    Case what = case_of_text("NOP\n");
    what.job.reset = Reset::silicon;
    what.job.options.timing = Timing::documented;
    what.job.options.seed = 18'446'744'073'709'551'615u;
    what.job.options.max_cycles = 5'000;
    what.job.l1.push_back({0x20, {std::byte{0xAB}, std::byte{0}, std::byte{1}}});
    what.note = "a \"note\"\nof two lines";
    const auto recording = record(what);
    ASSERT_TRUE(recording && recording->recorded);
    const Case read = load_case(write(*recording->recorded)).value();
    EXPECT_EQ(read.job.reset, Reset::silicon);
    EXPECT_EQ(read.job.options.timing, Timing::documented);
    EXPECT_EQ(read.job.options.seed, what.job.options.seed);
    EXPECT_EQ(read.job.options.max_cycles, 5'000u);
    EXPECT_EQ(read.note, what.note);
    ASSERT_EQ(read.job.l1.size(), 1u);
    EXPECT_EQ(read.job.l1[0].bytes, what.job.l1[0].bytes);
    ASSERT_EQ(read.job.program.threads[0].size(), 1u);
    EXPECT_EQ(read.job.program.threads[0][0].value, what.job.program.threads[0][0].value);
    EXPECT_TRUE(read.dump.empty());  // nothing was written to L1
}

TEST_F(Record, ADumpIsWhatIsAskedForOrWhatWasWritten) {
    const std::string tilize = TESSERA_SOURCE_DIR "/examples/seeds/7.3-through-the-packer.toml";
    const Case job = load_job_or_case(tilize).value();
    const auto whole = record(job);
    ASSERT_TRUE(whole && whole->recorded);
    ASSERT_FALSE(whole->recorded->dump.empty());
    const L1Range asked{0x100, 32};
    const auto some = record(job, std::vector{asked});
    ASSERT_TRUE(some && some->recorded);
    EXPECT_EQ(some->recorded->dump, std::vector{asked});
    EXPECT_EQ(Json::parse(some->recorded->expect).at("l1").at(0).at("hex").get<std::string>().size(), 64u);
    // A case keeps its own.
    const auto again = record(*some->recorded);
    ASSERT_TRUE(again && again->recorded);
    EXPECT_EQ(again->recorded->dump, std::vector{asked});

    const auto outside = record(job, std::vector{L1Range{0x180000, 1}});
    ASSERT_FALSE(outside);
    EXPECT_EQ(outside.error().code, "l1.range");
}

TEST_F(Record, WhatGoesWrongIsNotRecorded) {
    const auto fault = record(case_of_text(".ttinsn 0xFF000000\n"));
    ASSERT_TRUE(fault);
    EXPECT_FALSE(fault->recorded);
    EXPECT_TRUE(fault->run.fault);
    Case by_reference = case_of_text("NOP\n");
    by_reference.job.options.reference = true;
    EXPECT_EQ(record(by_reference).error().code, "record.reference");
    EXPECT_EQ(write_case(by_reference, directory_ / "none/case.json").error().code, "case.write");
    EXPECT_EQ(directory_.files(), 0u);
}

TEST_F(Record, OnlyWhatCanBeLoadedIsWritten) {
    Case what = case_of_text("NOP\n");
    for (const char* expect : {"not JSON", "[]", R"({"gpr": {}} more)", R"({"dts": {}})", R"({"l1": [{"addr": 1572864, "hex": "00"}]})"}) {
        what.expect = expect;
        const auto wrote = write_case(what, directory_ / "case.json");
        ASSERT_FALSE(wrote) << expect;
        EXPECT_EQ(wrote.error().code, std::string_view(expect).starts_with(R"({"l1)") ? "l1.range" : "case.expect") << expect;
        EXPECT_EQ(wrote.error().file, directory_ / "case.json");
    }
    EXPECT_EQ(directory_.files(), 0u);
    what.expect = R"({"gpr": {}})";
    EXPECT_EQ(load_case(write(what)).value().expect, R"({"gpr":{}})");
}

TEST_F(Record, BrokenCasesHaveTheirReason) {
    auto code = [&](std::string_view text) {
        const auto read = load_job_or_case(directory_.write("broken.json", text));
        return read ? std::string("none") : read.error().code;
    };
    const std::string good =
        R"({"format": "tessera-case-1", "arch": "wormhole", "threads": [[], [], []], "expect": {}})";
    EXPECT_EQ(code(good), "none");
    auto with = [&](std::string_view what, std::string_view instead) {
        std::string text = good;
        text.replace(text.find(what), what.size(), instead);
        return text;
    };
    EXPECT_EQ(code(with("case-1", "case-2")), "case.format");
    EXPECT_EQ(code(with("wormhole", "grayskull")), "case.arch");
    EXPECT_EQ(code(with("\"expect\": {}", "\"expect\": []")), "case.expect");
    EXPECT_EQ(code(with("\"expect\": {}", "\"timing\": \"late\"")), "case.timing");
    EXPECT_EQ(code(with("\"expect\": {}", "\"reset\": \"hot\"")), "case.reset");
    for (const char* seed : {"-1", "1.5", "\"one\""})
        EXPECT_EQ(code(with("\"expect\": {}", std::string("\"seed\": ") + seed)), "case.value");
    EXPECT_EQ(code(with("[[], [], []]", "[[], []]")), "case.threads");
    EXPECT_EQ(code(with("[[], [], []]", R"([[{"gpr": [64, 0]}], [], []])")), "job.range");
    EXPECT_EQ(code(with("\"expect\": {}", R"("l1": [{"addr": 0, "hex": "0"}])")), "case.hex");
    EXPECT_EQ(code("{\"format\": \"tessera-case-1\""), "job.syntax");
}

TEST(OpText, IsWhatIsReadBack) {
    using Kind = Op::Kind;
    const std::vector<Op> ops = {{Kind::ins, 0, 0x26004000}, {Kind::ins, 0, 0xFF123456}, {Kind::cfg, 7, 0xFFFFFFFF},
                                 {Kind::gpr, 63, 1},         {Kind::mop, 8, 2},          {Kind::drain, 0, 0},
                                 {Kind::sem_post, 7, 0},     {Kind::sem_get, 1, 0},      {Kind::sem_wait, 2, 0},
                                 {Kind::sem_wait, 3, 1}};
    std::string text, json;
    for (const Op& op : ops) {
        text += op_text(op, Arch::blackhole) + "\n";
        json += (json.empty() ? "" : ", ") + op_json(op);
    }
    auto without_lines = [](std::vector<Op> list) {
        for (Op& op : list) op.line = 0;
        return list;
    };
    EXPECT_EQ(without_lines(assemble(text, Arch::blackhole).value().threads[0]), ops);
    test::TemporaryDirectory directory;
    const auto job =
        load_job(directory.write("job.json", "{\"arch\": \"blackhole\", \"threads\": {\"math\": [" + json + "]}}"));
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_EQ(without_lines(job->program.threads[1]), ops);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// Reduction of failing jobs with a known minimum.
#include "tessera/reduce.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "support/case_of_text.hpp"
#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"
#include "support/timeline.hpp"
#include "tessera/assembly.hpp"
#include "tessera/check.hpp"

namespace tessera {
namespace {

using test::case_of_text;
using testing::ElementsAre;
using testing::HasSubstr;

Reduced smaller(const Case& what, const ReduceOptions& options = {}) {
    auto reduced = reduce(what, options);
    if (!reduced) throw std::runtime_error(reduced.error().describe());
    return std::move(*reduced);
}

Reduced keeping(const Case& what, const std::string& code) {
    ReduceOptions options;
    options.keep = code;
    return smaller(what, options);
}

/// The names of what is left in a thread.
std::vector<std::string> names(const Reduced& reduced, unsigned thread) {
    std::vector<std::string> list;
    for (const Op& op : reduced.what.job.program.threads[thread]) {
        const std::string text = op_text(op, reduced.what.job.arch);
        list.push_back(text.substr(0, text.find(' ')));
    }
    return list;
}

Run run(const Job& job) {
    Core core = prepare(job).value();
    return core.run(job.program, job.options).value();
}

bool has_finding(const Run& run, std::string_view code) {
    return std::any_of(run.findings.begin(), run.findings.end(), [&](const Finding& f) { return f.code == code; });
}

std::string nops(unsigned count) { return fmt::format(".repeat {}\nNOP\n.end\n", count); }

/// Two threads that pass the turn to each other twelve times; T0 forgets to do so the eighth time.
std::string missing_post() {
    std::string unpack = "SEMINIT max_value=1 init_value=0 sem_sel=2\nSEMINIT max_value=1 init_value=0 sem_sel=4\n",
                math = ".thread math\n";
    for (unsigned i = 0; i < 12; ++i) {
        unpack += "SETADCXX CntSetMask=1 x_end2=255\nSETRWC\nNOP\nINCRWC rwc_d=1\n";
        if (i != 7) unpack += "SEMPOST sem_sel=2\n";
        unpack += "SEMWAIT wait_sem_cond=1 sem_sel=4 stall_res=511\nSEMGET sem_sel=4\n";
        math += "SEMWAIT wait_sem_cond=1 sem_sel=2 stall_res=511\nSEMGET sem_sel=2\nSETRWC\nNOP\nSEMPOST sem_sel=4\n";
    }
    return unpack + math;
}

// Each thread needs a wait, and an instruction that it holds back.
TEST(Reduce, DeadlockBecomesItsTwoWaits) {
    const Case what = case_of_text(missing_post());
    const Reduced reduced = smaller(what);
    EXPECT_GT(reduced.ops_before, 140u);
    EXPECT_EQ(reduced.ops, 4u);
    EXPECT_TRUE(reduced.complete);
    for (unsigned thread : {0u, 1u}) {
        ASSERT_EQ(names(reduced, thread).size(), 2u);
        EXPECT_EQ(names(reduced, thread)[0], "SEMWAIT");
    }
    const auto ended = run(reduced.what.job);
    ASSERT_TRUE(ended.fault);
    EXPECT_EQ(ended.fault->code, "deadlock");
    auto waits = [](const auto& one, const char* who) {
        for (const Blocked& blocked : one.blocked)
            if (blocked.who == who) return blocked.waits_for;
        return std::string();
    };
    const auto before = run(what.job);
    for (const char* who : {"T0 front end", "T1 front end", "T2 front end"})
        EXPECT_EQ(waits(ended, who), waits(before, who)) << who;
    EXPECT_LT(reduced.what.job.options.max_cycles, 20'000u);
}

TEST(Reduce, DeadlockOfTheUnpackersKeepsThreeTransfers) {
    const auto hangs = load_job_or_case(TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml");
    ASSERT_TRUE(hangs);
    // Two fill the banks, the third waits.
    EXPECT_THAT(names(smaller(*hangs), 0), ElementsAre("UNPACR", "UNPACR", "UNPACR"));
}

// What other threads wait for in that cycle has no part in it.
TEST(Reduce, AFaultAtAnInstructionNeedsNoOtherThread) {
    const Case what = case_of_text(
        "SEMINIT max_value=1 init_value=0 sem_sel=2\nSEMWAIT wait_sem_cond=1 sem_sel=2 stall_res=511\nNOP\n.thread "
        "pack\n" +
        nops(30) + "ATRELM mutex_index=9\n");
    ASSERT_EQ(run(what.job).fault.value().code, "sync.mutex-index");
    const Reduced reduced = smaller(what);
    EXPECT_EQ(reduced.ops, 1u);
    EXPECT_THAT(names(reduced, 2), ElementsAre("ATRELM"));
}

// How many instructions it lacks says nothing.
TEST(Reduce, ARecordingThatStaysOpenNeedsNoInstructions) {
    const Case what = case_of_text("SEMWAIT wait_sem_cond=1 sem_sel=2 stall_res=511\nNOP\n.thread math\n" + nops(5) +
                                   "REPLAY load_mode=1 len=24\n" + nops(22));
    ASSERT_EQ(run(what.job).fault.value().code, "deadlock");
    EXPECT_THAT(names(smaller(what), 1), ElementsAre("REPLAY"));
}

TEST(Reduce, FindingKeepsItsConfiguration) {
    Case what = case_of_text(nops(60) + test::unpack_bf16 + ".cfg THCON_SEC0_REG2_Out_data_format = Float16\n" +
                             nops(60) + ".drain\nUNPACR SetDatValid=1 Last=1\n" + nops(60));
    what.job.options.timing = Timing::instant;  // else something must stand between a store and its use
    ASSERT_TRUE(has_finding(run(what.job), "unpack.format-mismatch"));
    const Reduced reduced = keeping(what, "unpack.format-mismatch");
    EXPECT_GT(reduced.ops_before, 190u);
    // One format that is not 0, the other's code.
    EXPECT_THAT(names(reduced, 0), ElementsAre(".cfg", "UNPACR"));
    EXPECT_EQ(op_text(reduced.what.job.program.threads[0][1], Arch::blackhole), "UNPACR");
    EXPECT_TRUE(has_finding(run(reduced.what.job), "unpack.format-mismatch"));
}

TEST(Reduce, FindingAtErrorNeedsNoName) {
    Case what = case_of_text(".thread math\n" + nops(200) + "ZEROACC clear_mode=1\nSFPLOAD lreg_ind=3\n" + nops(9));
    what.job.options.levels["hazard.dst"] = Level::error;
    what.job.options.seed = 4;
    const Reduced reduced = smaller(what);
    EXPECT_THAT(names(reduced, 1), ElementsAre("ZEROACC", "SFPLOAD"));
    EXPECT_EQ(op_text(reduced.what.job.program.threads[1][1], Arch::blackhole), "SFPLOAD");  // operands towards zero
    EXPECT_FALSE(reduced.what.job.options.seed);
    EXPECT_FALSE(run(reduced.what.job).good());
}

TEST(Reduce, ExpansionsGiveWayToWhatTheyExpandTo) {
    // Outer loop 1, inner loop 2: word 5, then word 7 in the last pass; every other word is a NOP.
    std::string text = ".thread math\n.mop 0 = 1\n.mop 1 = 2\n";
    for (unsigned word : {2u, 3u, 4u, 6u, 8u}) text += fmt::format(".mop {} = 0x02000000\n", word);
    const auto word = [](const char* line) { return assemble(line, Arch::blackhole)->threads[0][0].value; };
    text += fmt::format(".mop 5 = {}\n.mop 7 = {}\n", word("ZEROACC clear_mode=1"), word("SFPLOAD lreg_ind=3"));
    const Case what = case_of_text(text + nops(20) + "MOP mop_type=1\n");
    ASSERT_TRUE(has_finding(run(what.job), "hazard.dst"));
    EXPECT_THAT(names(keeping(what, "hazard.dst"), 1), ElementsAre("ZEROACC", "SFPLOAD"));
}

class ReduceCase : public testing::Test {
protected:
    /// A case that unpacks 256 BF16 datums and expects one of them to be another one.
    Case wrong_case() {
        Case what = case_of_text(nops(20) + test::unpack_bf16 + ".drain\nSETADCXX CntSetMask=1 x_start=0 x_end2=255\n" +
                                 "UNPACR SetDatValid=1 Last=1\n" + nops(20) + ".gpr 5 = 6\n");
        Job::Region& region = what.job.l1.emplace_back();
        region.address = 0x1000;
        for (unsigned i = 0; i < 0x20000; ++i) region.bytes.push_back(static_cast<std::byte>(i * 37 + 11));
        auto recorded = record(what);
        if (!recorded || !recorded->recorded) throw std::runtime_error("not recorded");
        auto expect = nlohmann::json::parse(recorded->recorded->expect);
        std::string& row = expect["src_a"]["0"]["3"].get_ref<std::string&>();
        row[8 * 5] = row[8 * 5] == '0' ? '1' : '0';  // column 5
        recorded->recorded->expect = expect.dump();
        return std::move(*recorded->recorded);
    }
    test::TemporaryDirectory directory_;
};

TEST_F(ReduceCase, DifferenceKeepsPlaceValueAndWriter) {
    const Case what = wrong_case();
    const auto path = directory_.write("wrong.json", format_case(what));
    const auto failed = check_case(path).value();
    ASSERT_EQ(failed.verdict, Verdict::failed);
    ASSERT_THAT(failed.difference, HasSubstr("src_a bank 0 row 3 column 5 is "));
    const std::string wrong = failed.difference.substr(0, failed.difference.find(','));

    const Reduced reduced = smaller(load_job_or_case(path).value());
    EXPECT_THAT(reduced.kept, HasSubstr(wrong));
    EXPECT_THAT(reduced.kept, HasSubstr("last written by UNPACR"));
    EXPECT_THAT(names(reduced, 0), testing::Contains("UNPACR").Times(1));
    EXPECT_THAT(names(reduced, 0), testing::Not(testing::Contains("NOP")));
    EXPECT_GT(reduced.bytes_before, 100'000u);
    EXPECT_LE(reduced.bytes, 16u);  // memory is reduced by lines
    EXPECT_GT(reduced.bytes, 0u);

    // It is a case that still fails by that key.
    const auto small = directory_ / "small.json";
    ASSERT_TRUE(write_reduced(reduced, small));
    const auto again = check_case(small).value();
    EXPECT_EQ(again.verdict, Verdict::failed);
    EXPECT_THAT(again.difference, HasSubstr("src_a"));
    EXPECT_THAT(load_case(small)->note, HasSubstr("Kept: src_a bank 0 row 3 column 5"));
    EXPECT_EQ(write_reduced(reduced, directory_ / "small.toml").error().code, "reduce.name");
}

// Other bytes that the case expects may differ once what made them is gone.
TEST_F(ReduceCase, AWrongByteOfL1IsExpectedAlone) {
    Case what = case_of_text(
        ".gpr 0 = 0\n.gpr 4 = 0x3000\n.gpr 5 = 0x3001\n.gpr 8 = 0xD0\nSTALLWAIT stall_res=0x1FF wait_res=1<<10\n"
        "STOREIND.l1 Size=b4 DataReg=8 AddrReg=4\nSTOREIND.l1 Size=b4 DataReg=8 AddrReg=5\n");
    what.dump.push_back({0x30000, 32});
    auto recorded = record(what);
    ASSERT_TRUE(recorded && recorded->recorded);
    auto expect = nlohmann::json::parse(recorded->recorded->expect);
    ASSERT_EQ(expect["l1"].size(), 1u);
    std::string& bytes = expect["l1"][0]["hex"].get_ref<std::string&>();
    ASSERT_THAT(bytes, testing::AnyOf(HasSubstr("D0"), HasSubstr("d0")));
    bytes[2 * 16] = '9';
    recorded->recorded->expect = expect.dump();
    const Reduced reduced = smaller(*recorded->recorded);
    EXPECT_THAT(reduced.kept, HasSubstr("l1 byte 196624 is 0xD0"));
    EXPECT_THAT(names(reduced, 0), testing::Contains("STOREIND.l1").Times(1));
    const auto small = directory_ / "small.json";
    ASSERT_TRUE(write_reduced(reduced, small));
    EXPECT_THAT(check_case(small).value().difference, HasSubstr("l1 byte 196624 is 0xD0"));
}

TEST_F(ReduceCase, WhatIsWrittenFailsInTheSameWay) {
    const Reduced reduced = smaller(case_of_text(missing_post()));
    const auto path = directory_ / "small.toml";
    ASSERT_TRUE(write_reduced(reduced, path));
    const auto job = load_job(path);
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_EQ(run(*job).fault->code, "deadlock");
    const std::string text = format_reduced(reduced);
    EXPECT_THAT(text, HasSubstr("Kept: deadlock"));
    EXPECT_THAT(text, HasSubstr("# text.tts:"));
    EXPECT_EQ(text, format_reduced(smaller(case_of_text(missing_post()))));  // always the same
    EXPECT_EQ(reduced.ops, job->program.threads[0].size() + job->program.threads[1].size());
    // A minimal job stays as it is.
    Case small;
    small.job = *job;
    EXPECT_EQ(smaller(small).ops, reduced.ops);
    EXPECT_EQ(write_reduced(reduced, directory_ / "small.json").error().code, "reduce.name");
    EXPECT_EQ(write_reduced(reduced, directory_ / "none/small.toml").error().code, "reduce.write");
    EXPECT_EQ(directory_.files(), 1u);
}

// Configuration by field, and the same stores when it is read again: of several fields, of one word twice, back to zero, in bank
// 1, and of bits that no field has.
TEST_F(ReduceCase, FieldsHaveTheirNames) {
    Reduced reduced;
    reduced.what = case_of_text(
        ".cfg THCON_SEC0_REG2_Out_data_format = Float16\nNOP\n.cfg THCON_SEC0_REG2_Out_data_format = Bfp8\n"
        ".cfg THCON_SEC0_REG2_Throttle_mode = 2\nNOP\n.cfg THCON_SEC0_REG2_Out_data_format[1] = Float16_b\nNOP\n"
        ".cfg 3 = 1\n.cfg 3 = 0\nNOP\n.cfg 3 = 0\n");
    const auto& ops = reduced.what.job.program.threads[0];
    const std::string text = format_reduced(reduced);
    EXPECT_THAT(text, HasSubstr("\".cfg THCON_SEC0_REG2_Out_data_format = Float16\","));
    EXPECT_THAT(text, HasSubstr("\".cfg THCON_SEC0_REG2_Out_data_format = Bfp8\", "));
    EXPECT_THAT(text, HasSubstr("\".cfg THCON_SEC0_REG2_Throttle_mode = 0x2\","));
    EXPECT_THAT(text, HasSubstr("\".cfg THCON_SEC0_REG2_Out_data_format[1] = Float16_b\","));
    const auto job = parse_job(text, "text");
    ASSERT_TRUE(job) << job.error().describe();
    ASSERT_EQ(job->program.threads[0].size(), ops.size()) << text;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        EXPECT_EQ(job->program.threads[0][i].index, ops[i].index) << text;
        EXPECT_EQ(job->program.threads[0][i].value, ops[i].value) << text;
    }
    // Bits without a name: the whole word.
    reduced.what = case_of_text(".cfg 3 = 0xFFFFFFFF\n.cfg 0 = 0xFFFFFFFF\n");
    const auto whole = parse_job(format_reduced(reduced), "text");
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->program.threads[0].at(0).value, 0xFFFFFFFFu);
    EXPECT_EQ(whole->program.threads[0].at(1).value, 0xFFFFFFFFu);
}

TEST_F(ReduceCase, MemoryAndFindingsAreWrittenToo) {
    Case what =
        case_of_text(test::unpack_bf16 + std::string(".cfg THCON_SEC0_REG2_Out_data_format = Float16\nUNPACR\n"));
    what.job.reset = Reset::vendor_sim;
    what.job.options.levels["unpack.format-mismatch"] = Level::error;
    what.job.l1.push_back({0x40, std::vector<std::byte>(70, std::byte{0xAB})});
    what.job.l1.push_back({0x400, std::vector<std::byte>(4), DataFormat::Bfp8_b});
    Reduced reduced;
    reduced.what = what;
    const auto path = directory_ / "job.toml";
    ASSERT_TRUE(write_reduced(reduced, path));
    const auto job = load_job(path);
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_EQ(job->reset, Reset::vendor_sim);
    EXPECT_EQ(job->options.levels, what.job.options.levels);
    ASSERT_EQ(job->l1.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(job->l1[i].address, what.job.l1[i].address);
        EXPECT_EQ(job->l1[i].bytes, what.job.l1[i].bytes);
        EXPECT_EQ(job->l1[i].format, what.job.l1[i].format);
    }
}

TEST_F(ReduceCase, AFindingOfTheFormatOfMemoryIsKept) {
    Case what = case_of_text(test::unpack_bf16 + std::string("UNPACR Last=1\n"));
    what.job.l1.push_back({0x10000, std::vector<std::byte>(2048), DataFormat::Float16});
    const Reduced reduced = keeping(what, "l1.format");
    const auto job = parse_job(format_reduced(reduced), "small.toml");
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_TRUE(has_finding(run(*job), "l1.format"));
}

// TOML's integers have 63 bits and a sign.
TEST(Reduce, ASeedThatTomlCannotHoldComesFromOutside) {
    Reduced reduced;
    reduced.what = case_of_text("NOP\n");
    const auto written = [&](std::uint64_t seed) {
        reduced.what.job.options.seed = seed;
        return format_reduced(reduced);
    };
    EXPECT_EQ(parse_job(written(INT64_MAX), "x.toml").value().options.seed, INT64_MAX);
    const std::string text = written(18446744073709551558u);
    EXPECT_THAT(text, HasSubstr("# Run it with --set seed=18446744073709551558: "));
    EXPECT_FALSE(parse_job(text, "x.toml").value().options.seed);
    EXPECT_EQ(parse_job(text, "x.toml", {.keys = {{"seed", "18446744073709551558"}}}).value().options.seed, 18446744073709551558u);
}

TEST(Reduce, LimitAndStopEndWithTheBestSoFar) {
    const Case what = case_of_text(missing_post());
    ReduceOptions options;
    options.max_runs = 12;
    std::vector<std::uint64_t> reported;
    options.on_progress = [&](std::uint64_t runs, std::size_t ops) {
        reported.push_back(runs);
        EXPECT_LE(ops, 200u);
    };
    const Reduced limited = smaller(what, options);
    EXPECT_EQ(limited.runs, 12u);
    EXPECT_EQ(reported.size(), 12u);
    EXPECT_FALSE(limited.complete);
    EXPECT_LT(limited.ops, limited.ops_before);
    EXPECT_EQ(run(limited.what.job).fault->code, "deadlock");

    std::atomic<bool> stop = false;
    Case stopped = what;
    stopped.job.options.stop = &stop;
    options = {};
    options.on_progress = [&](std::uint64_t runs, std::size_t) { stop = runs == 3; };
    const Reduced interrupted = smaller(stopped, options);
    EXPECT_EQ(interrupted.runs, 3u);
    EXPECT_FALSE(interrupted.complete);

    // A run looks at the flag every 256 steps.
    Case long_one = case_of_text(nops(2000));
    long_one.job.options.stop = &stop;
    ASSERT_TRUE(stop);
    EXPECT_EQ(reduce(long_one).error().code, "reduce.interrupted");

    // A shorter one ends before it looks; nothing is then left out.
    Case short_one = case_of_text(".sem_wait 1, nonzero\nNOP\n");
    short_one.job.options.stop = &stop;
    const Reduced same = smaller(short_one);
    EXPECT_EQ(same.ops, same.ops_before);
    EXPECT_FALSE(same.complete);
}

// The example of its docstring.
TEST(Reduce, TheLineIsThatOfItsDocument) {
    Reduced reduced;
    reduced.ops = 2;
    reduced.ops_before = 203;
    reduced.bytes_before = 64;
    reduced.runs = 40;
    EXPECT_THAT(test::contents(TESSERA_SOURCE_DIR "/include/tessera/reduce.hpp"), HasSubstr("/// One line: \"" + reduced.describe() + "\".\n"));
}

TEST(Reduce, NamesOfFilesMayHaveAnyBytes) {
    Case what;
    what.job.file = "job\xff.toml";
    what.job.program = assemble(".sem_wait 1, nonzero\n", Arch::blackhole, "\xff\n.tts").value();
    const Reduced reduced = smaller(what);
    const auto again = parse_job(format_reduced(reduced), "x.toml");
    ASSERT_TRUE(again) << again.error().describe();
    EXPECT_EQ(again->program.threads[0].size(), reduced.ops);
}

TEST(Reduce, WhatDoesNotFailIsRefused) {
    auto code = [](const Case& what, const ReduceOptions& options) {
        const auto reduced = reduce(what, options);
        return reduced ? std::string("none") : reduced.error().code;
    };
    const Case good = case_of_text("NOP\n.thread math\nINCRWC rwc_d=1\n");
    EXPECT_EQ(code(good, {}), "reduce.good");
    ReduceOptions options;
    options.keep = "hazard.dst";
    EXPECT_EQ(code(good, options), "reduce.good");
    options.keep = "hazard.dts";
    EXPECT_EQ(code(good, options), "reduce.keep");
    options.keep.clear();
    options.reference = true;
    EXPECT_EQ(code(good, options), "reduce.good");
    auto recorded = record(good);
    ASSERT_TRUE(recorded && recorded->recorded);
    EXPECT_EQ(code(*recorded->recorded, {}), "reduce.good");
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: Apache-2.0
// Comparison of two runs, recorded states and traces: the first difference, and its writer.
#include "tessera/diff.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/case_of_text.hpp"
#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using test::case_of_text;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

RunDifference diff(const Case& a, const Case& b) {
    auto difference = diff_runs(a, b);
    if (!difference) throw std::runtime_error(difference.error().describe());
    return std::move(*difference);
}

TEST(DiffRuns, TheSameIsTheSame) {
    const Case what = case_of_text("SETADCXX CntSetMask=1 x_end2=255\n.thread math\nINCRWC rwc_d=4\n.gpr 3 = 1\n");
    const auto difference = diff(what, what);
    EXPECT_TRUE(difference.same());
    EXPECT_FALSE(difference.before || difference.instruction || difference.state);
    EXPECT_EQ(difference.describe(), "the same instructions wrote the same, and the end states are the same\n");
}

TEST(DiffRuns, AnotherInstructionIsNamedWithWhatItWrote) {
    const Case a = case_of_text("NOP\n.thread math\nNOP\nINCRWC rwc_d=4\nNOP\n"),
               b = case_of_text("NOP\n.thread math\nNOP\nINCRWC rwc_d=5\nNOP\n");
    const auto difference = diff(a, b);
    EXPECT_FALSE(difference.same());
    ASSERT_TRUE(difference.instruction && difference.instruction->a && difference.instruction->b);
    const Writer& writer = *difference.instruction->b;
    EXPECT_EQ(writer.thread, 1);
    EXPECT_EQ(writer.index, 1);
    EXPECT_EQ(writer.text, "INCRWC rwc_d=5");
    EXPECT_EQ(writer.place, "text.tts:4");
    EXPECT_FALSE(writer.by_core || difference.instruction->same_text);
    ASSERT_EQ(difference.instruction->count, 1u);
    EXPECT_EQ(difference.instruction->wrote[0].name, "rwc thread 1 dst");
    ASSERT_TRUE(difference.state);
    EXPECT_EQ(difference.count, 1u);
    EXPECT_EQ(difference.state->name, "rwc thread 1 dst");
    EXPECT_EQ(difference.state->a, 4u);
    EXPECT_EQ(difference.state->b, 5u);
    ASSERT_TRUE(difference.state->a_writer && difference.state->b_writer);
    EXPECT_EQ(difference.state->a_writer->text, "INCRWC rwc_d=4");
    EXPECT_EQ(difference.state->b_writer->index, 1);
}

// The first in time: T1 is later with the same mistake.
TEST(DiffRuns, TheFirstOfSeveralThreads) {
    auto text = [](const char* early, const char* late) {
        return fmt::format("NOP\nINCRWC rwc_d={}\n.thread math\n.repeat 20\nNOP\n.end\nINCRWC rwc_d={}\n", early, late);
    };
    const auto difference = diff(case_of_text(text("1", "1")), case_of_text(text("2", "2")));
    ASSERT_TRUE(difference.instruction && difference.instruction->a);
    EXPECT_EQ(difference.instruction->a->thread, 0);
    EXPECT_EQ(difference.count, 2u);
}

TEST(DiffRuns, AStoreOfACoreIsNamedWithItsFields) {
    const Case a = case_of_text(".cfg ALU_FORMAT_SPEC_REG0_SrcA = Float16_b\n"),
               b = case_of_text(".cfg ALU_FORMAT_SPEC_REG0_SrcA = Float32\n");
    const auto difference = diff(a, b);
    ASSERT_TRUE(difference.instruction && difference.instruction->a && difference.state);
    EXPECT_TRUE(difference.instruction->a->by_core);
    EXPECT_THAT(difference.instruction->a->text, testing::StartsWith(".cfg "));
    EXPECT_THAT(difference.state->a_text, HasSubstr("ALU_FORMAT_SPEC_REG0_SrcA = Float16_b"));
    EXPECT_THAT(difference.state->b_text, HasSubstr("ALU_FORMAT_SPEC_REG0_SrcA = Float32"));
    EXPECT_THAT(difference.describe(),
                HasSubstr("\n            ALU_FORMAT_SPEC_REG0_SrcA: Float16_b in A, Float32 in B\n"));
}

// An operand with value 0 is left out of the disassembly; instructions of other names have none in common.
TEST(DiffRuns, AChangeNamesItsOperands) {
    const auto changed = [](const std::string& a, const std::string& b) {
        const auto difference = diff(case_of_text(a + "\n"), case_of_text(b + "\n"));
        std::string text;
        for (const auto& edit : difference.edits)
            for (const OperandChange& one : edit.operands) text += fmt::format("{} {} {};", one.name, one.a, one.b);
        return text;
    };
    EXPECT_EQ(changed("INCRWC rwc_cr=1 rwc_d=1", "INCRWC rwc_cr=1"), "rwc_d 1 0;");
    EXPECT_EQ(changed("INCRWC rwc_a=3", "INCRWC rwc_a=4 rwc_b=2"), "rwc_a 3 4;rwc_b 0 2;");
    EXPECT_EQ(changed("INCRWC rwc_a=3", "SETRWC rwc_a=3"), "");
    // 8 is the increment of Dst in its own half of the word; the other field of that word stays.
    EXPECT_THAT(changed("SETC16 setc16_reg=28 setc16_value=0x8", "SETC16 setc16_reg=28 setc16_value=0x10"),
                testing::MatchesRegex("ADDR_MOD_DST_SEC0_[A-Za-z]*Incr [^;]*8[^;]* [^;]*16[^;]*;"));
}

TEST(DiffRuns, WhatOnlyOneHas) {
    const Case a = case_of_text("NOP\n"), b = case_of_text("NOP\nINCRWC rwc_d=1\n");
    const auto difference = diff(a, b);
    ASSERT_TRUE(difference.instruction && difference.instruction->b);
    EXPECT_FALSE(difference.instruction->a);
    EXPECT_EQ(difference.instruction->b->index, 1);
    ASSERT_TRUE(difference.state);
    EXPECT_FALSE(difference.state->a_writer);
    EXPECT_THAT(difference.describe(), HasSubstr("A: nothing there"));
}

// Each instruction's writes are equal in every order; only the last writer differs.
TEST(DiffRuns, ARaceIsToldByItsLastWriters) {
    const Case what = case_of_text(
        ".repeat 8\nNOP\n.end\nRMWCIB0 Mask=255 Data=1 CfgRegAddr=3\n.thread math\n.repeat 8\nNOP\n.end\nRMWCIB0 "
        "Mask=255 "
        "Data=2 CfgRegAddr=3\n");
    bool met = false;
    for (std::uint64_t seed = 1; seed < 100 && !met; ++seed) {
        Case delayed = what;
        delayed.job.options.seed = seed;
        const auto difference = diff(what, delayed);
        if (difference.same()) continue;
        met = true;
        EXPECT_FALSE(difference.instruction);
        ASSERT_TRUE(difference.state && difference.state->a_writer && difference.state->b_writer);
        EXPECT_EQ(difference.state->name, "config bank 0 addr32 3");
        EXPECT_NE(difference.state->a_writer->thread, difference.state->b_writer->thread);
        EXPECT_EQ(difference.state->a, difference.state->a_writer->thread + 1u);
        EXPECT_EQ(difference.state->b, difference.state->b_writer->thread + 1u);
    }
    EXPECT_TRUE(met);
}

// A semaphore's value is what all did so far: no instruction is to blame, and at the end it is the same.
TEST(DiffRuns, PostsOfAnotherOrderAreNoDifference) {
    const Case what = case_of_text(
        "SEMINIT max_value=15 init_value=0 sem_sel=2\nSEMPOST sem_sel=2\n.thread math\n.repeat 30\nNOP\n.end\nSEMPOST "
        "sem_sel=2\n");
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        Case delayed = what;
        delayed.job.options.seed = seed;
        EXPECT_TRUE(diff(what, delayed).same()) << seed;
    }
}

TEST(DiffRuns, AnInstructionOfAnExpansion) {
    auto text = [](const char* second) {
        return fmt::format(
            "REPLAY start_idx=0 len=2 load_mode=1\nINCRWC rwc_d=1\nINCRWC rwc_d={}\nREPLAY start_idx=0 len=2\n",
            second);
    };
    const auto difference = diff(case_of_text(text("2")), case_of_text(text("3")));
    ASSERT_TRUE(difference.instruction && difference.instruction->a) << difference.describe();
    EXPECT_EQ(difference.instruction->a->index, 3);
    EXPECT_EQ(difference.instruction->a->position, 1);
    EXPECT_EQ(difference.instruction->a->text, "INCRWC rwc_d=2");
}

// The front end records SFPLOADI, which is no write of an instruction.
TEST(DiffRuns, AWriterThatIsNotRecordedIsNotNobody) {
    const auto text = [](unsigned value) { return fmt::format("REPLAY start_idx=6 len=1 load_mode=1\nSFPLOADI imm16={}\n", value); };
    const auto difference = diff(case_of_text(text(8)), case_of_text(text(9)));
    ASSERT_TRUE(difference.state);
    EXPECT_EQ(difference.state->name, "replay thread 0 slot 6");
    EXPECT_FALSE(difference.state->writers_known || difference.state->a_writer);
    EXPECT_THAT(difference.describe(), HasSubstr("last written by\n    A: not recorded\n    B: not recorded\n"));
}

TEST(DiffRuns, OtherMemoryBeforeIsSaid) {
    Case a = case_of_text("NOP\n"), b = a;
    b.job.l1.push_back({0x100, {std::byte{0}, std::byte{7}}});
    const auto difference = diff(a, b);
    ASSERT_TRUE(difference.before && difference.state);
    EXPECT_EQ(difference.before->name, "l1 byte 0x101");
    EXPECT_EQ(difference.before->b, 7u);
    EXPECT_FALSE(difference.same());
    EXPECT_FALSE(difference.state->b_writer);
}

std::string edits(const RunDifference& difference) {
    std::string text;
    for (const auto& edit : difference.edits)
        text += fmt::format("{} {} -> {}\n", name(edit.kind), edit.a ? edit.a->describe() : "-",
                            edit.b ? edit.b->describe() : "-");
    return text;
}

// An insertion before a changed immediate is one difference, the immediate another.
TEST(DiffRuns, WhatIsInsertedHidesNoChange) {
    const std::string start = ".thread math\nINCRWC rwc_cr=1 rwc_d=1\n", end = "INCRWC rwc_d=2\nSETRWC\nINCRWC rwc_d=4\n";
    const Case a = case_of_text(start + end);
    for (const std::string inserted : {"NOP", ".cfg ALU_FORMAT_SPEC_REG0_SrcA = Float16_b", ".gpr 5 = 6", ".drain",
                                       "INCRWC rwc_a=1\nNOP\nNOP"}) {
        SCOPED_TRACE(inserted);
        const Case b = case_of_text(start + inserted + "\nINCRWC rwc_d=3\nSETRWC\nINCRWC rwc_d=4\n");
        const auto lines = static_cast<int>(std::count(inserted.begin(), inserted.end(), '\n')) + 1;
        const auto difference = diff(a, b);
        EXPECT_EQ(difference.edit_count, lines + 1u) << edits(difference);
        EXPECT_THAT(edits(difference),
                    HasSubstr(fmt::format(
                        "changed T1 op 1: INCRWC rwc_d=2 (text.tts:3) -> T1 op {}: INCRWC rwc_d=3 (text.tts:{})\n",
                        1 + lines, 3 + lines)));
        ASSERT_TRUE(difference.instruction && difference.instruction->a && difference.instruction->b);
        EXPECT_EQ(difference.instruction->a->text, "INCRWC rwc_d=2");
        EXPECT_EQ(difference.instruction->b->text, "INCRWC rwc_d=3");
        ASSERT_GE(difference.instruction->count, 1u);
        EXPECT_THAT(difference.instruction->wrote.back().name, HasSubstr("dst"));
        EXPECT_THAT(difference.describe(), HasSubstr("  inserted  B: T1 op 1: "));
        EXPECT_THAT(difference.describe(), HasSubstr("  changed   A: T1 op 1: INCRWC rwc_d=2"));
        EXPECT_THAT(difference.describe(), HasSubstr("\n            rwc_d: 2 in A, 3 in B\n"));
        // The other way round it is removed.
        const auto back = diff(b, a);
        EXPECT_THAT(edits(back), HasSubstr("removed T1 op 1: "));
        EXPECT_EQ(back.edit_count, difference.edit_count);
    }
}

TEST(DiffRuns, OnlyAnInsertedNop) {
    const Case a = case_of_text("INCRWC rwc_d=1\nINCRWC rwc_d=2\n"), b = case_of_text("NOP\nINCRWC rwc_d=1\nINCRWC rwc_d=2\n");
    const auto difference = diff(a, b);
    EXPECT_FALSE(difference.same());
    EXPECT_EQ(edits(difference), "inserted - -> T0 op 0: NOP (text.tts:1)\n");
    EXPECT_FALSE(difference.state);
    EXPECT_THAT(difference.describe(), testing::StartsWith("1 op is inserted, removed or changed:\n  inserted  B: T0 op 0: NOP"));
}

// The effect of an inserted instruction shows in later ones, which are aligned.
TEST(DiffRuns, TheEffectOfARemovedInstructionIsFoundBehindIt) {
    const std::string end = "NOP\nSETDMAREG.immediate NewValue=7 ResultHalfReg=2\nRDCFG GprAddress=3 CfgReg=3\n";
    const Case a = case_of_text("RMWCIB0 Mask=255 Data=9 CfgRegAddr=3\n.drain\n" + end), b = case_of_text(".drain\n" + end);
    const auto difference = diff(a, b);
    EXPECT_EQ(edits(difference), "removed T0 op 0: RMWCIB0 Mask=255 Data=9 CfgRegAddr=3 (text.tts:1) -> -\n");
    ASSERT_TRUE(difference.instruction && difference.instruction->a && difference.instruction->b);
    EXPECT_THAT(difference.instruction->a->text, testing::StartsWith("RDCFG"));
    EXPECT_EQ(difference.instruction->a->index, 4);
    EXPECT_EQ(difference.instruction->b->index, 3);
}

// A recording with an instruction more: the expansions are put side by side, too.
TEST(DiffRuns, ExpansionsStandSideBySide) {
    const Case a = case_of_text("REPLAY start_idx=0 len=2 load_mode=1\nINCRWC rwc_d=1\nINCRWC rwc_d=2\nREPLAY start_idx=0 len=2\n"),
               b = case_of_text("REPLAY start_idx=0 len=3 load_mode=1\nNOP\nINCRWC rwc_d=1\nINCRWC rwc_d=3\n"
                                "REPLAY start_idx=0 len=3\n");
    const auto difference = diff(a, b);
    ASSERT_TRUE(difference.instruction && difference.instruction->a && difference.instruction->b);
    EXPECT_EQ(difference.instruction->a->index, 3);
    EXPECT_EQ(difference.instruction->a->position, 1);
    EXPECT_EQ(difference.instruction->b->index, 4);
    EXPECT_EQ(difference.instruction->b->position, 2);
}

// 10^5 ops with edits everywhere: at most both runs and one comparison per op.
TEST(DiffRuns, LongPrograms) {
    Case a = case_of_text(""), b = a;
    for (std::uint32_t i = 0; i < 100'000; ++i) {
        const Op op{Op::Kind::ins, 0, 0x38000000 | (i % 3) << 6, 0};  // INCRWC
        a.job.program.threads[1].push_back(op);
        if (i % 1000 == 500) b.job.program.threads[1].push_back({Op::Kind::ins, 0, 0x02000000, 0});
        if (i % 1000 != 900) b.job.program.threads[1].push_back(op);
    }
    const auto difference = diff(a, b);
    EXPECT_EQ(difference.edit_count, 200u);
    ASSERT_TRUE(difference.instruction);
}

TEST(DiffRuns, AnotherEndIsADifference) {
    const Case a = case_of_text("NOP\nNOP\n"), b = case_of_text("NOP\n.ttinsn 0xFF000000\n");
    const auto difference = diff(a, b);
    EXPECT_FALSE(difference.same_end);
    EXPECT_THAT(difference.describe(), HasSubstr("the runs end differently"));
}

TEST(DiffRuns, AFaultThatBothEndWithIsTold) {
    const Case faults = case_of_text("NOP\n.ttinsn 0xFF000000\n");
    const auto difference = diff(faults, faults);
    EXPECT_TRUE(difference.same());
    EXPECT_THAT(difference.describe(), HasSubstr("\nboth runs end with fault "));
    const Case well = case_of_text("NOP\n");
    EXPECT_EQ(diff(well, well).describe(), "the same instructions wrote the same, and the end states are the same\n");
}

TEST(DiffRuns, OtherArchitecturesAreRefused) {
    const auto difference = diff_runs(case_of_text("NOP\n"), case_of_text("NOP\n", Arch::wormhole));
    ASSERT_FALSE(difference);
    EXPECT_EQ(difference.error().code, "diff.arch");
    EXPECT_EQ(difference.error().message, "A is for blackhole, B is for wormhole: nothing of them can be compared");
    EXPECT_EQ(diff_expected(case_of_text("NOP\n", Arch::wormhole), case_of_text("NOP\n")).error().code, "diff.arch");
}

TEST(DiffExpected, TheFirstInTheOrderOfState) {
    Case a = case_of_text(""), b = a;
    a.expect = R"({"gpr": {"0": {"3": 1}}, "cfg": {"5": 6}, "dst": {"7": ")" + std::string(64, '0') + "\"}}";
    b.expect = R"({"gpr": {"0": {"3": 2}}, "cfg": {"6": 6}, "dst": {"7": "0000803f)" + std::string(56, '0') + "\"}}";
    const auto difference = diff_expected(a, b);
    ASSERT_TRUE(difference) << difference.error().describe();
    EXPECT_EQ(difference->count, 2u);
    EXPECT_EQ(difference->compared, 1024u * 16 + 3 * 64);  // the words of configuration are not the same ones
    ASSERT_TRUE(difference->state);
    EXPECT_EQ(difference->state->name, "dst row 7 column 1");
    EXPECT_EQ(difference->state->b, 0x3F80u);
    EXPECT_EQ(diff_expected(a, a)->count, 0u);
    EXPECT_EQ(diff_expected(a, case_of_text("")).error().code, "diff.expect");
    b.expect = R"({"dts": {}})";
    EXPECT_EQ(diff_expected(a, b).error().code, "case.expect");
}

class DiffTraces : public testing::Test {
protected:
    std::string trace(const std::string& name, std::string_view text, const std::vector<std::string>& options = {}) {
        const auto job = directory_.write(
            name + ".toml", fmt::format("arch = \"blackhole\"\n[threads]\nmath = [\"\"\"{}\"\"\"]\n", text));
        std::vector<std::string> arguments = {"trace", job, "-o", directory_ / (name + ".jsonl")};
        arguments.insert(arguments.end(), options.begin(), options.end());
        EXPECT_EQ(test::run_cli(arguments).status, 0);
        return directory_ / (name + ".jsonl");
    }
    test::TemporaryDirectory directory_;
};

TEST_F(DiffTraces, EachHasTheNamesOfItsChip) {
    constexpr const char* text = "STALLWAIT stall_res=math wait_res=trisc_cfg\nNOP\n";
    const std::string job = directory_.write("w.toml", fmt::format("arch = \"wormhole\"\n[threads]\nmath = [\"\"\"{}\"\"\"]\n", text));
    const std::string wormhole = directory_ / "w.jsonl";
    EXPECT_EQ(test::run_cli({"trace", job, "-o", wormhole}).status, 0);
    const auto difference = diff_traces(trace("b", text), wormhole).value();
    for (const auto& edit : difference.edits)
        for (const OperandChange& one : edit.operands) EXPECT_NE(one.name, "wait_res") << one.a << " " << one.b;
}

TEST_F(DiffTraces, InstructionsAndTimesApart) {
    const auto a = trace("a", "NOP\nINCRWC rwc_d=1\nNOP\n"), b = trace("b", "NOP\nINCRWC rwc_d=2\nNOP\n"),
               many = trace("many", ".repeat 50\nNOP\n.end\n"),
               late = trace("late", ".repeat 50\nNOP\n.end\n", {"--seed", "3"}),
               longer = trace("longer", "NOP\nINCRWC rwc_d=1\nNOP\nSETRWC\n");
    EXPECT_TRUE(is_trace(a));
    EXPECT_FALSE(is_trace(directory_ / "a.toml"));
    EXPECT_TRUE(diff_traces(a, a)->same());

    const auto other = diff_traces(a, b).value();
    ASSERT_TRUE(other.instruction && other.instruction->a && other.instruction->b);
    EXPECT_EQ(other.instruction->a->index, 1);
    EXPECT_EQ(other.instruction->b->instruction, "ttincrwc 0,2,0,0");
    EXPECT_FALSE(other.time);

    const auto times = diff_traces(many, late).value();
    EXPECT_FALSE(times.instruction);
    ASSERT_TRUE(times.time);
    EXPECT_NE(times.time->a->issue, times.time->b->issue);
    EXPECT_GT(times.times, 0u);

    const auto more = diff_traces(a, longer).value();
    ASSERT_TRUE(more.instruction);
    EXPECT_FALSE(more.instruction->a);
    EXPECT_EQ(more.instruction->b->index, 3);
}

TEST_F(DiffTraces, WhatIsInsertedHidesNoChange) {
    const auto a = trace("a", "NOP\nINCRWC rwc_d=1\nSETRWC\n"), b = trace("b", "NOP\nNOP\nINCRWC rwc_d=2\nSETRWC\n");
    const auto difference = diff_traces(a, b).value();
    ASSERT_EQ(difference.edit_count, 2u);
    EXPECT_EQ(difference.edits[0].kind, EditKind::inserted);
    EXPECT_EQ(difference.edits[1].kind, EditKind::changed);
    EXPECT_EQ(difference.edits[1].a->instruction, "ttincrwc 0,1,0,0");
    EXPECT_EQ(difference.edits[1].b->instruction, "ttincrwc 0,2,0,0");
    EXPECT_THAT(difference.describe(), HasSubstr("\n            rwc_d: 1 in A, 2 in B\n"));
    ASSERT_TRUE(difference.time);  // SETRWC, which both have
    EXPECT_EQ(difference.time->a->index, 2);
    EXPECT_EQ(difference.time->b->index, 3);
    const auto json = nlohmann::json::parse(test::run_cli({"diff", a, b, "--json"}).out);
    EXPECT_EQ(json["edit_count"], 2);
    EXPECT_EQ(json["edits"][0]["kind"], "inserted");
    EXPECT_EQ(json["edits"][1]["b"]["index"], 2);
    EXPECT_EQ(json["edits"][1]["operands"], nlohmann::json::parse(R"([{"name": "rwc_d", "a": "1", "b": "2"}])"));
}

TEST_F(DiffTraces, AnotherEndIsADifference) {
    const auto good = trace("good", "NOP\n");
    const std::string text = test::contents(good);
    const auto changed = [&](const std::string& key, const std::string& value) {
        std::string other = text;
        const auto at = other.find(key, other.find("\"kind\":\"end\"")) + key.size();
        other.replace(at, other.find_first_of(",}", at) - at, value);
        return diff_traces(good, directory_.write("other.jsonl", other));
    };
    const auto longer = changed("\"cycles\":", "900").value();
    EXPECT_FALSE(longer.same());
    EXPECT_FALSE(longer.time || longer.instruction);
    EXPECT_EQ(longer.end_b->cycles, 900u);
    EXPECT_THAT(longer.describe(), HasSubstr("the runs end differently:\n  A: good, "));
    EXPECT_THAT(longer.describe(), HasSubstr("  B: good, 900 cycles\n"));
    const auto json = nlohmann::json::parse(test::run_cli({"diff", good, directory_ / "other.jsonl", "--json"}).out);
    EXPECT_EQ(json["end_b"], nlohmann::json::parse(R"({"cycles": 900, "good": true})"));
    EXPECT_EQ(json["same_end"], false);
    EXPECT_FALSE(changed("\"good\":", "false")->same());
    EXPECT_EQ(changed("\"cycles\":", "-1").error().code, "trace.syntax");
    EXPECT_EQ(changed("\"good\":", "1").error().code, "trace.syntax");
}

TEST_F(DiffTraces, BrokenTracesHaveTheirReason) {
    const auto good = trace("good", "NOP\n");
    auto code = [&](std::string_view text) {
        const auto result = diff_traces(good, directory_.write("broken.jsonl", text));
        return result ? std::string("none") : result.error().code;
    };
    EXPECT_EQ(code(""), "trace.format");
    EXPECT_EQ(code("{}\n"), "trace.format");
    EXPECT_EQ(code("{\"format\": \"tessera-trace-1\", \"arch\": \"blackhole\"}\n"), "none");
    EXPECT_EQ(code("{\"format\": \"tessera-trace-1\", \"arch\": \"blackhole\"}\n{\"thread\": 0}\n"), "trace.syntax");
    EXPECT_EQ(code("{\"format\": \"tessera-trace-1\"\n"), "trace.format");
    EXPECT_EQ(code("{\"format\": \"tessera-trace-9\", \"arch\": \"blackhole\"}\n"), "trace.format");
    EXPECT_EQ(code("arch = \"blackhole\"\n"), "trace.format");
    EXPECT_EQ(code("{\"format\": \"tessera-trace-1\", \"arch\": \"grayskull\"}\n"), "trace.syntax");
    EXPECT_EQ(diff_traces(good, directory_ / "none").error().code, "trace.open");
}

TEST_F(DiffTraces, TheTraceOfAGridIsRefusedAsOne) {
    const auto good = trace("good", "NOP\n");
    const auto grid = directory_.write("grid.jsonl", "{\"kind\":\"header\",\"format\":\"tessera-chip-trace-1\",\"arch\":\"blackhole\"}\n");
    EXPECT_TRUE(is_trace(grid));
    const Error error = diff_traces(good, grid).error();
    EXPECT_EQ(error.code, "trace.format");
    EXPECT_THAT(error.message, HasSubstr("the trace of a grid"));
    EXPECT_THAT(error.message, HasSubstr("tessera diff JOB JOB"));
    EXPECT_THAT(test::run_cli({"diff", grid, grid}).err, HasSubstr("[trace.format]"));
}

// The example of its docstring.
TEST(TracedInstructionText, IsThatOfItsDocument) {
    const TracedInstruction one{
        .thread = 1, .index = 5, .instruction = "ttmvmul 0,0,1,0", .unit = "matrix unit", .issue = 90, .start = 91, .land = 91, .end = 95};
    EXPECT_THAT(test::contents(TESSERA_SOURCE_DIR "/include/tessera/diff.hpp"), HasSubstr("/// \"" + one.describe() + "\".\n"));
}

TEST_F(DiffTraces, WhatIsCutOffOrChangedIsRefusedByItsLine) {
    const auto good = trace("good", "NOP\n");
    const std::string text = test::contents(good);
    const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    const auto instruction_line = [&] {
        const auto before = text.substr(0, text.find("\"kind\":\"instruction\""));
        return static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    }();
    const auto refused = [&](const std::string& broken, int line, std::string_view says) {
        const auto result = diff_traces(good, directory_.write("broken.jsonl", broken));
        ASSERT_FALSE(result) << says;
        EXPECT_EQ(result.error().code, "trace.syntax");
        EXPECT_EQ(result.error().file, directory_ / "broken.jsonl");
        EXPECT_EQ(result.error().line, line);
        EXPECT_THAT(result.error().message, AllOf(HasSubstr(says), Not(HasSubstr("json.exception"))));
    };
    const auto last = text.rfind('\n', text.size() - 2) + 1;
    refused(text.substr(0, last), lines - 1, "cut off");
    refused(text.substr(0, text.find('\n') + 1), 1, "cut off");
    refused(text.substr(0, last + 5), lines, "not a line of a trace");
    refused(text + text, lines + 1, "behind the end");
    const auto with = [&](const std::string& what, const std::string& instead) {
        std::string changed = text;
        const auto at = changed.find(what, changed.find("\"kind\":\"instruction\""));
        return changed.replace(at, changed.find_first_of(",}", at) - at, instead);
    };
    refused(with("\"issue\":", "\"issue\":-1"), instruction_line, "issue is -1, and must be a whole number");
    refused(with("\"end\":", "\"end\":99999999999999999999"), instruction_line, "end is 1e+20");
    refused(with("\"thread\":", "\"thread\":3"), instruction_line, "thread is 3, and must be a whole number, 0 to 2");
    refused(with("\"index\":", "\"index\":0.5"), instruction_line, "index is 0.5");
    refused(with("\"unit\":", "\"unit\":7"), instruction_line, "unit is 7, and must be a text");
    refused(with("\"kind\":", "\"king\":1"), instruction_line, "the text needs the key 'kind'");
}

}  // namespace
}  // namespace tessera

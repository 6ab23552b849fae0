// SPDX-License-Identifier: Apache-2.0
// tessera step: effects, output and errors of its commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/kernel_file.hpp"
#include "support/run_cli.hpp"
#include "support/shown_page.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using test::run_cli;
using testing::ContainsRegex;
using testing::HasSubstr;

class StepCli : public testing::Test {
protected:
    /// Each line a command.
    static test::CliOutcome step(const std::vector<std::string>& lines, const std::string& job = tilize) {
        std::vector<std::string> arguments{"step", job};
        for (const auto& line : lines) arguments.insert(arguments.end(), {"-c", line});
        return run_cli(arguments);
    }
    static std::string reported(const std::vector<std::string>& lines, const std::string& job = tilize) {
        const auto outcome = step(lines, job);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        return outcome.out;
    }
    static void refuses(const std::string& line, std::string_view why) {
        const auto outcome = step({line});
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err, HasSubstr(std::string(why)));
    }

    /// Code of brisc.elf, beside a job.
    static void write_core(const test::TemporaryDirectory& directory, std::initializer_list<std::uint32_t> code) {
        directory.write("brisc.elf", test::KernelFile{.segments = {{0x6000, test::words(code)}}}.bytes());
    }

    static constexpr std::initializer_list<std::uint32_t> counts = {0x00128293, 0xFFDFF06F};  // addi t0, t0, 1; j .-4
    static constexpr const char* tilize = TESSERA_SOURCE_DIR "/examples/seeds/5.2-tilize.toml";
};

// The job's text: op 13 is the UNPACR, of four tiles' faces each.
TEST_F(StepCli, StepsForwardsAndBack) {
    const std::string one = reported({"step"}), two = reported({"step", "step"});
    EXPECT_TRUE(two.starts_with(one));
    EXPECT_EQ(reported({"s 2"}), two.substr(one.size()));
    EXPECT_EQ(reported({"step", "step", "back"}), two + one);
    EXPECT_EQ(reported({"step", ""}), two) << "an empty line repeats";
    EXPECT_EQ(reported({"# a remark", "step"}), one);
    EXPECT_EQ(reported({"step", "q", "step"}), one);
    EXPECT_THAT(reported({"c", "back"}), HasSubstr("T0 op 12, ")) << "UNPACR was the last";
}

TEST_F(StepCli, StopsWhereItIsTold) {
    constexpr auto stop = "T0 op 13, cycle 16: UNPACR OvrdThreadId=1 SetDatValid=1 \\(.*5.2-tilize.tts:26\\)";
    EXPECT_THAT(reported({"break UNPACR", "c"}), ContainsRegex(stop));
    EXPECT_THAT(reported({"break :26", "c"}), ContainsRegex(stop));
    EXPECT_THAT(reported({"break T0:13", "c"}), HasSubstr("T0 op 13, "));
    EXPECT_THAT(reported({"break @14", "c"}), HasSubstr("cycle 14 (last event: 13)\n"));
    EXPECT_THAT(reported({"watch src_a 0 0", "c"}), HasSubstr("wrote src_a bank 0 row 0 column 0 = 0x"));
    // The job's first .cfg.
    EXPECT_THAT(reported({"watch THCON_SEC0_REG0_TileDescriptor_InDataFormat", "c"}),
                ContainsRegex("T0 op 0, .*\n  wrote config bank 0 addr32 64 = 0x"));
    EXPECT_EQ(reported({"break UNPACR", "watch dst 0", "l", "d 1", "l", "d", "l"}),
              "1: break UNPACR\n2: watch dst 0\n1: break UNPACR\n2: watch dst 0\n1: watch dst 0\nnone\n");
}

// The banks of configuration share this word, so it has two names.
TEST_F(StepCli, ASharedWordIsWatchedByEitherName) {
    const test::TemporaryDirectory directory;
    directory.write("math.tts", "NOP\nRMWCIB0 Mask=255 Data=1 CfgRegAddr=205\n");
    const std::string job = directory.write("job.toml", "arch = \"blackhole\"\nthreads.math = \"math.tts\"\n");
    for (const std::string bank : {"0", "1"})
        EXPECT_THAT(reported({"watch config " + bank + " 205", "c"}, job),
                    ContainsRegex("T1 op 1, .*\n  wrote config bank " + bank + " addr32 205 = 0x1\n"));
}

TEST_F(StepCli, AWatchThatNoWriteWouldMeetIsRefused) {
    for (const char* name : {"replay", "mop_expansion", "fifo_count", "unit_queue", "scalar_outstanding", "riscv_pc", "riscv_local_brisc",
                             "mailbox", "debug_register", "niu_counter"})
        refuses(std::string("watch ") + name, std::string("writes of ") + name + " are not told");
}

TEST_F(StepCli, StopsAtEachFindingThatIsNamed) {
    const test::TemporaryDirectory directory;
    directory.write("math.tts", "REPLAY start_idx=0 len=1\n");
    const auto outcome = step({"break finding frontend.replay-count", "break finding frontend.replay-unrecorded", "c"},
                              directory.write("job.toml", "arch = \"blackhole\"\nthreads.math = \"math.tts\"\n"));
    EXPECT_THAT(outcome.out, HasSubstr("\nfrontend.replay-unrecorded: REPLAY plays slot 0")) << outcome.err;
}

TEST_F(StepCli, PrintsAnyState) {
    EXPECT_THAT(reported({"p"}), HasSubstr("\nbank_owner "));
    // a.bin counts 1 + k / 128: BF16 has the steps, and SrcA shows FP32's upper bits.
    EXPECT_THAT(reported({"c", "p src_a 0 0 0:2"}), HasSubstr("src_a bank 0 row 0 column 0  1  1.00781\n"));
    EXPECT_THAT(reported({"c", "p src_a 0 0 0:2 as hex"}), HasSubstr("  0x0007f  0x0087f\n"));
    EXPECT_THAT(reported({"p adc 0 unpacker0 0"}), HasSubstr("adc thread 0 unpacker0 channel 0  x 0x00000  x_cr "));
    EXPECT_THAT(reported({"p ALU_FORMAT_SPEC_REG0_SrcA"}), HasSubstr("ALU_FORMAT_SPEC_REG0_SrcA of bank 0  Float32\nALU_FORMAT_SPEC_REG0_SrcA of bank 1  Float32\n"));
    EXPECT_EQ(reported({"p l1 0x10 4"}), "0x00010  00  00  00  00\n");
    EXPECT_THAT(reported({"s", "x"}), HasSubstr("instruction "));
    EXPECT_THAT(reported({"s", "w"}), HasSubstr("T0 front end"));
    EXPECT_THAT(reported({"s", "r"}), HasSubstr("cycles"));
    EXPECT_EQ(reported({"f"}), "none\n");
    EXPECT_THAT(reported({"help"}), HasSubstr("continue"));
}

// A break stands behind the issue of its instruction, as a step does.
TEST_F(StepCli, ABreakExplainsItsInstruction) {
    const std::string stop = reported({"break UNPACR", "c"}), explained = reported({"break UNPACR", "c", "x"});
    EXPECT_THAT(explained, HasSubstr("T0 op 13, cycle 16: UNPACR"));
    // The run goes on as if nothing had been asked.
    EXPECT_EQ(reported({"break UNPACR", "c", "x", "s"}), explained + reported({"break UNPACR", "c", "s"}).substr(stop.size()));
}

// The unpacker writes when its instruction ends, long after the issue.
TEST_F(StepCli, AWatchNamesTheCommandThatExplains) {
    const auto outcome = step({"watch src_a 0 0", "c", "x"});
    EXPECT_THAT(outcome.err, HasSubstr(" --at T0:13"));
    EXPECT_THAT(outcome.err, HasSubstr("tessera explain "));
}

// The command explains the same run: it has the options that this run had.
TEST_F(StepCli, TheCommandThatExplainsHasTheOptionsOfTheRun) {
    const test::TemporaryDirectory directory;
    directory.write("math.tts", ".gpr 1 = COUNT\nNOP\nINCRWC rwc_d=1\n");
    const std::string job = directory.write("a job.toml", "arch = \"blackhole\"\nthreads.math = \"math.tts\"\nsymbols.COUNT = 1\n");
    const auto outcome = run_cli({"step", job, "--symbol", "COUNT=2", "--set", "timing=silicon", "--seed", "7", "-c", "watch rwc 1 dst",
                                  "-c", "continue", "-c", "explain"});
    EXPECT_THAT(outcome.err, HasSubstr("tessera explain '" + job + "' --seed 7 --symbol COUNT=2 --set timing=silicon --at T1:2\n"));
}

TEST_F(StepCli, RefusesWhatItDoesNotKnow) {
    refuses("walk", "'walk'");
    refuses("brake", "unknown command 'brake' (did you mean break?)");
    refuses("step 0", "step takes");
    refuses("step x", "step takes");
    for (const char* line : {"step T9", "step T9 2", "step T3 1", "step foo 1", "step -5 1", "step T 1", "step T0 1 1", "step 1 1"})
        refuses(line, "step takes [T0|T1|T2] [N]");
    refuses("cycle 0", "cycle takes");
    refuses("cycle 1 2", "cycle takes");
    refuses("findings extra", "findings takes nothing behind it, not 'extra'");
    refuses("c 3", "continue takes nothing behind it, not '3'");
    refuses("break UNPACR T0", "'T0' is one word too many");
    refuses("break finding hazard.dst 1", "'1' is one word too many");
    refuses("delete 1 2", "delete takes [N]");
    refuses("back", "the beginning");
    refuses("break", "FILE:LINE");
    refuses("break NOSUCH", "NOSUCH");
    refuses("break T1:x", "'T1:x' is not the place of an op: T0:5 (op 5 of thread 0), FILE:LINE");
    refuses("break @x", "'x' is not a cycle");
    refuses("break finding no.such", "no.such");
    // Breaks that nothing can come to.
    refuses("break T1:0", "never be reached: T1 has no ops");
    refuses("break T0:999999", "never be reached: T0 has ops 0 to ");
    refuses("break :9999", "never be reached: no op comes from :9999");
    refuses("break other.tts:26", "never be reached: no op comes from other.tts:26");
    // Op 0 is a .cfg, which the core stores.
    refuses("break T0:0", "never be reached: no instruction stands there");
    refuses("break MVMUL", "never be reached: no op of the job is a MVMUL");
    refuses("break @1000000001", "never be reached: the run ends at cycle 1000000000");
    refuses("watch nowhere", "nowhere");
    refuses("delete 3", "there is no 3");
    refuses("print nowhere", "nowhere");
    refuses("break T3:1", "there is no thread T3: threads are T0 to T2");
    refuses("watch THCON_SEC0_REG0_TileDescriptor_InDataFormats", "did you mean THCON_SEC0_REG0_TileDescriptor_InDataFormat?");
    refuses("print src_a", "2048 values are too many, 1024 can be shown at a time: src_a BANK ROW COLUMN, each an index, FIRST:END or *");
    refuses("print l1 0x20000 2048", "2048 values are too many, 1024 can be shown at a time: l1 ADDRESS BYTES");
    refuses("print src_a 2", "'2' is not a bank");
    refuses("print rwc 0 no", "src_a");
    refuses("print dst 0 0 0", "2 dimensions");
    refuses("print dst 0 as Float99", "Float99");
    refuses("print l1 0xFFFFFFFF", "below 0x");
    refuses("explain", "only a step");
}

TEST_F(StepCli, ARefusedCommandEndsNothingButIsTheStatus) {
    const auto outcome = step({"foo", "continue"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, reported({"continue"}));
}

// A fault is reported once, with the blocked actors. The state can still be viewed, and steps can go back.
TEST_F(StepCli, AHangCanBeGoneBackFrom) {
    const auto outcome = step({"c", "w", "back", "w"}, TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml");
    EXPECT_EQ(outcome.status, 0) << "it stands before the end";
    EXPECT_THAT(outcome.out, HasSubstr("deadlock: every actor waits, and no wait can end"));
    EXPECT_EQ(step({"c"}, TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml").status, 1);
}

// A number of cycles beyond all that can be counted leads to the end, as any number beyond the end does.
TEST_F(StepCli, ManyCyclesLeadToTheEnd) {
    constexpr const char* most = "cycle 18446744073709551615";
    const std::string end = reported({"continue"});
    EXPECT_EQ(reported({"cycle 5", most}), reported({"cycle 5"}) + end);
    const test::TemporaryDirectory directory;
    write_core(directory, counts);
    const auto outcome = step({"cycle 5", most}, directory.write("grid.toml", "arch = \"blackhole\"\nmax_cycles = 1000\nchip.grid = [2, 1]\n"
                                                                              "[[tile]]\ncolumns = 0\nrows = 0\ncores.brisc = \"brisc.elf\"\n"));
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("cycle 1000  the end: a fault\n"));
}

// The cycle of a break may be behind the last event.
TEST_F(StepCli, AfterABreakAtACycleTheNextOneIsCome) {
    EXPECT_THAT(reported({"break @5", "break @20", "c", "c"}),
                AllOf(HasSubstr("cycle 5 (last event: 4)\n"), HasSubstr("cycle 20 (last event: ")));
    EXPECT_THAT(reported({"break @5", "c", "c"}), HasSubstr("  the end\n"));
}

TEST_F(StepCli, TheEndTellsFindingsThatNobodyHasSeen) {
    constexpr const char* wrong = TESSERA_SOURCE_DIR "/examples/mistakes/vector_too_early/wrong.toml";
    constexpr const char* told = "Dst row 0: nothing orders this access after T1 op 0";
    EXPECT_THAT(reported({"c"}, wrong), ContainsRegex(std::string("  the end\n  warning: ") + told));
    const auto stopped = run_cli({"step", wrong, "--finding", "hazard.dst=error", "-c", "continue"});
    EXPECT_EQ(stopped.status, 1);
    EXPECT_THAT(stopped.out, ContainsRegex(std::string("  the end\n  error: ") + told));
    const std::string stops = reported({"break finding", "c", "c"}, wrong);
    EXPECT_EQ(stops.find(told), stops.rfind(told)) << stops;
    EXPECT_THAT(stops, HasSubstr(told));
}

TEST_F(StepCli, AWatchNamesTheCoreThatStores) {
    const test::TemporaryDirectory directory;
    constexpr std::uint32_t address = 0x000162B7, store = 0x0002A023, halt = 0x0000006F;  // lui t0, 0x16; sw zero, 0(t0); j .
    write_core(directory, {address, store, halt});
    const std::string job = directory.write("job.toml", "arch = \"blackhole\"\ncores.brisc = \"brisc.elf\"\n");
    EXPECT_THAT(step({"watch l1 0x16000 4", "c"}, job).out, ContainsRegex("\nbrisc, cycle [0-9]+: "));
}

// unpack.tts has an instruction in that line, too, and comes first.
TEST_F(StepCli, TheEndOfAPathHasWholeNames) {
    const test::TemporaryDirectory directory;
    directory.write("unpack.tts", "NOP\nNOP\n");
    directory.write("pack.tts", "NOP\nNOP\n");
    const std::string job = directory.write(
        "job.toml", "arch = \"blackhole\"\nthreads.unpack = \"unpack.tts\"\nthreads.pack = \"pack.tts\"\n");
    EXPECT_THAT(reported({"break pack.tts:2", "c"}, job), ContainsRegex("\nT2 op 1, .*/pack.tts:2\\)"));
    EXPECT_THAT(step({"break k.tts:2"}, job).err, HasSubstr("no op comes from k.tts:2"));
}

// Before the first instruction cores may have run for long.
TEST_F(StepCli, CoresGoBackToTheBeginning) {
    const test::TemporaryDirectory directory;
    write_core(directory, counts);
    const std::string job = directory.write("job.toml", "arch = \"blackhole\"\nmax_cycles = 1000\ncores.brisc = \"brisc.elf\"\n");
    const auto outcome = step({"cycle 100", "back", "cycle 50"}, job);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("cycle 50 (last event: "));
    EXPECT_THAT(step({"back"}, job).err, HasSubstr("this is the beginning"));
}

TEST_F(StepCli, ThePageShowsWhatTheCommandsPrint) { EXPECT_EQ(test::check_page("stepping.md"), 4u); }

}  // namespace
}  // namespace tessera

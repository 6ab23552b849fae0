// SPDX-License-Identifier: Apache-2.0
// Kernels on the command line: selection of cores, and errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/assembly.hpp"
#include "support/kernel_file.hpp"
#include "support/riscv_words.hpp"
#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using test::CliOutcome;
using test::run_cli;

class KernelsCli : public testing::Test {
protected:
    std::string kernel(std::string_view name, std::uint32_t address = 0x6000) {
        const test::KernelFile file{.entry = address, .segments = {{address, test::words({0x0000006F})}}};
        return directory_.write(name, file.bytes());
    }

    void refuses(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
        test::expect_refused(run_cli(arguments), parts);
    }

    test::TemporaryDirectory directory_;
};

TEST_F(KernelsCli, FilesGoToTheCoresThatTheirNamesTell) {
    const struct {
        const char *file, *core;
    } rows[] = {{"brisc.elf", "brisc"},       {"trisc0.elf", "trisc0"},        {"unpack.elf", "trisc0"},
                {"add_unpack.elf", "trisc0"}, {"math.elf", "trisc1"},          {"add-trisc1.elf", "trisc1"},
                {"pack.elf", "trisc2"},       {"kernel.ncrisc.elf", "ncrisc"}, {"trisc2", "trisc2"}};
    for (const auto& [file, core] : rows)
        refuses({"run", kernel(file), "--core", std::string(core) + "=" + kernel("x.elf")},
                {core, "given twice", file, "[cli.core]"});
    for (const char* file : {"add.elf", "unpacker.elf", "repack.elf"})
        refuses({"run", kernel(file)}, {file, "--core CORE=FILE", "[cli.core]"});
}

TEST_F(KernelsCli, RefusesBadOptions) {
    const std::string math = kernel("math.elf"), job = directory_.write("job.toml", "arch = \"blackhole\"\n");
    refuses({"run", math, "--core", "trisc7=" + math}, {"'trisc7=", "[cli.core]"});
    refuses({"run", math, "--core", "brisc"}, {"'brisc'", "CORE=FILE", "[cli.core]"});
    refuses({"run", math, "--core", "brisc=" + directory_ / "none"}, {"none", "[elf.open]"});
    refuses({"run", math, "--arch", "grayskull"}, {"'grayskull'", "[cli.arch]"});
    for (const std::string done : {"16", "x=1", "2=1", "16=", "16=0x100000000"})
        refuses({"run", math, "--done", done}, {"'" + done + "'", "ADDR=VALUE", "[cli.done]"});
    refuses({"run", math, "--done", "0x180000=1"}, {"0x180000", "[cli.done]"});
    refuses({"run", job, math}, {job, "[cli.core]"});
    refuses({"run", job, "--done", "16=1"}, {"--done", "[cli.usage]"});
    refuses({"run", job, "--arch", "wormhole"}, {"--arch", "[cli.usage]"});
    refuses({"run", directory_.write("pack.elf", "no kernel")}, {"pack.elf", "[elf.format]"});
    refuses({"run", kernel("unpack.elf"), kernel("math.elf"), "--core",
             "trisc2=" + directory_.write("p", test::KernelFile{.segments = {{0x6000, "else"}}}.bytes())},
            {"0x6000", "[kernels.overlap]"});
    refuses({"run", math, "--seed", "x"}, {"--seed", "[cli.usage]"});
}

// A zero exit status means done.
TEST_F(KernelsCli, WhatIsNotDoneEndsWithStatusOne) {
    const auto run = [&](std::uint32_t word, std::vector<std::string> more) {
        const std::string file = directory_.write(
            "math.elf", test::KernelFile{.segments = {{0x6000, test::words({word})}}}.bytes());
        more.insert(more.begin(), {"run", file});
        return run_cli(more);
    };
    constexpr std::uint32_t ebreak = 0x0010'0073, halt = 0x0000'006F;
    for (const auto& [word, options, code] :
         std::vector<std::tuple<std::uint32_t, std::vector<std::string>, std::string>>{
             {ebreak, {}, "riscv.ebreak"},
             {ebreak, {"--done", "0X1FFB8=255"}, "riscv.ebreak"},
             {halt, {"--done", "0x1FFB8=255"}, "kernel.not-done"},
             {ebreak, {"--done", "0x1FFB8=255", "--finding", "riscv.ebreak=info"}, "kernel.not-done"}}) {
        const CliOutcome outcome = run(word, options);
        EXPECT_EQ(outcome.status, 1) << outcome.out;
        EXPECT_NE(outcome.out.find("fault " + code), std::string::npos) << outcome.out;
    }
    EXPECT_EQ(run(halt, {}).status, 0);
    EXPECT_EQ(run(ebreak, {"--finding", "riscv.ebreak=info"}).status, 0);
}

// A core that polls a word until the host stores it, and then stores its square.
TEST_F(KernelsCli, TakeStepsOfTheHost) {
    const std::uint32_t code[] = {0x00020537, 0x00052583, 0x0FF0000F, 0xFE058CE3, 0x02B585B3, 0x00B52223, 0x0000006F};
    std::string bytes;
    for (const std::uint32_t word : code) bytes += test::words({word});
    const std::string math =
        directory_.write("math.elf", test::KernelFile{.segments = {{0x6000, bytes}}}.bytes());
    const CliOutcome outcome =
        run_cli({"run", math, "--host", "at=1000 write=0X20000=12", "--host", "when=0x20004=144/0XFF read=0x20004,4"});
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("4 bytes: 90 00 00 00"), std::string::npos) << outcome.out;
    const CliOutcome json = run_cli({"run", math, "--json", "--host", "at=1000 write=0x20000=3", "--host",
                                     "when=0x20004=9 read=0x20004,4"});
    EXPECT_NE(json.out.find("\"hex\": \"09000000\""), std::string::npos) << json.out;
    const CliOutcome hangs = run_cli({"run", math, "--host", "when=0x20004=9 reset=trisc1"});
    EXPECT_EQ(hangs.status, 1);
    EXPECT_NE(hangs.out.find("waits for the word at 0x20004 to be 0x9; it is 0x0"), std::string::npos) << hangs.out;
    for (const std::string step :
         {"now", "at=x", "write=0x20000", "write=1=x", "when=4", "when=4=1/x", "reset=trisc7", "read=4",
          "reset=trisc1 start=trisc1", "at=1 at=2"})
        refuses({"run", math, "--host", step}, {"[cli.host]"});
    refuses({"run", math, "--host", "write=0x180000=1"}, {"0x180000", "[host.step]"});
    refuses({"run", math, "--host", "start=brisc"}, {"brisc", "[host.step]"});
    refuses({"run", math, "--host", "at=20", "--max-cycles", "10"}, {"cycle 20", "[host.step]"});
    refuses({"run", directory_.write("job.toml", "arch = \"blackhole\"\n"), "--host", "at=1"}, {"[cli.host]"});
}

TEST_F(KernelsCli, OtherCommandsRefuseWhatTheyCannotDo) {
    kernel("math.elf");
    const std::string job = directory_.write("job.toml", "arch = \"blackhole\"\ncores.trisc1 = \"math.elf\"\n");
    refuses({"record", job}, {job, "[record.kernels]"});
    refuses({"reduce", job}, {job, "[reduce.kernels]"});
    refuses({"diff", job, job}, {job, "[diff.kernels]"});
    refuses({"explain", job, "--line", "3"}, {job, "--line", "--at FILE:LINE", "[cli.selection]"});
    const CliOutcome check = run_cli({"check", job});  // a job is not a case
    EXPECT_EQ(check.status, 2);
    EXPECT_NE(check.err.find("job.toml"), std::string::npos) << check.err;
}

// Op 0 sets an address mode; op 8, of a function that is inlined, is issued long after that.
TEST_F(KernelsCli, PlacesAreTakenAsTheyArePrinted) {
    using test::KernelFile;
    std::string code = test::words({test::rv::ttinsn(test::word("SETC16 setc16_reg=28 setc16_value=0x800"))});
    for (int i = 0; i < 8; ++i) code += test::words({test::rv::ttinsn(test::word("NOP"))});
    code += test::words({test::rv::halt});
    const KernelFile math{.segments = {{0x6000, code}},
                          .lines = {{0x6000, 10}, {0x6004, 11}, {0x6020, 20}, {0x6024, 12}, {0x6028, 0}},
                          .functions = {{"kernel_main", 0x6000, 0x6028, 0, {{"inner", 0x6020, 0x6024, 15}}}}};
    directory_.write("math.elf", math.bytes());
    const std::string job = directory_.write("job.toml", "arch = \"blackhole\"\ncores.trisc1 = \"math.elf\"\n");

    const auto explained = [&](const char* option, const char* value) {
        const CliOutcome outcome = run_cli({"explain", job, option, value});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        std::vector<std::string> ops;
        for (std::size_t at = 0; (at = outcome.out.find("T1 op ", at)) != outcome.out.npos; ++at)
            ops.push_back(outcome.out.substr(at + 6, 1));
        return ops;
    };
    using Ops = std::vector<std::string>;
    EXPECT_EQ(explained("--at", "T1:8"), Ops{"8"});
    EXPECT_EQ(explained("--index", "8"), Ops{"8"});
    EXPECT_EQ(explained("--at", "kernel.cpp:20"), Ops{"8"});
    EXPECT_EQ(explained("--at", "kernel.cpp:15"), Ops{"8"}) << "the line of the call";
    EXPECT_EQ(explained("--at", ":11"), (Ops{"1", "2", "3", "4", "5", "6", "7"}));
    for (const char* nowhere : {"T1:9", "T0:0", "kernel.cpp:99"})
        refuses({"explain", job, "--at", nowhere}, {job, "no issued instruction matches", "[cli.selection]"});

    const auto continued = [&](const char* to) {
        const CliOutcome outcome = run_cli({"step", job, "-c", std::string("break ") + to, "-c", "continue", "-c", "continue"});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return outcome.out;
    };
    EXPECT_THAT(continued("kernel.cpp:99"), testing::HasSubstr("tessera gdb stops at all lines"));
    EXPECT_THAT(continued("kernel.cpp:20"), testing::Not(testing::HasSubstr("tessera gdb")));

    const auto is_set = [&](const char* place) {
        const CliOutcome outcome = run_cli({"regs", "--job", job, "--at", place});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return outcome.out.find("Dst cleared") != outcome.out.npos;
    };
    EXPECT_FALSE(is_set("T1:0"));
    EXPECT_FALSE(is_set("kernel.cpp:10"));
    EXPECT_TRUE(is_set("T1:8"));
    EXPECT_TRUE(is_set("kernel.cpp:15"));
    refuses({"regs", "--job", job, "--at", "kernel.cpp:99"}, {job, "kernel.cpp:99: ", "before it was issued", "[cli.moment]"});
}

TEST_F(KernelsCli, DisassemblyTakesKernels) {
    const std::string math = directory_.write(
        "math.elf", test::KernelFile{.segments = {{0x6000, test::words({0x98010000, 0x00008067})}}}.bytes());
    const CliOutcome outcome = run_cli({"disasm", "--elf", math});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("ttmvmul"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace tessera
